package search

import (
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// check stops the search if its time is over or the caller has gone.
func (s *Searcher) check() {
	if s.ctx.Err() != nil {
		s.stopped = true
	}
	if s.limits.Time > 0 && time.Since(s.start) >= s.limits.Time {
		s.stopped = true
	}
}

// visit counts a node, or stops the search if that would be one too many.
func (s *Searcher) visit() {
	if s.stopped {
		return
	}
	limit := s.limits.Nodes
	if limit > 0 && s.depth == 1 {
		limit = max(limit, leastNodes)
	}
	if limit > 0 && s.answer.Nodes >= limit {
		s.stopped = true
		return
	}
	if s.answer.Nodes++; s.answer.Nodes%leastNodes == 0 {
		s.check()
	}
}

// advance plays m in the position at ply.
func (s *Searcher) advance(ply int, m emergo.Move) {
	p, next := &s.positions[ply], &s.positions[ply+1]
	*next = p.Play(m)
	s.keys[s.rootKey+ply+1] = next.Key()
	s.since[ply+1] = s.since[ply] + 1
	if irreversible(p, m, next) {
		s.since[ply+1] = 0
	}
}

// irreversible reports whether play cannot come back to p after m, which leads to next.
func irreversible(p *emergo.Position, m emergo.Move, next *emergo.Position) bool {
	return m.Kind() == emergo.Entry || m.Kind() == emergo.Capture && pieces(next) < pieces(p)
}

func pieces(p *emergo.Position) int { return (p.Owned(emergo.White) | p.Owned(emergo.Black)).Count() }

// repeats reports whether the position at ply has occurred before in the line, or twice in the game
// before the root. If a table without distances knows how the root ends, once is enough: whoever wins
// must get on, not come back.
func (s *Searcher) repeats(ply int) bool {
	here := s.rootKey + ply
	key := s.keys[here]
	inGame := 0
	for i := here - 2; i >= here-s.since[ply]; i -= 2 {
		if s.keys[i] != key {
			continue
		}
		if inGame++; i >= s.rootKey || inGame == 2 || s.known != 0 {
			return true
		}
	}
	return false
}
