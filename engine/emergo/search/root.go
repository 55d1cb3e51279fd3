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
		guess := Score(0)
		if len(lines) < len(s.answer.Lines) {
			guess = s.answer.Lines[len(lines)].Score
		}
		score := s.aspire(guess, lines)
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

// aspire searches the root with a window around the guess, which it opens on the side where the score
// falls outside.
func (s *Searcher) aspire(guess Score, before []Line) Score {
	width := Score(120)
	alpha, beta := -endless, endless
	if s.depth >= 4 && s.has(withAspiration) {
		alpha, beta = max(guess-width, -endless), min(guess+width, endless)
	}
	for {
		score := s.searchRoot(alpha, beta, before)
		switch {
		case s.stopped:
			return 0
		case score <= alpha && alpha > -endless:
			alpha = max(alpha-width, -endless)
		case score >= beta && beta < endless:
			beta = min(beta+width, endless)
		default:
			return score
		}
		if width *= 2; width > 1000 {
			alpha, beta = -endless, endless
		}
	}
}

// searchRoot searches the root's moves but those that begin a line already found.
func (s *Searcher) searchRoot(alpha, beta Score, before []Line) Score {
	if s.visit(); s.stopped {
		return 0
	}
	s.lines[0].length = 0
	best := -endless
	bestAt := 0
	searched := 0
	for i, m := range s.rootOnly {
		if slices.ContainsFunc(before, func(l Line) bool { return l.Moves[0] == m }) {
			continue
		}
		s.advance(0, m)
		var score Score
		if searched == 0 {
			score = -s.search(1, s.depth-1, -beta, -alpha)
		} else {
			score = -s.search(1, s.depth-1, -alpha-1, -alpha)
			if score > alpha && score < beta && !s.stopped {
				score = -s.search(1, s.depth-1, -beta, -alpha)
			}
		}
		if s.stopped {
			return 0
		}
		searched++
		if score > best {
			best, bestAt = score, i
			s.record(0, m)
			alpha = max(alpha, score)
			if score >= beta {
				break
			}
		}
	}
	// The best move is searched first next time.
	m := s.rootOnly[bestAt]
	copy(s.rootOnly[1:bestAt+1], s.rootOnly[:bestAt])
	s.rootOnly[0] = m
	return best
}
