package emergo

import "slices"

// AppendMoves appends all legal moves to dst, in canonical order (byte order of their notation),
// and returns the extended slice. No move means that the position ends the game. It allocates only
// if dst lacks room; the most moves known in any position are 64.
func (p *Position) AppendMoves(dst []Move) []Move {
	own, enemy, vacant := p.owned[p.turn&1], p.owned[p.turn&1^1], p.Vacant()
	if jumpers := ableToJump(own, enemy, vacant); jumpers != 0 {
		return p.appendCaptures(dst, jumpers)
	}
	if men := p.entering(); men > 0 {
		for rest := p.entrySquares(); rest != 0; rest = rest.Rest() {
			dst = append(dst, newEntry(rest.First(), men))
		}
		return dst
	}
	return appendSteps(dst, own, vacant)
}

// appendSteps writes all four steps of each piece, one over the other unless the one before leads to
// a vacant square: to branch on each would be mispredicted too often.
func appendSteps(dst []Move, own, vacant Bitboard) []Move {
	// The neighbours of a square, counted from the lowest.
	const second, third, fourth = longStep - shortStep, longStep + shortStep, 2 * longStep
	n := len(dst)
	for movers := own & vacant.Adjacent(); movers != 0; movers = movers.Rest() {
		if cap(dst)-n < 4 {
			dst = slices.Grow(dst[:n], 64)
		}
		four := (*[4]Move)(dst[n : n+4])
		from := movers.First()
		lowest := from - longStep
		open := vacant >> (lowest % squareLimit)
		m := newStep(from, lowest)
		four[0] = m
		kept := open & 1
		four[kept&3] = m + second
		kept += open >> second & 1
		four[kept&3] = m + third
		kept += open >> third & 1
		four[kept&3] = m + fourth
		kept += open >> fourth & 1
		n += int(kept)
	}
	return dst[:n]
}

// CountMoves returns the number of legal moves, which is cheaper than listing them.
func (p *Position) CountMoves() int {
	own, enemy, vacant := p.owned[p.turn&1], p.owned[p.turn&1^1], p.Vacant()
	if jumpers := ableToJump(own, enemy, vacant); jumpers != 0 {
		return p.countCaptures(jumpers)
	}
	if p.hand[p.turn&1] > 0 {
		return p.entrySquares().Count()
	}
	return own.StepsInto(vacant)
}

// CountMovesOf returns the number of legal moves that side c would have if it were to move.
func (p *Position) CountMovesOf(c Color) int {
	asked := *p
	asked.turn = c
	return asked.CountMoves()
}

// HasMoves reports whether there is a legal move.
func (p *Position) HasMoves() bool {
	own, enemy, vacant := p.owned[p.turn&1], p.owned[p.turn&1^1], p.Vacant()
	if ableToJump(own, enemy, vacant) != 0 {
		return true
	}
	if p.hand[p.turn&1] > 0 {
		return p.entrySquares() != 0
	}
	return own&vacant.Adjacent() != 0
}

// CanCapture reports whether side c could capture something if it were to move.
func (p *Position) CanCapture(c Color) bool {
	return ableToJump(p.owned[c&1], p.owned[c&1^1], p.Vacant()) != 0
}

// Jumpable returns the pieces of side c that the opponent could jump if it were to move: next to one
// of its pieces, with a vacant square straight behind.
func (p *Position) Jumpable(c Color) Bitboard {
	return jumpsFrom(p.owned[c&1^1], p.owned[c&1], p.Vacant())
}

// Feeding returns the vacant squares on which the opponent of c could capture a piece of c that were
// entered there, or went there from elsewhere than straight behind.
func (p *Position) Feeding(c Color) Bitboard { return fed(p.owned[c&1^1], p.Vacant()) }

// entering returns how many men the side to move enters at once: none if its hand is empty, one as
// a rule, and all that it has left, as the shadowpiece, if the opponent's hand is empty.
func (p *Position) entering() uint8 {
	if p.hand[p.turn&1^1] == 0 {
		return p.hand[p.turn&1]
	}
	return min(p.hand[p.turn&1], 1)
}

// entrySquares returns the squares that the side to move may enter, given that it has men in hand
// and cannot capture.
func (p *Position) entrySquares() Bitboard {
	own, enemy, vacant := p.owned[p.turn&1], p.owned[p.turn&1^1], p.Vacant()
	allowed := vacant
	if ableToJump(enemy, own, vacant) == 0 {
		allowed &^= fed(enemy, vacant)
	}
	if p.whiteIsNew() && p.turn == White {
		allowed &^= p.board.Centre().bit()
	}
	return allowed
}

// whiteIsNew reports whether White has not entered any man: men never leave the board, so then and
// only then there is none on it.
func (p *Position) whiteIsNew() bool {
	if p.owned[White] != 0 {
		return false
	}
	for rest := p.owned[Black]; rest != 0; rest = rest.Rest() {
		if p.stacks[rest.First()%squareLimit].Prisoners() > 0 {
			return false
		}
	}
	return true
}

// ableToJump returns the pieces of own that can make a jump: next to them an enemy, straight behind
// it a vacant square.
func ableToJump(own, enemy, vacant Bitboard) Bitboard {
	return own & (enemy>>shortStep&(vacant>>(2*shortStep)) |
		enemy<<shortStep&(vacant<<(2*shortStep)) |
		enemy>>longStep&(vacant>>(2*longStep)) |
		enemy<<longStep&(vacant<<(2*longStep)))
}

// fed returns the vacant squares on which the enemy could capture a piece entered there: next to
// them an enemy, straight across a vacant square.
func fed(enemy, vacant Bitboard) Bitboard {
	return vacant & (enemy<<shortStep&(vacant>>shortStep) |
		enemy>>shortStep&(vacant<<shortStep) |
		enemy<<longStep&(vacant>>longStep) |
		enemy>>longStep&(vacant<<longStep))
}
