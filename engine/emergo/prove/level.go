package prove

import "github.com/luctor-et-emergo/emergod/engine/emergo"

// A level holds the moves of the position that is examined with some number of plies left, and where
// they lead.
type level struct {
	moves     []emergo.Move
	positions []emergo.Position
	order     []uint8 // indices of the moves
	ranks     []int   // of the moves, by index; the lowest is tried first
}

// spread lists the moves of p. The move with number first, if any, comes first, then those that leave
// the opponent the fewest replies; with two plies left those that leave nothing to capture, since they
// refute a win at once.
func (l *level) spread(p *emergo.Position, n int, first uint8) {
	l.moves = p.AppendMoves(l.moves[:0])
	l.positions, l.order, l.ranks = l.positions[:0], l.order[:0], l.ranks[:0]
	for i, m := range l.moves {
		next := p.Play(m)
		l.positions = append(l.positions, next)
		l.order = append(l.order, uint8(i))
		rank := 0
		switch {
		case i+1 == int(first):
			rank = -1
		case n > 2:
			rank = next.CountMoves()
		case n == 2:
			rank = next.Jumpable(p.Turn()).Count()
		}
		l.ranks = append(l.ranks, rank)
	}
}

// pick moves the lowest-ranked of the moves from place i on to i and returns its index.
func (l *level) pick(i int) int {
	best := i
	for j := i + 1; j < len(l.order); j++ {
		if l.ranks[l.order[j]] < l.ranks[l.order[best]] {
			best = j
		}
	}
	l.order[i], l.order[best] = l.order[best], l.order[i]
	return int(l.order[i])
}
