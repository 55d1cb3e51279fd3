package emergo

// Color is a side: White, who begins, or Black.
type Color uint8

// The two sides.
const (
	White Color = iota
	Black
)

// Other returns the opponent of c.
func (c Color) Other() Color { return c ^ 1 }

// String returns "White" or "Black".
func (c Color) String() string {
	if c == White {
		return "White"
	}
	return "Black"
}

// Board is the kind of board a game is played on. It is data: no code path differs between the
// boards.
type Board uint8

// The two boards.
const (
	Board9x9 Board = iota // the standard board: 41 squares, 12 men a side
	Board7x7              // the beginners' board: 25 squares, 8 men a side
)

// geometry is what tells one board from another.
type geometry struct {
	ranks   int // and as many files
	men     int // men a side
	squares Bitboard
	centre  Square
}

var geometries = [...]geometry{
	Board9x9: makeGeometry(9, 12),
	Board7x7: makeGeometry(7, 8),
}

func makeGeometry(ranks, men int) geometry {
	g := geometry{ranks: ranks, men: men, centre: squareAt((ranks-1)/2, (ranks-1)/2)}
	for file := range ranks {
		for rank := range ranks {
			if playable(file, rank) {
				g.squares |= squareAt(file, rank).bit()
			}
		}
	}
	return g
}

// Ranks returns the number of ranks, which is also the number of files: 9 or 7.
func (b Board) Ranks() int { return geometries[b].ranks }

// Men returns the number of men a side has: 12 or 8.
func (b Board) Men() int { return geometries[b].men }

// Centre returns the square on which White's first entry is forbidden: e5 or d4.
func (b Board) Centre() Square { return geometries[b].centre }

// Has reports whether s is a square of the board.
func (b Board) Has(s Square) bool { return geometries[b].squares.Has(s) }

// Squares returns the playable squares in the order of their names (41 or 25).
func (b Board) Squares() []Square {
	return geometries[b].squares.Squares()
}

// String returns "9x9" or "7x7".
func (b Board) String() string {
	if b == Board9x9 {
		return "9x9"
	}
	return "7x7"
}

// A Square is a playable square: one whose file number + rank number is even. Squares compare in
// the byte order of their names. The zero Square is no square; ParseSquare makes one from a name.
//
// The number is the square's bit in a Bitboard. Files are laid out one after the other, five
// squares for a, c, e, g, i and four for b, d, f, h, each followed by one bit of padding. Then a
// diagonal neighbour is always 5 or 6 bits away, and a shift off the board ends on padding. The
// first square is bit 7, so that even the square beyond a neighbour off the board has a bit:
//
//	    a  b  c  d  e  f  g  h  i
//	9  11    22    33    44    55
//	8     16    27    38    49
//	7  10    21    32    43    54
//	6     15    26    37    48
//	5   9    20    31    42    53
//	4     14    25    36    47
//	3   8    19    30    41    52
//	2     13    24    35    46
//	1   7    18    29    40    51
type Square uint8

const (
	firstSquare = 7
	squareLimit = 64 // squares index arrays of this length without a bounds check

	// Distances between diagonal neighbours.
	shortStep = 5 // one file right, one rank down
	longStep  = 6 // one file right, one rank up
)

// A direction is one of the four diagonals, numbered in the byte order of the squares they lead to.
type direction uint8

// deltas holds what each direction adds to a square.
var deltas = [4]Square{
	0: delta(-longStep),  // down left
	1: delta(-shortStep), // up left
	2: shortStep,         // down right
	3: longStep,          // up right
}

func delta(d int) Square { return Square(d & 0xff) }

// directionOf returns the direction that leads from a square to its neighbour.
func directionOf(from, to Square) direction {
	return directionByDelta[(to-from+longStep)&15]
}

var directionByDelta = [16]direction{0: 0, longStep - shortStep: 1, longStep + shortStep: 2, 2 * longStep: 3}

// playable reports whether the square at a file and rank, counted from 0, is one that is played on.
func playable(file, rank int) bool { return (file+rank)%2 == 0 }

// squareAt returns the square at a playable file and rank, counted from 0.
func squareAt(file, rank int) Square {
	// Two files, one of five squares and one of four, take 11 bits.
	return Square(firstSquare + file/2*11 + file%2*6 + rank/2)
}

var squareFileRank = func() (table [squareLimit][2]int8) {
	for file := range 9 {
		for rank := range 9 {
			if playable(file, rank) {
				table[squareAt(file, rank)] = [2]int8{int8(file), int8(rank)}
			}
		}
	}
	return table
}()

// File returns the file of s, counted from 0 (file a).
func (s Square) File() int { return int(squareFileRank[s%squareLimit][0]) }

// Rank returns the rank of s, counted from 0 (rank 1).
func (s Square) Rank() int { return int(squareFileRank[s%squareLimit][1]) }

var squareNames = func() (names [squareLimit]string) {
	for _, s := range Board9x9.Squares() {
		names[s] = string([]byte{'a' + byte(s.File()), '1' + byte(s.Rank())})
	}
	return names
}()

// String returns the name of s, such as "c3".
func (s Square) String() string { return squareNames[s%squareLimit] }

// Neighbours returns the squares diagonally adjacent to s on the 9x9 board, in the order of their
// names.
func (s Square) Neighbours() []Square { return neighbours[s%squareLimit].Squares() }

func (s Square) bit() Bitboard { return 1 << (s % squareLimit) }

// beyond returns the square straight behind over, seen from s. It may be padding.
func (s Square) beyond(over Square) Square { return 2*over - s }

// neighbours holds, for each square, the squares diagonally adjacent to it on the larger board;
// whoever uses it intersects with squares of their board.
var neighbours = func() (table [squareLimit]Bitboard) {
	all := geometries[Board9x9].squares
	for _, s := range Board9x9.Squares() {
		b := s.bit()
		table[s] = (b<<shortStep | b>>shortStep | b<<longStep | b>>longStep) & all
	}
	return table
}()
