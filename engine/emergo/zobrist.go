package emergo

// Zobrist, A New Hashing Method with Application for Game Playing, 1970: one random number for each
// fact of a position, combined by exclusive or.
var zobrist = makeZobrist()

type zobristTable struct {
	// By stack first: few stacks are frequent, so what is in use stays in the first-level cache.
	pieces [256][2][squareLimit]uint64
	hand   [2][16]uint64
	black  uint64 // Black is to move
	small  uint64 // the board is 7x7
}

func makeZobrist() *zobristTable {
	state := uint64(0)
	random := func() uint64 { // SplitMix64, Steele, Lea and Flood, 2014
		state += 0x9e3779b97f4a7c15
		x := state
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		return x ^ x>>31
	}
	z := new(zobristTable)
	for st := oneCap; st != 0; st++ { // no stack, no number
		for c := range z.pieces[st] {
			for s := range z.pieces[st][c] {
				z.pieces[st][c][s] = random()
			}
		}
	}
	for c := range z.hand {
		for n := range z.hand[c] {
			z.hand[c][n] = random()
		}
	}
	z.black, z.small = random(), random()
	return z
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
		for rest := p.owned[c]; rest != 0; rest = rest.Rest() {
			s := rest.First()
			key ^= zobrist.pieces[p.stacks[s]][c][s]
		}
	}
	return key
}
