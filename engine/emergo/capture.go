package emergo

// A captureSearch walks all capture sequences of the side to move, depth first. The walk holds the
// enemy's pieces and the vacant squares by value; only the caps that are jumped live here, and are
// put back on the way up.
type captureSearch struct {
	stacks [squareLimit]stack
	most   int // men taken by the longest sequences so far
	count  int // how many those are
	moves  []Move
	keep   int // moves[:keep] are not ours
}

func (p *Position) appendCaptures(dst []Move, jumpers bitboard) []Move {
	enemy, vacant := p.owned[p.turn&1^1], p.vacant()
	s := captureSearch{stacks: p.stacks, moves: dst, keep: len(dst)}
	for ; jumpers != 0; jumpers = jumpers.rest() {
		from := jumpers.first()
		s.append(from, from, enemy, vacant|from.bit(), 0, 0, 0)
	}
	return s.moves
}

// append continues the sequences that started on from, stand on at and have taken a number of men
// along path, the last of them on the square of last: jumping it again now would be to turn
// straight back.
func (s *captureSearch) append(from, at Square, enemy, vacant, last bitboard, path Move, taken int) {
	ended := true
	for rest := neighbours[at%squareLimit] & enemy &^ last; rest != 0; rest = rest.rest() {
		over := rest.first()
		land := at.beyond(over)
		if !vacant.has(land) {
			continue
		}
		ended = false
		longer := path | pathStep(directionOf(at, over), taken)
		jumped := over.bit()
		switch st := s.stacks[over%squareLimit]; {
		case st >= 2*oneCap: // it stays the enemy's
			s.stacks[over%squareLimit] = st - oneCap
			s.append(from, land, enemy, vacant, jumped, longer, taken+1)
			s.stacks[over%squareLimit] = st
		case st == oneCap: // its square falls vacant
			s.append(from, land, enemy^jumped, vacant|jumped, jumped, longer, taken+1)
		default: // it is freed
			s.append(from, land, enemy^jumped, vacant, jumped, longer, taken+1)
		}
	}
	if !ended || taken < s.most {
		return
	}
	if taken > s.most {
		s.most = taken
		s.moves = s.moves[:s.keep]
	}
	s.moves = append(s.moves, newCapture(from, path, taken, at))
}

func (p *Position) countCaptures(jumpers bitboard) int {
	enemy, vacant := p.owned[p.turn&1^1], p.vacant()
	s := captureSearch{stacks: p.stacks}
	for ; jumpers != 0; jumpers = jumpers.rest() {
		from := jumpers.first()
		s.countFrom(from, enemy, vacant|from.bit(), 0, 0)
	}
	return s.count
}

func (s *captureSearch) countFrom(at Square, enemy, vacant, last bitboard, taken int) {
	ended := true
	for rest := neighbours[at%squareLimit] & enemy &^ last; rest != 0; rest = rest.rest() {
		over := rest.first()
		land := at.beyond(over)
		if !vacant.has(land) {
			continue
		}
		ended = false
		jumped := over.bit()
		switch st := s.stacks[over%squareLimit]; {
		case st >= 2*oneCap: // it stays the enemy's
			s.stacks[over%squareLimit] = st - oneCap
			s.countFrom(land, enemy, vacant, jumped, taken+1)
			s.stacks[over%squareLimit] = st
		case st == oneCap: // its square falls vacant
			s.countFrom(land, enemy^jumped, vacant|jumped, jumped, taken+1)
		default: // it is freed
			s.countFrom(land, enemy^jumped, vacant, jumped, taken+1)
		}
	}
	if !ended || taken < s.most {
		return
	}
	if taken > s.most {
		s.most, s.count = taken, 0
	}
	s.count++
}
