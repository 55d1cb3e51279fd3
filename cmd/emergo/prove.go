package main

import (
	"fmt"
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/prove"
)

// proverBytes is the memory for positions that were visited, enough for proofs that people wait for.
const proverBytes = 256 << 20

type proveCmd struct {
	rulesetFlags `embed:""`
	Plies        int      `type:"whole" from:"1" to:"250" default:"15" placeholder:"N" help:"Look for wins of either side within N plies, up to 250 (${default})."`
	Nodes        uint64   `type:"whole" default:"20000000" placeholder:"N" help:"Visit at most N positions for that; 0 for no limit (${default})."`
	Closed       int      `type:"whole" default:"100000" placeholder:"N" help:"Then look for proof that a side can hold out for ever among at most N positions; 0 not to (${default})."`
	Moves        bool     `help:"Prove what each legal move is worth, each within those limits."`
	Game         []string `arg:"" optional:"" sep:"none" help:"A position, and moves from there; else it is the start position."`
}

var provePage = page{usage: "prove [POSITION] [MOVE...] [flags]", about: `
Reads all lines of the game to their ends, by the engine in this program and
without any estimate; no server is asked. The answer is "win in 7" for the side
to move, "loss in 4" or "draw" if that is proven, "win" or "loss" if it takes
longer than was looked for, "no loss" or "no win" if that much is, and
otherwise "unknown beyond" so many plies. A finished game is a "draw" or a
"loss in 0", and standard error says why; it has no moves.
`, more: `
Examples:
  emergo prove "a@1A@1A@2/7/2a@4/3aa3/2ab4/7/2AC3ab b 31 0,0"
  emergo prove --moves --plies 7 "7/7/2aa4/7/4ab1AB/1a@5/4ac1AB w 52 0,0"
`}

// Run proves what a game is worth.
func (c *proveCmd) Run(s *session) error {
	rules := emergo.Rules{BlockedLoses: c.Blocked.loses(), NoProgressLimit: int(c.NoProgressLimit)}
	g, err := c.local(splitWords(c.Game), rules)
	if err != nil {
		return err
	}
	p := prove.New(proverBytes)
	limits := prove.Limits{Plies: c.Plies, Nodes: c.Nodes, Closed: c.Closed}
	if g.Outcome().Over() {
		say(s.err, "The game is over. "+outcome(stateOf(g)))
	}
	start := time.Now()
	if c.Moves {
		for m, f := range p.ProveMoves(s.ctx, g, limits) {
			if _, err := fmt.Fprintln(s.out, m, f); err != nil {
				return err
			}
		}
	} else if _, err := fmt.Fprintln(s.out, p.Prove(s.ctx, g, limits)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "total %d nodes, %.3f s\n", p.Nodes(), time.Since(start).Seconds())
	return err
}
