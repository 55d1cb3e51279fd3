package match

import (
	"context"
	"math/rand/v2"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// mostPlies bounds the depth of alphabeta.
const mostPlies = 20

// An alphaBeta looks a fixed number of plies ahead, neither more nor less, and counts free men there
// (Knuth and Moore, An Analysis of Alpha-Beta Pruning, 1975). Among equals it plays any.
type alphaBeta struct {
	depth   int
	rules   emergo.Rules
	chance  *rand.Rand
	moves   [mostPlies + 1][]emergo.Move // by plies to go
	nodes   uint64
	stopped bool
}

func parseGreedy(text string) (Spec, error) {
	return specOfAlphaBeta(1), readOptions(text).finish()
}

func parseAlphaBeta(text string) (Spec, error) {
	o := readOptions(text)
	depth := o.number("", 4, 1, mostPlies)
	return specOfAlphaBeta(depth), o.finish()
}

func specOfAlphaBeta(depth int) Spec {
	return Spec{make: func() (Player, error) { return &alphaBeta{depth: depth}, nil }}
}

func (a *alphaBeta) Begin(_ context.Context, g *emergo.Game, seed uint64) error {
	a.rules, a.chance = g.Rules(), newChance(seed)
	return nil
}

func (a *alphaBeta) Choose(ctx context.Context, g *emergo.Game) (Choice, error) {
	a.nodes, a.stopped = 1, false
	p := g.Position()
	moves := g.AppendMoves(a.moves[a.depth][:0])
	a.moves[a.depth] = moves
	a.chance.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	best, choice := 2*lost, moves[0]
	for _, m := range moves {
		next := p.Play(m)
		if value := -a.value(ctx, &next, a.depth-1, 2*lost, -best); value > best {
			best, choice = value, m
		}
	}
	c := Choice{Move: choice, Nodes: a.nodes}
	if best > lost && best < -lost {
		c.Score, c.Scored = search.Score(100*best), true
	}
	return c, ctx.Err()
}

func (a *alphaBeta) value(ctx context.Context, p *emergo.Position, depth, alpha, beta int) int {
	a.nodes++
	if o := p.Outcome(a.rules); o.Over() {
		return ending(p, o, depth)
	}
	if depth == 0 {
		return material(p)
	}
	if a.nodes%4096 == 0 && ctx.Err() != nil {
		a.stopped = true
	}
	if a.stopped {
		return 0
	}
	a.moves[depth] = p.AppendMoves(a.moves[depth][:0])
	for _, m := range a.moves[depth] {
		next := p.Play(m)
		if alpha = max(alpha, -a.value(ctx, &next, depth-1, -beta, -alpha)); alpha >= beta {
			break
		}
	}
	return alpha
}

func (*alphaBeta) Close() error { return nil }
