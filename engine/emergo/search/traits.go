package search

import "github.com/luctor-et-emergo/emergod/engine/emergo"

// A Trait is something in a position that has a weight.
type Trait struct {
	Index int // in the order of a file of weights
	Count int // how often the side to move has it, less how often the other has
}

// Traits lists what the evaluation sees in p, which it adds up by weight: it is for fitting the
// weights, so it is plain rather than fast.
func Traits(p *emergo.Position) []Trait {
	index := traitIndex[p.Board()]
	counts := map[int]int{}
	count := func(w *Weight, n int) { counts[index[w]] += n }
	names := &named

	c := p.Turn()
	for waits, color := range []emergo.Color{c, c.Other()} {
		sign := 1 - 2*waits
		own, enemy := p.Owned(color), p.Owned(color.Other())
		safe := p.Vacant() &^ p.Feeding(color)
		open := 0
		for _, s := range own.Squares() {
			piece, _ := p.PieceAt(s)
			near := emergo.Bitboard(0)
			for _, n := range s.Neighbours() {
				near |= 1 << n
			}
			count(&names.Stack[piece.Cap][piece.Prisoners], sign)
			count(&names.Place[placeKind(piece.Cap, piece.Prisoners)][placeOf[p.Board()][s]], sign)
			vacant := (near & p.Vacant()).Count()
			count(&names.Mobility[min(piece.Cap-1, 1)], sign*vacant)
			for _, n := range s.Neighbours() {
				switch {
				case own.Has(n) && n > s:
					count(&names.Chain, sign)
				case safe.Has(n):
					open++
				}
			}
			if vacant == 0 {
				count(&names.ShutIn, sign)
			}
			if near&enemy != 0 {
				count(names.contact(piece.Cap, piece.Prisoners), sign)
			}
			if color == c && p.Jumpable(c).Has(s) {
				count(names.threatened(piece.Cap, piece.Prisoners), 1)
			}
		}
		count(&names.Safe, sign*open)
		if p.InHand(color) == 0 {
			count(&names.SafeSteps[waits][min(open, safeSteps-1)], sign)
		}
	}
	hand, other := p.InHand(c), p.InHand(c.Other())
	count(&names.Hand[hand-other+12], 1)
	if other == 0 && hand > 0 {
		count(&names.Shadow[hand], 1)
	}
	if hand == 0 && other > 0 {
		count(&names.Shadow[other], -1)
	}
	count(&names.Move, 1)

	var traits []Trait
	for i := range len(index) {
		if counts[i] != 0 {
			traits = append(traits, Trait{i, counts[i]})
		}
	}
	return traits
}

// named stands for all weights where only their names matter.
var named Weights

// traitIndex holds the place of each weight in the order of a file, by board.
var traitIndex = func() (index [2]map[*Weight]int) {
	for b := range index {
		index[b] = map[*Weight]int{}
		for i, w := range named.all(emergo.Board(b)) {
			index[b][w.weight] = i
		}
	}
	return index
}()
