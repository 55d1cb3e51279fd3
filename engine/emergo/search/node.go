package search

import "github.com/luctor-et-emergo/emergod/engine/emergo"

// search returns the score of the position at ply, searched to a depth, exact if between alpha and
// beta and a bound otherwise.
func (s *Searcher) search(ply, depth int, alpha, beta Score) Score {
	s.visit()
	s.lines[ply].length = 0
	if s.stopped {
		return 0
	}
	p := &s.positions[ply]
	s.answer.DeepestLine = max(s.answer.DeepestLine, ply)
	if p.Owned(p.Turn()) == 0 && p.InHand(p.Turn()) == 0 {
		return -winIn(ply)
	}
	if s.repeats(ply) {
		return s.repetition(ply)
	}
	// No line from here can be better than to win at once, or worse than to lose at once.
	alpha, beta = max(alpha, -winIn(ply)), min(beta, winIn(ply+1))
	if alpha >= beta {
		return alpha
	}
	if score, ok := s.probe(p, ply); ok {
		return score
	}
	if depth <= 0 && !p.CanCapture(p.Turn()) && !s.unprogressing(ply) {
		if !p.HasMoves() {
			return s.blocked(ply)
		}
		return s.evaluate(ply)
	}
	isPV := beta-alpha > 1

	// Just below the depth, among captures, positions are searched again sooner than they are found. Far
	// below it they are met so often that an exchange could be searched for ever.
	remembered := (depth > 0 || depth <= longExchange && s.has(withExchanges)) && s.has(withTable)
	key := p.Key() ^ s.progressKey(ply)
	var tableMove uint8
	if remembered {
		if e := s.table.find(key); e != nil {
			tableMove = e.move
			if score := fromTable(e.score, ply); !isPV && int(e.depth) >= depth && e.bound.settles(score, alpha, beta) {
				return score
			}
		}
	}

	moves := p.AppendMoves(s.moves[ply][:0])
	if len(moves) == 0 {
		return s.blocked(ply)
	}
	if s.unprogressing(ply) {
		return 0
	}
	capturing := moves[0].Kind() == emergo.Capture
	if ply >= maxLine-1 {
		return s.evaluate(ply)
	}
	// In what follows the side to move is free to choose, and no win is at stake either way.
	if !isPV && !capturing && alpha > -Decided && beta < Decided {
		if score, ok := s.shortcut(ply, depth, beta); ok || s.stopped {
			return score
		}
	}
	next := depth - 1
	if len(moves) == 1 && ply < 2*s.depth && s.has(withForced) { // there is nothing to choose
		next = depth
	}
	if capturing {
		next = max(next, min(depth-1, 0), deepestExchange)
	}

	s.order(ply, moves, tableMove)
	best, bestMove, limit := -endless, emergo.Move(0), alpha
	for i := range moves {
		m := s.pick(ply, moves, i)
		s.advance(ply, m)
		var score Score
		if i == 0 {
			score = -s.search(ply+1, next, -beta, -alpha)
		} else {
			reduced := next
			if !capturing && depth >= 3 && i >= 3 && s.has(withReductions) {
				reduced = max(next-reductions[min(depth, 63)][min(i, 63)], 0)
			}
			score = -s.search(ply+1, reduced, -alpha-1, -alpha)
			if score > alpha && reduced < next {
				score = -s.search(ply+1, next, -alpha-1, -alpha)
			}
			if score > alpha && score < beta {
				score = -s.search(ply+1, next, -beta, -alpha)
			}
		}
		if s.stopped {
			return 0
		}
		if score > best {
			best, bestMove = score, m
			if score > alpha {
				alpha = score
				s.record(ply, m)
				if score >= beta {
					s.praise(ply, m, moves[:i], depth)
					break
				}
			}
		}
	}
	if remembered {
		e := entry{key: key, score: toTable(best, ply), depth: int8(depth), bound: exactly}
		switch {
		case best <= limit:
			e.bound = atMost
		case best >= beta:
			e.bound = atLeast
		}
		if e.bound != atMost {
			e.move = number(bestMove, moves)
		}
		s.table.store(e)
	}
	return best
}

// The depths, which among captures are negative, from which on positions are remembered again, and at
// which they are counted no further.
const (
	longExchange    = -4
	deepestExchange = -100
)

// repetition returns what it is worth to come back to a position.
func (s *Searcher) repetition(ply int) Score {
	if s.known == 0 {
		return 0
	}
	// Whoever is known to win must think it worse than all else, or would never get on.
	return signed(Decided, s.known.Won() == (ply%2 == 1))
}

// blocked returns what it is worth to the side to move to have no move.
func (s *Searcher) blocked(ply int) Score {
	if s.rules.BlockedLoses {
		return -winIn(ply)
	}
	return 0
}

// unprogressing reports whether the game is drawn at ply for lack of progress.
func (s *Searcher) unprogressing(ply int) bool {
	return s.rules.NoProgressLimit > 0 && s.since[ply] >= s.rules.NoProgressLimit
}

// evaluate estimates what the position at ply is worth.
func (s *Searcher) evaluate(ply int) Score { return s.weights.evaluate(&s.positions[ply]) }

// longestEnding is more plies than any win that an endgame table knows takes.
const longestEnding = 256

// progressKey tells positions apart that differ in how soon the game is drawn for lack of progress,
// where that is near enough for a search to see.
func (s *Searcher) progressKey(ply int) uint64 {
	if s.rules.NoProgressLimit == 0 {
		return 0
	}
	left := s.rules.NoProgressLimit - s.since[ply]
	if left > maxLine+longestEnding {
		return 0
	}
	return mix(uint64(left))
}

// reverseMargin is by how much for each ply of depth an estimate must be above what is asked for to
// be believed.
const reverseMargin Score = 100

// A side that is behind by as much and has fewer safe moves than these soon has to give itself up: to
// pass would be worth much more to it than any move is. Wins against it are what is to be found there.
const (
	farBehind    Score = -300
	fewSafeMoves int   = 6
)

// safeMoves counts the moves of the side to move, which can capture nothing, after which nothing of what
// was moved can be captured.
func (s *Searcher) safeMoves(ply int) int {
	p := &s.positions[ply]
	safe := p.Vacant() &^ p.Feeding(p.Turn())
	if p.InHand(p.Turn()) > 0 {
		return safe.Count()
	}
	return p.Owned(p.Turn()).StepsInto(safe)
}

// shortcut looks for a sign that the position at ply, in which nothing can be captured, is worth at
// least beta, short of trying its moves. What it returns is an estimate.
func (s *Searcher) shortcut(ply, depth int, beta Score) (score Score, ok bool) {
	if beta < farBehind && s.safeMoves(ply) < fewSafeMoves && s.has(withZugzwang) {
		return 0, false
	}
	static := s.evaluate(ply)
	if depth <= 3 && static-reverseMargin*Score(depth) >= beta && s.has(withReverse) {
		return static, true
	}
	// If even to pass would be good enough, so is some move (null move pruning, Beal, 1989). To have
	// to move is often a burden in Emergo, but in matches this pays all the same.
	// Below a pass the game before is out of sight, which must not be where it can still end the game.
	if depth < 3 || static < beta || s.passed[ply] || s.recurring || !s.has(withNull) {
		return 0, false
	}
	s.positions[ply+1] = s.positions[ply].Pass()
	s.keys[s.rootKey+ply+1] = s.positions[ply+1].Key()
	s.since[ply+1], s.passed[ply+1] = 0, true
	score = -s.search(ply+1, depth-3, -beta, -beta+1)
	s.passed[ply+1] = false
	return min(score, Decided), score >= beta
}

// record makes the line at ply begin with m and go on as the line after it.
func (s *Searcher) record(ply int, m emergo.Move) {
	line, rest := &s.lines[ply], &s.lines[ply+1]
	line.moves[0] = m
	line.length = 1 + copy(line.moves[1:], rest.moves[:rest.length])
}
