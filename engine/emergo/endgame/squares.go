package endgame

import (
	"iter"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// squareRanks holds what a square adds to the rank of a set in which it is the first, second and so
// on: binomial coefficients of its number among the squares of the board, counted from 0.
var squareRanks = func() (table [2][mostPieces + 1][64]uint32) {
	for _, b := range boards {
		for i, s := range b.Squares() {
			for k := range mostPieces {
				table[b][k+1][s] = choose[i][k+1]
			}
		}
	}
	return table
}()

// rankSet returns the rank of a set of squares among those of its size.
func rankSet(b emergo.Board, set emergo.Bitboard) (r uint32) {
	ranks := &squareRanks[b&1]
	for k := 1; set != 0 && k < len(ranks); k++ {
		r += ranks[k][set.First()&63]
		set = set.Rest()
	}
	return r
}

// squareSets yields all sets of a number of squares of a board, by rank.
func squareSets(b emergo.Board, size int) iter.Seq[emergo.Bitboard] {
	squares := b.Squares()
	return func(yield func(emergo.Bitboard) bool) {
		// In the order of their ranks, sets are ordered by their highest square first.
		var add func(set emergo.Bitboard, size, below int) bool
		add = func(set emergo.Bitboard, size, below int) bool {
			if size == 0 {
				return yield(set)
			}
			for i := size - 1; i < below; i++ {
				if !add(set|setOf(squares[i:i+1]), size-1, i) {
					return false
				}
			}
			return true
		}
		add(0, size, len(squares))
	}
}

func setOf(squares []emergo.Square) (set emergo.Bitboard) {
	for _, s := range squares {
		set |= 1 << s
	}
	return set
}

// imageOf returns the square that one of the eight symmetries of the board turns s into.
func imageOf(b emergo.Board, s emergo.Square, symmetry int) emergo.Square {
	last := b.Ranks() - 1
	file, rank := s.File(), s.Rank()
	if symmetry&1 != 0 {
		file = last - file
	}
	if symmetry&2 != 0 {
		rank = last - rank
	}
	if symmetry&4 != 0 {
		file, rank = rank, file
	}
	return squareAt[file][rank]
}

var squareAt = func() (table [9][9]emergo.Square) {
	for _, s := range emergo.Board9x9.Squares() {
		table[s.File()][s.Rank()] = s
	}
	return table
}()
