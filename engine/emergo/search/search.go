package search

import (
	"context"
	"slices"
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
)

// MaxDepth is the largest depth of a search in plies. Lines are followed further than the depth where
// captures or forced moves go on.
const MaxDepth = 100

// maxLine is the most plies a line is followed, whatever goes on.
const maxLine = 2 * MaxDepth

// leastNodes is how many positions a search may visit to finish depth 1, whatever its limits. Few need
// more than a hundred.
const leastNodes = 1024

// Limits bound a search. The first one reached ends it; a zero field is no limit. Depth 1 is finished
// all the same if it takes no more than 1,024 positions.
type Limits struct {
	// Depth in plies, at most MaxDepth.
	Depth int
	// Nodes is the number of positions visited. With it alone a search is deterministic: it gives the
	// same result every time and everywhere.
	Nodes uint64
	// Time is how long the search may take.
	Time time.Duration
	// Lines is how many of the best moves are wanted, each with its score. 0 means 1. Each further
	// line costs about as much as the first.
	Lines int
}

// A Line is a move worth considering and what is expected after it.
type Line struct {
	// Score is what the line is worth to the side to move.
	Score Score
	// Exact tells that Score is proven: read to the end of the game, or known from a table.
	Exact bool
	// Moves begins with the move in question. It is empty if the game is over.
	Moves []emergo.Move
}

// A Result is what a search has found.
type Result struct {
	// Lines holds the best moves, best first. There is always at least one line; if the game is over,
	// it has no moves.
	Lines []Line
	// Depth is the number of plies that were searched in full width, reductions aside. 0 if nothing
	// had to be searched, or if a limit was reached before: then Lines are what the evaluation says
	// after each move.
	Depth int
	// DeepestLine is the length in plies of the longest line that was followed.
	DeepestLine int
	// Nodes is the number of positions visited.
	Nodes uint64
	// TableHits is how often an endgame table answered.
	TableHits uint64
	// Time is how long it took.
	Time time.Duration
	// Settled tells that no further depth could tell more: every line is read to its end, or looked up.
	Settled bool
}

// A Searcher searches, one position at a time. It owns the memory for it, which later searches use
// again, but each search starts afresh: its result depends on its arguments alone. It is not safe for
// concurrent use.
type Searcher struct {
	table transpositionTable
	given [2]*Weights // by board
	off   technique   // techniques that are switched off

	// The question.
	ctx     context.Context
	weights *Weights
	limits  Limits
	start   time.Time
	endings // what is known of those of the game

	// The line from the root to the current node.
	positions [maxLine + 1]emergo.Position
	moves     [maxLine + 1][64]emergo.Move // enough for every position known
	scores    [maxLine + 1][]int64         // of the moves, to pick from
	passed    [maxLine + 1]bool            // the move before was a pass
	since     [maxLine + 1]int             // plies since the last irreversible move, those of the game included
	lines     [maxLine + 1]variation
	keys      []uint64 // of the game since its last irreversible move, then of the line
	rootKey   int      // index of the root in keys

	history   [2][64][64]int32 // by colour, from (0 for an entry) and to
	answer    Result
	rootOnly  []emergo.Move // the root moves that are searched
	others    []Line        // what is known of the root's other moves
	known     Score         // what is known of the root without a search; 0 if nothing
	unsettled int           // if so, the number of pieces of endings that must be searched to be won
	depth     int           // of the iteration
	stopped   bool
}

// A variation is a principal variation.
type variation struct {
	length int
	moves  [maxLine + 1]emergo.Move
}

// New returns a Searcher with a transposition table of a number of bytes. It looks up endings in
// tables, which may be nil.
func New(tableBytes int, tables *endgame.Tables) *Searcher {
	return &Searcher{table: newTranspositionTable(tableBytes), endings: endings{tables: tables}, given: fitted}
}

// Weigh makes s evaluate positions of board b by w instead of the built-in weights.
func (s *Searcher) Weigh(b emergo.Board, w *Weights) { s.given[b] = w }

// Search says what the position of g is worth, within limits l. It calls report, unless that is nil,
// with the result of each finished depth, or of none if a limit is reached before; what it is given is
// not changed later. If ctx ends, Search
// returns within a few milliseconds what it has found so far.
func (s *Searcher) Search(ctx context.Context, g *emergo.Game, l Limits, report func(Result)) Result {
	s.begin(ctx, g, l)
	if s.lookUp(g) {
		return s.finish(report)
	}
	deepest := MaxDepth
	if l.Depth > 0 {
		deepest = min(l.Depth, MaxDepth)
	}
	wanted := min(max(l.Lines, 1), len(s.rootOnly))
	s.others = s.others[:min(len(s.others), max(l.Lines, 1)-wanted)]
	s.answer.Lines = append(s.glance(wanted), s.others...)
	for s.depth = 1; s.depth <= deepest; s.depth++ {
		lines := s.iterate(wanted)
		if s.stopped {
			break
		}
		s.answer.Lines, s.answer.Depth = append(lines, s.others...), s.depth
		s.answer.Settled = s.settled(lines)
		if s.finish(report); s.answer.Settled {
			break
		}
	}
	if s.answer.Depth == 0 && ctx.Err() == nil {
		return s.finish(report)
	}
	return s.finish(nil)
}

// glance returns as many moves as are wanted by what the evaluation says after them, best first.
func (s *Searcher) glance(wanted int) []Line {
	lines := make([]Line, len(s.rootOnly))
	for i, m := range s.rootOnly {
		s.advance(0, m)
		score := s.certain(-s.evaluate(1))
		lines[i] = Line{Score: score, Exact: score == s.known && s.known != 0, Moves: []emergo.Move{m}}
	}
	sortLines(lines)
	return lines[:wanted]
}

func (s *Searcher) begin(ctx context.Context, g *emergo.Game, l Limits) {
	s.ctx, s.limits, s.start = ctx, l, time.Now()
	s.table.begin()
	clear(s.history[:])
	clear(s.passed[:]) // which a panic can have left
	s.answer, s.stopped, s.depth = Result{}, false, 0
	s.positions[0] = *g.Position()
	s.weights = s.given[g.Position().Board()]
	s.keys = appendKeys(s.keys[:0], g)
	s.endings.begin(g, s.keys)
	s.rootKey = len(g.Moves())
	s.since[0] = s.rootKey
	s.keys = slices.Grow(s.keys, maxLine+1)[:s.rootKey+1+maxLine]
	s.rootOnly = g.AppendMoves(nil)
}

func (s *Searcher) finish(report func(Result)) Result {
	s.answer.Time, s.answer.TableHits = time.Since(s.start), s.hits
	if report != nil {
		report(s.answer)
	}
	return s.answer
}

// settled reports whether no further depth can tell more.
func (s *Searcher) settled(lines []Line) bool {
	for _, l := range lines {
		if n, known := l.Score.Plies(); !l.Exact || !known || n > s.depth {
			return false
		}
	}
	return true
}

// outcomeScore returns what a finished game is worth to side c.
func outcomeScore(c emergo.Color, o emergo.Outcome) Score {
	switch o.Result {
	case emergo.WhiteWins:
		return signed(winIn(0), c == emergo.White)
	case emergo.BlackWins:
		return signed(winIn(0), c == emergo.Black)
	}
	return 0
}

func signed(s Score, positive bool) Score {
	if positive {
		return s
	}
	return -s
}
