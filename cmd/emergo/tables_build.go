package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
)

type tablesBuildCmd struct {
	Board    board       `placeholder:"9x9|7x7" help:"The board (both)."`
	Pieces   pieceCounts `default:"2,3" placeholder:"N,..." help:"How many pieces the positions have, of both sides together (${default})."`
	Embedded bool        `help:"Write what the program embeds: compressed, distances for two pieces only."`
	Output   fileName    `short:"o" required:"" placeholder:"FILE" help:"The file to write."`
}

// pieceCounts are numbers of pieces.
type pieceCounts []int

func (p *pieceCounts) UnmarshalText(text []byte) error {
	*p = nil
	for word := range strings.SplitSeq(string(text), ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			return errors.New("it must be one or more numbers, as in 2,3")
		}
		*p = append(*p, n)
	}
	return nil
}

// Run computes the tables and writes the file.
func (c *tablesBuildCmd) Run(s *session) error {
	boards := []emergo.Board{emergo.Board9x9, emergo.Board7x7}
	if c.Board.named() {
		boards = []emergo.Board{c.Board.engine()}
	}
	for _, b := range boards {
		for _, n := range c.Pieces {
			if most := endgame.MostPieces(b); n < endgame.FewestPieces || n > most {
				return usageError(fmt.Sprintf("--pieces: tables of %v are of %d to %d pieces, not %d", b, endgame.FewestPieces, most, n))
			}
		}
	}
	ctx, stop := s.interruptible()
	defer stop()
	var tables []*endgame.Table
	err := replaceFile(string(c.Output), func(w io.Writer) (err error) {
		if tables, err = c.build(ctx, s.err, boards); err != nil {
			return err
		}
		if c.Embedded {
			return endgame.WriteEmbedded(w, tables...)
		}
		return endgame.Write(w, tables...)
	})
	if err != nil {
		return unwritten(err)
	}
	for _, t := range tables {
		f := t.Figures()
		if _, err := fmt.Fprintf(s.out, "%v\n  %d positions in %d entries\n  %d wins, %d draws, %d losses\n  longest win %d plies: %v\n",
			t, f.Positions, f.Entries, f.Wins, f.Draws, f.Losses, f.LongestWin, &f.Longest); err != nil {
			return err
		}
	}
	return nil
}

// build computes the tables that are asked for.
func (c *tablesBuildCmd) build(ctx context.Context, stderr io.Writer, boards []emergo.Board) (tables []*endgame.Table, err error) {
	shown := newProgress(stderr)
	defer shown.end()
	for _, b := range boards {
		built, err := endgame.Build(ctx, b, slices.Max(c.Pieces), func(p endgame.Progress) { shown.show(buildLine(p)) })
		if err != nil {
			return nil, err
		}
		for _, t := range built {
			if slices.Contains(c.Pieces, t.Pieces()) {
				tables = append(tables, t)
			}
		}
	}
	return tables, nil
}

// buildLine draws how far building has come.
func buildLine(p endgame.Progress) string {
	const width = 30
	done := width * p.Done / p.Total
	return fmt.Sprintf("%v, %d pieces, %-8v [%s%s] %3d%%",
		p.Board, p.Pieces, p.Stage, strings.Repeat("#", done), strings.Repeat(" ", width-done), 100*p.Done/p.Total)
}
