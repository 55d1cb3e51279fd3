package emergo

// A Setup says what a position consists of, for those who make positions from parts instead of
// reading strings.
type Setup struct {
	Board  Board
	Turn   Color
	Ply    int    // from 0 to MaxPly
	InHand [2]int // men by colour
	Pieces []PlacedPiece
}

// A PlacedPiece is a piece and the square that it stands on.
type PlacedPiece struct {
	Square Square
	Piece  Piece
}

// Position returns the position that the setup describes. It accepts what ParsePosition accepts:
// fewer men than the board has, but not more. Any error is a *PositionError. It does not allocate.
func (s *Setup) Position() (Position, error) {
	if s.Board > Board7x7 {
		return Position{}, impossible("board", "there is no board %d; there are 9x9 (%d) and 7x7 (%d)", s.Board, Board9x9, Board7x7)
	}
	if s.Turn > Black {
		return Position{}, impossible("side to move", "there is no color %d; White is %d, Black is %d", s.Turn, White, Black)
	}
	if s.Ply < 0 || s.Ply > MaxPly {
		return Position{}, impossible("ply", "it is %d; it must be from 0 to %d", s.Ply, MaxPly)
	}
	p := Position{board: s.Board, turn: s.Turn, ply: int32(s.Ply)}
	for c, n := range s.InHand {
		if n < 0 || n > s.Board.Men() {
			return Position{}, impossible("men in hand", "%s holds %d; it can hold from 0 to %d", Color(c), n, s.Board.Men())
		}
		p.hand[c] = uint8(n)
	}
	for i := range s.Pieces {
		if err := p.place(&s.Pieces[i]); err != nil {
			return Position{}, err
		}
	}
	if err := p.checkMen(); err != nil {
		return Position{}, err
	}
	p.key = p.computeKey()
	return p, nil
}

func (p *Position) place(placed *PlacedPiece) error {
	at, piece, most := placed.Square, placed.Piece, p.board.Men()
	switch {
	case at >= squareLimit || !p.board.Has(at):
		return impossible("pieces", "square %d is not on the %s board", at, p.board)
	case p.stacks[at] != 0:
		return impossible(at.String(), "two pieces stand on it; one can")
	case piece.Owner > Black:
		return impossible(at.String(), "there is no color %d; White is %d, Black is %d", piece.Owner, White, Black)
	case piece.Cap < 1 || piece.Cap > most:
		return impossible(at.String(), "the cap has %d men; it can have from 1 to %d", piece.Cap, most)
	case piece.Prisoners < 0 || piece.Prisoners > most:
		return impossible(at.String(), "there are %d prisoners; there can be from 0 to %d", piece.Prisoners, most)
	}
	p.stacks[at] = newStack(piece.Cap, piece.Prisoners)
	p.owned[piece.Owner] |= at.bit()
	return nil
}

// checkMen returns an error if a side has more men than there are.
func (p *Position) checkMen() error {
	men := [2]int{int(p.hand[White]), int(p.hand[Black])}
	for _, c := range [...]Color{White, Black} {
		for rest := p.owned[c]; rest != 0; rest = rest.Rest() {
			st := p.stacks[rest.First()%squareLimit]
			men[c] += st.Cap()
			men[c.Other()] += st.Prisoners()
		}
	}
	for c, n := range men {
		if n > p.board.Men() {
			return impossible("men", "%s has %d on the board, as prisoners and in hand together; the %s board has %d a side",
				Color(c), n, p.board, p.board.Men())
		}
	}
	return nil
}
