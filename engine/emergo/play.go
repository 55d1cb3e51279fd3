package emergo

// Play returns the position after m, which must be a legal move of p as AppendMoves lists it; with
// any other the result is undefined. It does not allocate.
func (p *Position) Play(m Move) Position {
	next := *p
	next.play(m)
	return next
}

func (p *Position) play(m Move) {
	switch m.Kind() {
	case Step:
		p.step(m.From(), m.To())
	case Entry:
		p.enter(m.To(), uint8(m.Men()))
	case Capture:
		p.capture(m)
	}
	p.key ^= zobrist.black
	p.turn ^= 1
	if p.ply < MaxPly {
		p.ply++
	}
}

func (p *Position) step(from, to Square) {
	own := p.turn & 1
	st := p.stacks[from%squareLimit]
	p.stacks[from%squareLimit] = 0
	p.stacks[to%squareLimit] = st
	p.owned[own] ^= from.bit() | to.bit()
	numbers := &zobrist.pieces[st][own]
	p.key ^= numbers[from%squareLimit] ^ numbers[to%squareLimit]
}

func (p *Position) enter(to Square, men uint8) {
	own := p.turn & 1
	st := newStack(int(men), 0)
	p.stacks[to%squareLimit] = st
	p.owned[own] ^= to.bit()
	hand := p.hand[own]
	p.hand[own] = hand - men
	p.key ^= zobrist.pieces[st][own][to%squareLimit] ^ zobrist.hand[own][hand&15] ^ zobrist.hand[own][(hand-men)&15]
}

func (p *Position) capture(m Move) {
	own, at := p.turn&1, m.From()
	st := p.stacks[at%squareLimit]
	p.stacks[at%squareLimit] = 0
	p.owned[own] ^= at.bit()
	p.key ^= zobrist.pieces[st][own][at%squareLimit]
	jumps := m.Men()
	for i := range jumps {
		d := deltas[m.direction(i)]
		p.jump(own, at+d)
		at += 2 * d
	}
	st += Stack(jumps)
	p.stacks[at%squareLimit] = st
	p.owned[own] ^= at.bit()
	p.key ^= zobrist.pieces[st][own][at%squareLimit]
}

// jump takes the top man of the enemy piece on over.
func (p *Position) jump(own Color, over Square) {
	enemy := own ^ 1
	owner, st := enemy, p.stacks[over%squareLimit]
	key := zobrist.pieces[st][enemy&1][over%squareLimit]
	st -= oneCap
	if st < oneCap { // no enemy is left on top
		p.owned[enemy&1] ^= over.bit()
		if st != 0 { // freed: the prisoners become the cap
			p.owned[own&1] ^= over.bit()
			owner, st = own, st<<4
		}
	}
	p.stacks[over%squareLimit] = st
	p.key ^= key ^ zobrist.pieces[st][owner&1][over%squareLimit]
}

// Pass returns the position with the other side to move. The rules do not allow it.
func (p *Position) Pass() Position {
	next := *p
	next.turn ^= 1
	next.key ^= zobrist.black
	return next
}
