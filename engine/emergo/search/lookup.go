package search

import (
	"cmp"
	"slices"
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
)

// LookUp answers as Search does, but without a Searcher, where that needs no search: the game is over,
// or tables, which may be nil, know of all its moves how the game ends after them, and when. ok is false
// if it takes a search to tell. lines is as in Limits.
//
// Where the tables do not answer it costs about a microsecond, otherwise some microseconds; all lines of
// a long win, or a history of thousands of moves, cost a fraction of a millisecond.
func LookUp(g *emergo.Game, lines int, tables *endgame.Tables) (r Result, ok bool) {
	start := time.Now()
	e := endings{tables: tables}
	e.begin(g, appendKeys(nil, g))
	var moves [64]emergo.Move
	r.Lines, _ = e.lookUp(g, g.AppendMoves(moves[:0]), lines, fitted[g.Position().Board()])
	if r.Lines == nil {
		return Result{}, false
	}
	r.TableHits, r.Settled, r.Time = e.hits, true, time.Since(start)
	return r, true
}

// lookUp answers as many lines as are wanted if they need no search. Otherwise choices is what each of
// the moves is worth, best first, if the tables know that much.
func (e *endings) lookUp(g *emergo.Game, moves []emergo.Move, wanted int, w *Weights) (lines, choices []Line) {
	if o := g.Outcome(); o.Over() {
		return []Line{{Score: outcomeScore(g.Position().Turn(), o), Exact: true}}, nil
	}
	root := standing{position: *g.Position(), since: e.played}
	wanted = min(max(wanted, 1), len(moves))
	choices = e.choices(root, moves, w)
	if len(choices) < len(moves) {
		if len(choices) < wanted {
			return nil, nil
		}
		return choices[:wanted], nil
	}
	if choices[0].Score.uncounted() {
		return nil, choices
	}
	lines = choices[:wanted]
	for i := range lines {
		e.follow(root, &lines[i])
	}
	return lines, nil
}

// choices returns what each move at the root is worth, best first, if that is known of all. Of equals
// those come first after which w likes the position better. If it is not known of all, but the tables
// know the root to be drawn, then no move is better than those that are known to keep the draw, and
// choices returns these.
func (e *endings) choices(root standing, moves []emergo.Move, w *Weights) (lines []Line) {
	type choice struct {
		Line
		estimate Score
	}
	var choices []choice
	value, known := e.probe(&root.position, 0, root.since)
	drawn, all := known && value == 0, true
	for _, m := range moves {
		next := root.after(m)
		score, ok := e.worth(&next)
		switch {
		case ok:
		case drawn:
			all = false
			continue
		default:
			return nil
		}
		choices = append(choices, choice{Line{Score: -score, Exact: true, Moves: []emergo.Move{m}}, -w.evaluate(&next.position)})
	}
	slices.SortStableFunc(choices, func(a, b choice) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.estimate, a.estimate))
	})
	for _, c := range choices {
		if all || c.Score == 0 {
			lines = append(lines, c.Line)
		}
	}
	return lines
}

// follow extends a line of one move by the tables' own: the quickest win, the longest defence.
func (e *endings) follow(root standing, l *Line) {
	if l.Score == 0 {
		return
	}
	var moves []emergo.Move
	for at := root.after(l.Moves[0]); at.ply < maxLine-1; {
		best, bestMove, then := -endless, emergo.Move(0), standing{}
		moves = at.position.AppendMoves(moves[:0])
		for _, m := range moves {
			next := at.after(m)
			score, ok := e.worth(&next)
			if !ok || score.uncounted() {
				return
			}
			if -score > best {
				best, bestMove, then = -score, m, next
			}
		}
		if bestMove == 0 {
			return
		}
		l.Moves, at = append(l.Moves, bestMove), then
	}
}

// lookUp answers s's question if that needs no search. If the tables know of its best move only that it
// wins or loses, lookUp leaves the moves that are as good to be searched: of endings with as many pieces,
// the search then believes the tables only where they say that the win is gone, or it would take one way
// to win for as good as another and never get on.
func (s *Searcher) lookUp(g *emergo.Game) (done bool) {
	s.known, s.others, s.unsettled = 0, nil, 0
	lines, choices := s.endings.lookUp(g, s.rootOnly, s.limits.Lines, s.weights)
	if lines != nil {
		s.answer.Lines, s.answer.Settled = lines, true
		return true
	}
	if choices == nil {
		return false
	}
	s.known, s.unsettled = choices[0].Score, min(pieces(g.Position()), s.probed)
	s.rootOnly = s.rootOnly[:0]
	for _, c := range choices {
		if c.Score.Won() == s.known.Won() && c.Score.Lost() == s.known.Lost() {
			s.rootOnly = append(s.rootOnly, c.Moves[0])
		} else {
			s.others = append(s.others, c)
		}
	}
	return false
}
