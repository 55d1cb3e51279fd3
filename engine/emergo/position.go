package emergo

// A Piece is one or more stacked men on a square. It never has more than two runs, so owner, cap
// and prisoners describe it completely.
type Piece struct {
	Owner     Color
	Cap       int // men of the owner's colour on top, 1 to 12
	Prisoners int // men of the other colour below them, 0 to 12
}

// A Stack is a piece's cap and prisoners, four bits each, the cap in the higher ones. Zero is no
// piece.
type Stack uint8

const oneCap Stack = 1 << 4

func newStack(men, prisoners int) Stack { return Stack(men)<<4 | Stack(prisoners) }

// Cap returns the number of men in the cap, 1 to 12.
func (s Stack) Cap() int { return int(s >> 4) }

// Prisoners returns the number of prisoners, 0 to 12.
func (s Stack) Prisoners() int { return int(s & 15) }

// A Position is a state of the game without its history: the pieces, the men in hand, the side to
// move and the ply. It is a small value (96 bytes) without pointers: copy it freely, compare it
// with ==, share it between goroutines.
//
// Every Position made by StartPosition, ParsePosition, Setup.Position or Play is valid: no side has
// more men than the board allows, every piece stands on a playable square. The zero Position is not
// one of them.
type Position struct {
	owned  [2]Bitboard // by colour
	key    uint64
	ply    int32
	hand   [2]uint8 // by colour
	turn   Color
	board  Board
	stacks [squareLimit]Stack // zero where no piece stands
}

// MaxPly is the largest ply a position can have. Play stays there once it is reached, so that every
// position that can be reached can also be read.
const MaxPly = 1<<31 - 1

// StartPosition returns the empty board with all men in hand and White to move.
func StartPosition(b Board) Position {
	men := uint8(b.Men())
	p := Position{board: b, hand: [2]uint8{men, men}}
	p.key = p.computeKey()
	return p
}

// Board returns the board the position is on.
func (p *Position) Board() Board { return p.board }

// Turn returns the side to move.
func (p *Position) Turn() Color { return p.turn }

// Ply returns the number of half-moves played, from 0 to MaxPly. It is for information: no rule
// depends on it.
func (p *Position) Ply() int { return int(p.ply) }

// InHand returns the number of men of a side that have not been entered.
func (p *Position) InHand(c Color) int { return int(p.hand[c]) }

// Key returns the Zobrist key of board, men in hand and side to move. It is kept up to date by
// Play, so it costs nothing. Equal positions have equal keys; two different ones may share a key,
// so Repeats decides where it matters.
func (p *Position) Key() uint64 { return p.key }

// Repeats reports whether p and q are the same position in the sense of the repetition rule: same
// board, men in hand and side to move, whatever the ply.
func (p *Position) Repeats(q *Position) bool {
	return p.key == q.key && p.owned == q.owned && p.hand == q.hand &&
		p.turn == q.turn && p.board == q.board && p.stacks == q.stacks
}

// PieceAt returns the piece on s, or ok = false if the square is vacant.
func (p *Position) PieceAt(s Square) (piece Piece, ok bool) {
	st := p.stacks[s%squareLimit]
	if st == 0 {
		return Piece{}, false
	}
	piece = Piece{Cap: st.Cap(), Prisoners: st.Prisoners()}
	if p.owned[Black].Has(s) {
		piece.Owner = Black
	}
	return piece, true
}

// Pieces calls yield for each piece in the order of the squares' names. It is an iterator, for use
// with range.
func (p *Position) Pieces(yield func(Square, Piece) bool) {
	for rest := p.owned[White] | p.owned[Black]; rest != 0; rest = rest.Rest() {
		s := rest.First()
		piece, _ := p.PieceAt(s)
		if !yield(s, piece) {
			return
		}
	}
}

// PieceCount returns the number of pieces that a side owns.
func (p *Position) PieceCount(c Color) int { return p.owned[c].Count() }

// Owned returns the squares of the pieces that a side owns.
func (p *Position) Owned(c Color) Bitboard { return p.owned[c&1] }

// StackAt returns the piece on s without its owner, 0 if the square is vacant.
func (p *Position) StackAt(s Square) Stack { return p.stacks[s%squareLimit] }

// Vacant returns the playable squares on which no piece stands.
func (p *Position) Vacant() Bitboard {
	return geometries[p.board].squares &^ (p.owned[White] | p.owned[Black])
}
