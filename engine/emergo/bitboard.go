package emergo

import "math/bits"

// A Bitboard is a set of squares: bit s is set if square s is in it.
type Bitboard uint64

// Has reports whether s is in the set.
func (b Bitboard) Has(s Square) bool { return b>>(s%squareLimit)&1 != 0 }

// Count returns the number of squares in the set.
func (b Bitboard) Count() int { return bits.OnesCount64(uint64(b)) }

// First returns the square whose name is first in byte order. The set must not be empty.
func (b Bitboard) First() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// Rest returns the set without its first square.
func (b Bitboard) Rest() Bitboard { return b & (b - 1) }

// Squares returns the squares of the set in the byte order of their names.
func (b Bitboard) Squares() []Square {
	squares := make([]Square, 0, b.Count())
	for rest := b; rest != 0; rest = rest.Rest() {
		squares = append(squares, rest.First())
	}
	return squares
}

// Adjacent returns the squares diagonally next to any of the set. It may hold bits that are no
// squares, so intersect it with squares of the board.
func (b Bitboard) Adjacent() Bitboard {
	return b<<shortStep | b>>shortStep | b<<longStep | b>>longStep
}

// StepsInto returns in how many ways a piece on a square of b can go to a diagonally adjacent square
// of vacant.
func (b Bitboard) StepsInto(vacant Bitboard) int {
	return (b << shortStep & vacant).Count() + (b >> shortStep & vacant).Count() +
		(b << longStep & vacant).Count() + (b >> longStep & vacant).Count()
}
