package prove

import (
	"context"
	"iter"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// MaxPlies is the largest number of plies within which a win is looked for.
const MaxPlies = 250

// Limits bound a proof. The first one reached ends it.
type Limits struct {
	// Plies within which a win is looked for, at most MaxPlies.
	Plies int
	// Nodes is the number of positions visited while looking for wins; 0 is no limit.
	Nodes uint64
	// Closed is the number of positions a closed set may take, some 250 bytes each. With 0 none is
	// looked for, so that no draw is found.
	Closed int
}

// A Prover proves, one game at a time. It owns memory, which later proofs use again. It is not safe for
// concurrent use.
type Prover struct {
	memory    memory
	questions uint64
	ctx       context.Context
	nodes     uint64 // of all questions
	most      uint64 // number of nodes at which to stop
	stopped   bool
	levels    [MaxPlies + 1]level // by plies left
}

// New returns a Prover that remembers positions in a number of bytes.
func New(bytes int) *Prover { return &Prover{memory: newMemory(bytes)} }

// Nodes returns the number of positions visited so far.
func (p *Prover) Nodes() uint64 { return p.nodes }

func (p *Prover) limit(ctx context.Context, nodes uint64) {
	p.ctx, p.stopped = ctx, false
	p.most = p.nodes + nodes
	if nodes == 0 {
		p.most = 1<<64 - 1
	}
}

// visit counts a position and reports whether there is leave to go on.
func (p *Prover) visit() bool {
	p.nodes++
	if p.nodes >= p.most || p.nodes&4095 == 0 && p.ctx.Err() != nil {
		p.stopped = true
	}
	return !p.stopped
}

// WinsWithin says whether the side to move can force a win within a number of plies, visiting at most
// so many nodes (0: no limit).
func (p *Prover) WinsWithin(ctx context.Context, g *emergo.Game, plies int, nodes uint64) Verdict {
	p.limit(ctx, nodes)
	return p.within(g, g.Position().Turn(), plies)
}

// LosesWithin says whether the opponent of the side to move can force a win within a number of plies,
// visiting at most so many nodes (0: no limit).
func (p *Prover) LosesWithin(ctx context.Context, g *emergo.Game, plies int, nodes uint64) Verdict {
	p.limit(ctx, nodes)
	return p.within(g, g.Position().Turn().Other(), plies)
}

// within says whether the attacker wins within a number of plies, trying fewer first.
func (p *Prover) within(g *emergo.Game, attacker emergo.Color, plies int) Verdict {
	if g.Outcome().Over() {
		return verdict(over(attacker, g.Outcome()).Least == Win)
	}
	a := p.attack(g, attacker)
	for n := 1; n <= min(plies, MaxPlies); n++ {
		if !a.fits(n) {
			continue
		}
		switch won := a.from(n); {
		case won:
			return Proven
		case p.stopped:
			return Unknown
		}
	}
	return Refuted
}

func verdict(yes bool) Verdict {
	if yes {
		return Proven
	}
	return Refuted
}

// Prove finds out what g is worth to the side to move, as far as the limits allow: first whether either
// side wins within the plies, the fewer the better, then whether both sides can hold out.
func (p *Prover) Prove(ctx context.Context, g *emergo.Game, l Limits) Finding {
	p.limit(ctx, l.Nodes)
	turn := g.Position().Turn()
	if o := g.Outcome(); o.Over() {
		return over(turn, o)
	}
	f := Finding{Least: Loss, Most: Win}
	own, other := p.attack(g, turn), p.attack(g, turn.Other())
	for n := 1; n <= min(l.Plies, MaxPlies); n++ {
		a, v := own, Win
		if !a.fits(n) {
			a, v = other, Loss
		}
		won := a.from(n)
		switch {
		case won:
			return Finding{Least: v, Most: v, Plies: n, Searched: n - 1}
		case p.stopped:
			return f
		}
		f.Searched = n
	}
	if l.Closed == 0 {
		return f
	}
	// The searches inside closed sets are short, and bounded by the sets.
	p.limit(ctx, 0)
	switch p.holds(g, turn, l.Closed) {
	case Proven:
		f.Least = Draw
	case Refuted:
		f.Most = Loss
		return f
	}
	switch p.holds(g, turn.Other(), l.Closed) {
	case Proven:
		f.Most = Draw
	case Refuted:
		f.Least = Win
	}
	return f
}

// Holds says whether a side can avoid losing for ever, by a closed set of at most so many positions.
func (p *Prover) Holds(ctx context.Context, g *emergo.Game, side emergo.Color, closed int) Verdict {
	p.limit(ctx, 0)
	return p.holds(g, side, closed)
}

// ProveMoves finds out what each legal move of g is worth to the side to move, each within limits l. It
// yields them in canonical order, each as soon as it is done.
func (p *Prover) ProveMoves(ctx context.Context, g *emergo.Game, l Limits) iter.Seq2[emergo.Move, Finding] {
	l.Plies--
	return func(yield func(emergo.Move, Finding) bool) {
		for _, m := range g.AppendMoves(nil) {
			next := after(g, m)
			if !yield(m, p.Prove(ctx, next, l).before()) {
				return
			}
		}
	}
}

// after returns the game that g becomes by m.
func after(g *emergo.Game, m emergo.Move) *emergo.Game {
	next := emergo.NewGame(*g.Anchor(), g.Rules())
	for _, played := range g.Moves() {
		next.Play(played)
	}
	next.Play(m)
	return next
}
