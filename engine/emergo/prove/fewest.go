package prove

import "github.com/luctor-et-emergo/emergod/engine/emergo"

// fewest returns a number of plies that the attacker's win takes at least, seen from p.
//
// The defender itself must bring all its men to where they can be captured: a man in hand can be taken
// only after it has been entered, a piece on the edge only after it has moved. And a piece that
// captures stays on squares of one kind and jumps over those of the other, of files and ranks that are
// both odd or both even, so that what one capture is to take must stand on squares of a kind.
func (a *attack) fewest(p *emergo.Position) int {
	if a.rules.BlockedLoses {
		return 0
	}
	defender := a.attacker.Other()
	pieces, s := p.Owned(defender), &sorts[p.Board()]
	edge := (pieces & s.edge).Count()
	odd := (pieces & s.odd).Count()
	even := (pieces &^ s.odd).Count()
	// Men are entered one by one or, once the attacker has none in hand, together.
	own, entries := p.InHand(a.attacker), p.InHand(defender)
	attacking := p.Turn() == a.attacker
	if attacking {
		entries = min(entries, max(own, 1))
	} else {
		entries = min(entries, own+1)
	}
	// What the defender must move until nothing is out of reach, and until one capture can take all.
	all, atOnce := entries+edge, entries+min(odd, even+edge)
	switch {
	case attacking && all <= 1 && atOnce > 1 && !p.CanCapture(a.attacker):
		return 5
	case attacking && all == 0 && atOnce > 0:
		return 3
	case attacking:
		return 2*all + 1
	case atOnce > 1:
		return max(2*all, 4)
	}
	return max(2*all, 2)
}

// sorts holds, by board, the squares on the edge and those of odd files and ranks, to which it belongs.
var sorts = func() (sorts [2]struct{ edge, odd emergo.Bitboard }) {
	for b := range sorts {
		last := emergo.Board(b).Ranks() - 1
		for _, s := range emergo.Board(b).Squares() {
			if s.File()%last == 0 || s.Rank()%last == 0 {
				sorts[b].edge |= 1 << s
			}
			if s.File()%2 == 0 { // File counts from 0
				sorts[b].odd |= 1 << s
			}
		}
	}
	return sorts
}()
