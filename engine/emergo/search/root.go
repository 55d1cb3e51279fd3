package search

import (
	"cmp"
	"slices"
)

// iterate searches the root to the current depth once for each line wanted, each time without the
// moves of the lines before.
func (s *Searcher) iterate(wanted int) []Line {
	lines := make([]Line, 0, wanted)
	for len(lines) < wanted {
		score := s.searchRoot(lines)
		if s.stopped {
			return nil
		}
		pv := &s.lines[0]
		score = s.certain(score)
		lines = append(lines, Line{Score: score, Exact: score.Won() || score.Lost(), Moves: slices.Clone(pv.moves[:pv.length])})
	}
	// A later line can come out higher, since its search had more to go by.
	sortLines(lines)
	return lines
}

// sortLines puts the best lines first.
func sortLines(lines []Line) {
	slices.SortStableFunc(lines, func(a, b Line) int { return cmp.Compare(b.Score, a.Score) })
}

// searchRoot searches the root's moves but those that begin a line already found.
func (s *Searcher) searchRoot(before []Line) Score {
	if s.visit(); s.stopped {
		return 0
	}
	s.lines[0].length = 0
	best, bestAt := -endless, 0
	first := true
	for i, m := range s.rootOnly {
		if slices.ContainsFunc(before, func(l Line) bool { return l.Moves[0] == m }) {
			continue
		}
		s.advance(0, m)
		score := best + 1
		if !first {
			score = -s.search(1, s.depth-1, -best-1, -best)
		}
		if score > best && !s.stopped {
			score = -s.search(1, s.depth-1, -endless, -best)
		}
		if s.stopped {
			return 0
		}
		first = false
		if score > best {
			best, bestAt = score, i
			s.record(0, m)
		}
	}
	// The best move is searched first next time.
	m := s.rootOnly[bestAt]
	copy(s.rootOnly[1:bestAt+1], s.rootOnly[:bestAt])
	s.rootOnly[0] = m
	return best
}
