package emergo

// Zobrist, A New Hashing Method with Application for Game Playing, 1970: one random number for each
// fact of a position, combined by exclusive or. A piece is two facts, its cap and its prisoners, so
// that the numbers in use stay in the first-level cache.
var zobrist = makeZobrist()

type zobristTable struct {
	pieces [2][squareLimit]struct{ cap, prisoners [16]uint64 } // both zero for 0
	hand   [2][16]uint64
	black  uint64 // Black is to move
	small  uint64 // the board is 7x7
}

func makeZobrist() *zobristTable {
	z := new(zobristTable)
	state := uint64(0)
	random := func() uint64 { // SplitMix64, Steele, Lea and Flood, 2014
		state += 0x9e3779b97f4a7c15
		x := state
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		return x ^ x>>31
	}
	for c := range z.pieces {
		for s := range z.pieces[c] {
			for n := 1; n < 16; n++ {
				z.pieces[c][s].cap[n] = random()
				z.pieces[c][s].prisoners[n] = random()
			}
		}
		for n := range z.hand[c] {
			z.hand[c][n] = random()
		}
	}
	z.black, z.small = random(), random()
	return z
}

func (z *zobristTable) piece(c Color, s Square, st stack) uint64 {
	numbers := &z.pieces[c&1][s%squareLimit]
	return numbers.cap[st>>4] ^ numbers.prisoners[st&15]
}

// computeKey computes the key from scratch.
func (p *Position) computeKey() uint64 {
	key := zobrist.hand[White][p.hand[White]] ^ zobrist.hand[Black][p.hand[Black]]
	if p.turn == Black {
		key ^= zobrist.black
	}
	if p.board == Board7x7 {
		key ^= zobrist.small
	}
	for _, c := range []Color{White, Black} {
		for rest := p.owned[c]; rest != 0; rest = rest.rest() {
			s := rest.first()
			key ^= zobrist.piece(c, s, p.stacks[s])
		}
	}
	return key
}
