package search

import (
	"cmp"
	"slices"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
)

// probe looks the position at ply up in the endgame tables. ok is false if they do not know it, or
// what they know need not hold with what was played before or a limit of plies without progress. A
// draw always holds: neither takes from a side what it can hold.
func (s *Searcher) probe(p *emergo.Position, ply int) (score Score, ok bool) {
	if s.probed == 0 || p.InHand(emergo.White)+p.InHand(emergo.Black) > 0 || pieces(p) > s.probed {
		return 0, false
	}
	v, plies, counted := s.tables.ProbeDistance(p)
	if !counted {
		if v, ok = s.tables.Probe(p); !ok {
			return 0, false
		}
	}
	s.answer.TableHits++
	limit := s.rules.NoProgressLimit
	switch {
	case v == endgame.Draw:
		return 0, true
	case s.recurring && s.within(ply):
		return 0, false
	case limit > 0 && (!counted || s.since[ply]+plies > limit):
		return 0, false
	case counted:
		return signed(winIn(ply+plies), v == endgame.Win), true
	}
	score = signed(wonSometime-Score(ply), v == endgame.Win)
	if pieces(p) == s.unsettled && score.Won() == (s.known.Won() == (ply%2 == 0)) {
		return 0, false
	}
	return score, true
}

// within reports whether no irreversible move lies between the root and the position at ply, so that
// positions of the game before it can come back.
func (s *Searcher) within(ply int) bool { return s.since[ply] == s.rootKey+ply }

// worth returns what the position at ply is worth if that can be looked up.
func (s *Searcher) worth(ply int) (score Score, ok bool) {
	p := &s.positions[ply]
	switch {
	case s.probed == 0:
		return 0, false
	case p.Owned(p.Turn()) == 0 && p.InHand(p.Turn()) == 0:
		return -winIn(ply), true
	case s.unprogressing(ply):
		return 0, true
	}
	return s.probe(p, ply)
}

// lookUp answers from the endgame tables if they know all positions that the root's moves lead to, and
// how far those are from the end or that the game is drawn. If they know only that it is won or lost,
// lookUp leaves the moves that keep it so to be searched: of endings with as many pieces, the search
// then believes the tables only where they say that the win is gone, or it would take one way to win
// for as good as another and never get on.
func (s *Searcher) lookUp() (done bool) {
	s.known, s.others, s.unsettled = 0, nil, 0
	type choice struct {
		Line
		estimate Score
	}
	var choices []choice
	for _, m := range s.rootOnly {
		s.advance(0, m)
		score, ok := s.worth(1)
		if !ok {
			return false
		}
		choices = append(choices, choice{Line{Score: -score, Exact: true, Moves: []emergo.Move{m}}, -s.evaluate(1)})
	}
	slices.SortStableFunc(choices, func(a, b choice) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.estimate, a.estimate))
	})
	value := choices[0].Score
	if _, counted := value.Plies(); counted || value == 0 {
		for i := range choices[:min(max(s.limits.Lines, 1), len(choices))] {
			s.follow(&choices[i].Line)
			s.answer.Lines = append(s.answer.Lines, choices[i].Line)
		}
		return true
	}
	s.known, s.unsettled = value, min(pieces(&s.positions[0]), s.probed)
	s.rootOnly = s.rootOnly[:0]
	for _, c := range choices {
		if c.Score.Won() == value.Won() && c.Score.Lost() == value.Lost() {
			s.rootOnly = append(s.rootOnly, c.Moves[0])
		} else {
			s.others = append(s.others, c.Line)
		}
	}
	return false
}

// follow extends a line of one move by the table's own: the quickest win, the longest defence.
func (s *Searcher) follow(l *Line) {
	if !l.Score.Won() && !l.Score.Lost() {
		return
	}
	s.advance(0, l.Moves[0])
	for ply := 1; ply < maxLine-1; ply++ {
		best, bestMove := -endless, emergo.Move(0)
		for _, m := range s.positions[ply].AppendMoves(s.moves[ply][:0]) {
			s.advance(ply, m)
			score, ok := s.worth(ply + 1)
			if _, counted := score.Plies(); !ok || !counted && score != 0 {
				return
			}
			if -score > best {
				best, bestMove = -score, m
			}
		}
		if bestMove == 0 {
			return
		}
		l.Moves = append(l.Moves, bestMove)
		s.advance(ply, bestMove)
	}
}

// certain makes sure that a score says no less than what a table knows.
func (s *Searcher) certain(score Score) Score {
	switch {
	case s.known.Won() && !score.Won(), s.known.Lost() && !score.Lost():
		return s.known
	}
	return score
}

// fromTable returns a score of the transposition table as seen from the root.
func fromTable(score int16, ply int) Score {
	switch n := Score(score); {
	case n.Won():
		return n - Score(ply)
	case n.Lost():
		return n + Score(ply)
	default:
		return n
	}
}

// toTable is the inverse of fromTable.
func toTable(score Score, ply int) int16 {
	switch {
	case score.Won():
		score += Score(ply)
	case score.Lost():
		score -= Score(ply)
	}
	return int16(score)
}
