package search

import (
	"math"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// Vector returns the weights of board b in the order of their traits: of each the weight in every
// stage.
func (w *Weights) Vector(b emergo.Board) []float64 {
	var v []float64
	for _, n := range w.all(b) {
		for _, x := range n.weight.in() {
			v = append(v, float64(x))
		}
	}
	return v
}

// FromVector returns the weights that Vector would write as v, rounded, and bounded by MaxWeight.
func FromVector(b emergo.Board, v []float64) *Weights {
	w := new(Weights)
	for i, n := range w.all(b) {
		var in [Stages]int
		for j := range in {
			in[j] = int(math.Round(max(min(v[Stages*i+j], MaxWeight), -MaxWeight)))
		}
		*n.weight = newWeight(in)
	}
	return w.combine()
}

// Neighbours lists pairs of weights, as indices of traits, that should not differ much: of what
// differs by a man, a prisoner or a move.
func Neighbours(b emergo.Board) (pairs [][2]int) {
	index, men := traitIndex[b], b.Men()
	row := func(weights []Weight) {
		for i := 1; i < len(weights); i++ {
			pairs = append(pairs, [2]int{index[&weights[i-1]], index[&weights[i]]})
		}
	}
	pair := func(x, y *Weight) { pairs = append(pairs, [2]int{index[x], index[y]}) }
	for c := 1; c <= men; c++ {
		row(named.Stack[c][:men+1])
		for n := 0; n <= men && c < men; n++ {
			pair(&named.Stack[c][n], &named.Stack[c+1][n])
		}
	}
	for kind := 2; kind < placeKinds; kind++ {
		for place := range placeNames[b] {
			pair(&named.Place[kind-2][place], &named.Place[kind][place])
		}
	}
	for c := range named.Contact {
		row(named.Contact[c][:])
	}
	for c := range named.Threatened {
		row(named.Threatened[c][:])
	}
	for side := range named.SafeSteps {
		row(named.SafeSteps[side][:])
	}
	row(named.Hand[12-men : 13+men])
	row(named.Shadow[1 : men+1])
	return pairs
}

// A PlaceGroup is a set of weights that every piece of some kind has exactly one of, its square, next
// to its own: a number can be moved from one to the other without changing any evaluation.
type PlaceGroup struct{ Places, Stacks []int } // indices of traits

// PlaceGroups lists the groups, one for each kind of piece.
func PlaceGroups(b emergo.Board) (groups [placeKinds]PlaceGroup) {
	index, men := traitIndex[b], b.Men()
	for i := range groups {
		for place := range placeNames[b] {
			groups[i].Places = append(groups[i].Places, index[&named.Place[i][place]])
		}
	}
	for c := 1; c <= men; c++ {
		for n := 0; n <= men; n++ {
			g := &groups[placeKind(c, n)]
			g.Stacks = append(g.Stacks, index[&named.Stack[c][n]])
		}
	}
	return groups
}

// FreeMen returns how many free men, which are those in caps on the board, each trait stands for: none
// but for pieces.
func FreeMen(b emergo.Board) []int {
	index, men := traitIndex[b], b.Men()
	free := make([]int, len(index))
	for c := 1; c <= men; c++ {
		for n := 0; n <= men; n++ {
			free[index[&named.Stack[c][n]]] = c
		}
	}
	return free
}
