package prove

import (
	"slices"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// An attack is the question whether one side can force a win.
type attack struct {
	*Prover
	attacker emergo.Color
	rules    emergo.Rules
	root     emergo.Position
	since    int // plies without an irreversible move before root
	salt     uint64
	drawn    []emergo.Position // those that have occurred twice, root aside
}

func (p *Prover) attack(g *emergo.Game, attacker emergo.Color) *attack {
	a := &attack{Prover: p, attacker: attacker, rules: g.Rules(), root: *g.Position(), since: len(g.Moves())}
	a.drawn = occurredTwice(g)
	a.salt = mix(uint64(attacker)<<1 | bit(a.rules.BlockedLoses))
	if len(a.drawn) > 0 || a.rules.NoProgressLimit > 0 {
		// Facts hold for this question alone.
		p.questions++
		a.salt = mix(a.salt + p.questions)
	}
	return a
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// occurredTwice returns the positions other than the current one that have occurred twice since the
// last irreversible move.
func occurredTwice(g *emergo.Game) (twice []emergo.Position) {
	var seen []emergo.Position
	at := *g.Anchor()
	for _, m := range g.Moves() {
		if slices.ContainsFunc(seen, func(q emergo.Position) bool { return q.Repeats(&at) }) && !at.Repeats(g.Position()) {
			twice = append(twice, at)
		}
		seen = append(seen, at)
		at = at.Play(m)
	}
	return twice
}

// from reports whether the attacker wins within n plies, a number that fits. If the prover was stopped,
// false means nothing; true is true all the same.
func (a *attack) from(n int) bool {
	if a.root.Turn() == a.attacker {
		return a.wins(&a.root, n, a.since)
	}
	return a.loses(&a.root, n, a.since)
}

// fits reports whether n is a number of plies that a win may take: it comes with the winner's own move.
func (a *attack) fits(n int) bool { return n%2 == 1 == (a.root.Turn() == a.attacker) }

// wins reports whether the attacker, who is to move in p, wins within n plies, an odd number. since is
// the number of plies before p without an irreversible move.
func (a *attack) wins(p *emergo.Position, n, since int) bool {
	if n < a.fewest(p) || !a.visit() || n == 1 && !a.winsNext(p) {
		return false
	}
	if a.isDrawn(p) || a.unprogressing(since) {
		return false
	}
	return a.decide(p, n, since, true, a.loses)
}

// winsNext reports whether a move of the attacker's from p might win there and then: a capture, a move
// that blocks, or any if the defender already has nothing, which is so in study positions only.
func (a *attack) winsNext(p *emergo.Position) bool {
	defender := a.attacker.Other()
	return a.rules.BlockedLoses || p.CanCapture(a.attacker) || p.Owned(defender) == 0 && p.InHand(defender) == 0
}

// loses reports whether the defender, who is to move in p, loses within n plies, an even number.
func (a *attack) loses(p *emergo.Position, n, since int) bool {
	defender := p.Turn()
	switch {
	case p.Owned(defender) == 0 && p.InHand(defender) == 0:
		return true
	case n < a.fewest(p) || !a.visit():
		return false
	case a.rules.BlockedLoses && !p.HasMoves():
		return true
	case n == 0 || a.isDrawn(p) || a.unprogressing(since):
		return false
	case !a.rules.BlockedLoses && !p.HasMoves():
		return false
	}
	return !a.decide(p, n, since, false, a.evades)
}

// evades reports whether the attacker, who is to move in p, does not win within n plies.
func (a *attack) evades(p *emergo.Position, n, since int) bool { return !a.wins(p, n, since) }

// decide reports whether a move from p leads to a position that is good for the side to move, and
// remembers what that says of the attacker's win.
func (a *attack) decide(p *emergo.Position, n, since int, attacks bool, good func(p *emergo.Position, n, since int) bool) bool {
	key, start := a.key(p, since), a.nodes
	var known fact
	if n > 1 { // the last ply is cheaper to read again than to remember
		known = a.memory.find(key)
	}
	switch {
	case known.won > 0 && n >= int(known.won):
		return attacks
	case n <= int(known.refuted):
		return !attacks
	}
	l := &a.levels[n]
	l.spread(p, n, known.move)
	found := false
	for i := 0; i < len(l.moves) && !found && !a.stopped; i++ {
		number := l.pick(i)
		next := &l.positions[number]
		if found = good(next, n-1, a.sinceAfter(p, l.moves[number], next, since)); found {
			known.move = uint8(number + 1)
		}
	}
	if a.stopped || n == 1 {
		return found
	}
	if found == attacks {
		known.won = uint8(n)
	} else {
		known.refuted = uint8(n)
	}
	known.work = uint32(min(a.nodes-start, 1<<32-1))
	a.memory.store(known)
	return found
}

func (a *attack) isDrawn(p *emergo.Position) bool {
	return slices.ContainsFunc(a.drawn, func(q emergo.Position) bool { return q.Repeats(p) })
}

// unprogressing reports whether a game is drawn after so many plies without an irreversible move.
func (a *attack) unprogressing(since int) bool {
	return a.rules.NoProgressLimit > 0 && since >= a.rules.NoProgressLimit
}

func (a *attack) sinceAfter(p *emergo.Position, m emergo.Move, next *emergo.Position, since int) int {
	if m.Kind() == emergo.Entry || m.Kind() == emergo.Capture && pieces(next) < pieces(p) {
		return 0
	}
	return since + 1
}

func pieces(p *emergo.Position) int { return (p.Owned(emergo.White) | p.Owned(emergo.Black)).Count() }

func (a *attack) key(p *emergo.Position, since int) uint64 {
	key := p.Key() ^ a.salt
	if a.rules.NoProgressLimit > 0 {
		key ^= mix(uint64(since))
	}
	return key
}
