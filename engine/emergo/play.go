package emergo

// Play returns the position after m, which must be a legal move of p as AppendMoves lists it; with
// any other the result is undefined. It does not allocate.
func (p *Position) Play(m Move) Position {
	next := *p
	next.play(m)
	return next
}

func (p *Position) play(m Move) {
	own := p.turn & 1
	from, to := m.From(), m.To()
	key := p.key ^ zobrist.black
	switch m.Kind() {
	case Entry:
		men := uint8(m.Men())
		hand := p.hand[own]
		p.hand[own] = hand - men
		st := newStack(int(men), 0)
		p.stacks[to%squareLimit] = st
		p.owned[own] |= to.bit()
		key ^= zobrist.piece(own, to, st) ^ zobrist.hand[own][hand&15] ^ zobrist.hand[own][(hand-men)&15]
	case Step:
		st := p.stacks[from%squareLimit]
		p.stacks[from%squareLimit] = 0
		p.stacks[to%squareLimit] = st
		p.owned[own] ^= from.bit() | to.bit()
		key ^= zobrist.piece(own, from, st) ^ zobrist.piece(own, to, st)
	case Capture:
		st := p.stacks[from%squareLimit]
		p.stacks[from%squareLimit] = 0
		p.owned[own] ^= from.bit()
		key ^= zobrist.piece(own, from, st)
		at := from
		for i := range m.Men() {
			d := deltas[m.direction(i)]
			key ^= p.jump(own, at+d)
			at += 2 * d
		}
		st += stack(m.Men())
		p.stacks[to%squareLimit] = st
		p.owned[own] |= to.bit()
		key ^= zobrist.piece(own, to, st)
	}
	p.key = key
	p.turn = own ^ 1
	if p.ply < MaxPly {
		p.ply++
	}
}

// jump takes the top man of the enemy piece on over and returns what that changes of the key.
func (p *Position) jump(own Color, over Square) uint64 {
	enemy := own ^ 1
	st := p.stacks[over%squareLimit]
	key := zobrist.piece(enemy, over, st)
	st -= oneCap
	switch {
	case st == 0:
		p.owned[enemy] ^= over.bit()
	case st < oneCap: // freed: the prisoners become the cap
		st <<= 4
		p.owned[enemy] ^= over.bit()
		p.owned[own] |= over.bit()
		key ^= zobrist.piece(own, over, st)
	default:
		key ^= zobrist.piece(enemy, over, st)
	}
	p.stacks[over%squareLimit] = st
	return key
}
