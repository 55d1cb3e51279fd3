package emergo

// jumpsFrom returns the enemy pieces that a piece on at can jump: next to it, with a vacant square
// straight behind them.
func jumpsFrom(at, enemy, vacant Bitboard) Bitboard {
	return enemy & (at<<shortStep&(vacant>>shortStep) |
		at>>shortStep&(vacant<<shortStep) |
		at<<longStep&(vacant>>longStep) |
		at>>longStep&(vacant<<longStep))
}

// A terrain is what a piece jumps over: the enemy's pieces and the vacant squares, which change with
// every jump and are held by value, and the stacks, which seldom must.
type terrain struct {
	enemy, vacant Bitboard
	stacks        *[squareLimit]Stack
}

// after returns the terrain after the top man of the piece on over has been taken, except for the
// stack of a piece that stays the enemy's.
func (t terrain) after(over Square) terrain {
	st := t.stacks[over%squareLimit]
	if st < 2*oneCap { // no enemy is left on top
		t.enemy &^= over.bit()
	}
	if st == oneCap { // nothing is left at all
		t.vacant |= over.bit()
	}
	return t
}

// A captureSearch collects the longest capture sequences, found by walking all of them depth first.
type captureSearch struct {
	most  int    // jumps of the longest so far
	moves []Move // those sequences, after moves[:keep]
	keep  int
}

func (p *Position) appendCaptures(dst []Move, jumpers Bitboard) []Move {
	s := captureSearch{moves: dst, keep: len(dst)}
	t := terrain{p.owned[p.turn&1^1], p.Vacant(), &p.stacks}
	for ; jumpers != 0; jumpers = jumpers.Rest() {
		from := jumpers.First()
		lifted := t
		lifted.vacant |= from.bit()
		s.walk(newCapture(from), jumpsFrom(from.bit(), lifted.enemy, lifted.vacant), lifted)
	}
	return s.moves
}

// walk continues the sequence m by each of the jumps, of which there is at least one.
func (s *captureSearch) walk(m Move, jumps Bitboard, t terrain) {
	for at := m.To(); jumps != 0; jumps = jumps.Rest() {
		over := jumps.First()
		land := at.beyond(over)
		longer := m.jumping(directionOf(at, over), land)
		left := t.after(over)
		// To jump the same piece again at once would be to turn straight back.
		next := jumpsFrom(land.bit(), left.enemy, left.vacant) &^ over.bit()
		switch {
		case next == 0:
			s.end(longer)
		case left.enemy.Has(over):
			s.walkLower(longer, next, left, over)
		default:
			s.walk(longer, next, left)
		}
	}
}

// walkLower walks on with the cap of a piece that can be jumped again lowered by one.
func (s *captureSearch) walkLower(m Move, jumps Bitboard, t terrain, over Square) {
	stacks := *t.stacks
	stacks[over%squareLimit] -= oneCap
	t.stacks = &stacks
	s.walk(m, jumps, t)
}

func (s *captureSearch) end(m Move) {
	taken := m.Men()
	if taken > s.most {
		s.most = taken
		s.moves = s.moves[:s.keep]
	}
	if taken == s.most {
		s.moves = append(s.moves, m)
	}
}

// A captureCount counts the longest capture sequences. It walks as captureSearch does, but without
// the moves: counting is most of what perft does.
type captureCount struct{ most, count int }

func (p *Position) countCaptures(jumpers Bitboard) int {
	var c captureCount
	t := terrain{p.owned[p.turn&1^1], p.Vacant(), &p.stacks}
	for ; jumpers != 0; jumpers = jumpers.Rest() {
		from := jumpers.First()
		lifted := t
		lifted.vacant |= from.bit()
		c.walk(1, from, jumpsFrom(from.bit(), lifted.enemy, lifted.vacant), lifted)
	}
	return c.count
}

func (c *captureCount) walk(taken int, at Square, jumps Bitboard, t terrain) {
	for ; jumps != 0; jumps = jumps.Rest() {
		over := jumps.First()
		land := at.beyond(over)
		left := t.after(over)
		next := jumpsFrom(land.bit(), left.enemy, left.vacant) &^ over.bit()
		switch {
		case next == 0:
			c.end(taken)
		case left.enemy.Has(over):
			c.walkLower(taken+1, land, next, left, over)
		default:
			c.walk(taken+1, land, next, left)
		}
	}
}

func (c *captureCount) walkLower(taken int, at Square, jumps Bitboard, t terrain, over Square) {
	stacks := *t.stacks
	stacks[over%squareLimit] -= oneCap
	t.stacks = &stacks
	c.walk(taken, at, jumps, t)
}

func (c *captureCount) end(taken int) {
	if taken > c.most {
		c.most, c.count = taken, 0
	}
	if taken == c.most {
		c.count++
	}
}
