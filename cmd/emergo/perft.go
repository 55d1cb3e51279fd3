package main

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// maxDepth is far more plies than anybody can wait for.
const maxDepth = 99

type perftCmd struct {
	boardFlag `embed:""`
	Divide    bool     `help:"Count behind each move of the position, instead of ply by ply."`
	Played    bool     `help:"Play the moves of the last ply too, which are otherwise only counted."`
	Depth     []string `arg:"" optional:"" sep:"none" help:"How many plies. Before it may stand a position, and moves from there; else it is the start position."`
}

// Run counts the move sequences of a position.
func (c *perftCmd) Run(s *session) error {
	words := splitWords(c.Depth)
	last := len(words) - 1
	if last < 0 {
		return usageError("perft needs a depth, as in: emergo perft 4")
	}
	depth, err := strconv.Atoi(words[last])
	if err != nil || depth < 1 || depth > maxDepth {
		return usageError(fmt.Sprintf("perft needs a depth from 1 to %d as its last word, as in: emergo perft 4", maxDepth))
	}
	g, err := c.local(words[:last], emergo.Rules{})
	if err != nil {
		return err
	}
	p := g.Position()
	count := emergo.Perft
	if c.Played {
		count = emergo.PerftPlayed
	}
	start := time.Now()
	var nodes uint64
	if c.Divide {
		nodes, err = divide(s.out, p, depth, count)
	} else {
		nodes, err = perft(s.out, p, depth, count)
	}
	if err != nil {
		return err
	}
	elapsed := time.Since(start).Seconds()
	_, err = fmt.Fprintf(s.out, "total %d nodes, %.3f s, %.1f M nodes/s\n", nodes, elapsed, float64(nodes)/1e6/max(elapsed, 1e-9))
	return err
}

// A counter counts the move sequences of a number of plies.
type counter func(*emergo.Position, int) uint64

// perft prints the number of sequences for each number of plies up to a depth.
func perft(w io.Writer, p *emergo.Position, depth int, count counter) (total uint64, err error) {
	for ply := 1; ply <= depth; ply++ {
		nodes := count(p, ply)
		total += nodes
		if _, err := fmt.Fprintln(w, ply, nodes); err != nil {
			return total, err
		}
	}
	return total, nil
}

// divide prints the number of sequences that begin with each legal move.
func divide(w io.Writer, p *emergo.Position, depth int, count counter) (total uint64, err error) {
	for _, m := range p.AppendMoves(nil) {
		next := p.Play(m)
		nodes := count(&next, depth-1)
		total += nodes
		if _, err := fmt.Fprintln(w, m, nodes); err != nil {
			return total, err
		}
	}
	return total, nil
}
