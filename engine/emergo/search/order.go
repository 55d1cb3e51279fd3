package search

import (
	"math"
	"slices"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

const (
	tableOrder  = 1 << 30 // before all others
	mostHistory = 1 << 24 // that a move can learn
)

// order gives the moves at ply the scores by which pick chooses: alike ones differ by their place. The
// moves must be as AppendMoves lists them.
func (s *Searcher) order(ply int, moves []emergo.Move, tableMove uint8) {
	p := &s.positions[ply]
	scores := slices.Grow(s.scores[ply][:0], len(moves))[:len(moves)]
	s.scores[ply] = scores
	history := &s.history[p.Turn()]
	for i, m := range moves {
		score := history[historyFrom(m)][m.To()&63]
		if m.Kind() == emergo.Capture {
			score += captureOrder(p, m)
		}
		scores[i] = int64(score)<<8 - int64(i)
	}
	if n := int(tableMove); n > 0 && n <= len(moves) {
		scores[n-1] = tableOrder << 8
	}
}

// captureOrder prefers captures that free many men.
func captureOrder(p *emergo.Position, m emergo.Move) int32 {
	freed := 0
	for over := range m.Jumps {
		if st := p.StackAt(over); st.Cap() == 1 {
			freed += 1 + 2*st.Prisoners()
		}
	}
	return int32(freed) << 18
}

func historyFrom(m emergo.Move) emergo.Square {
	if m.Kind() == emergo.Entry {
		return 0
	}
	return m.From() & 63
}

// pick swaps the most promising of moves[i:] to i and returns it. Most nodes need only the first few, so
// the rest is never sorted.
func (s *Searcher) pick(ply int, moves []emergo.Move, i int) emergo.Move {
	scores := s.scores[ply]
	best := i
	for j := i + 1; j < len(scores); j++ {
		if scores[j] > scores[best] {
			best = j
		}
	}
	moves[i], moves[best] = moves[best], moves[i]
	scores[i], scores[best] = scores[best], scores[i]
	return moves[i]
}

// number returns the place of m, from 1, in the order of AppendMoves, which is that of the moves'
// numbers.
func number(m emergo.Move, moves []emergo.Move) uint8 {
	n := uint8(1)
	for _, other := range moves {
		if other < m {
			n++
		}
	}
	return n
}

// praise remembers that m refuted the position at ply where the moves in tried had not.
func (s *Searcher) praise(ply int, m emergo.Move, tried []emergo.Move, depth int) {
	if !s.has(withHistory) {
		return
	}
	turn := s.positions[ply].Turn()
	bonus := int32(min(depth*max(depth, 0), 400)) * 64
	s.learn(turn, m, bonus)
	for _, other := range tried {
		s.learn(turn, other, -bonus)
	}
}

// learn moves the history of m towards its limit by a share, so that it never passes it and old
// lessons fade.
func (s *Searcher) learn(c emergo.Color, m emergo.Move, bonus int32) {
	h := &s.history[c][historyFrom(m)][m.To()&63]
	size := bonus
	if size < 0 {
		size = -size
	}
	*h += bonus - int32(int64(*h)*int64(size)/mostHistory)
}

// reductions holds by how many plies a late quiet move is searched less deeply, by depth and number
// of the move: a logarithm of both (late move reductions).
var reductions = func() (table [64][64]int) {
	for depth := 1; depth < 64; depth++ {
		for n := 1; n < 64; n++ {
			table[depth][n] = int(0.5 + math.Log(float64(depth))*math.Log(float64(n))/1.6)
		}
	}
	return table
}()
