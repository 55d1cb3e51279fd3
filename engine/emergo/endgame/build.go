package endgame

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// A Stage is a part of building a table.
type Stage int

// The stages of building a table, in order.
const (
	Counting Stage = iota // how many moves lead to each position
	Linking               // each position with those from which a move leads to it
	Deciding              // positions, by their distance from the end
)

// String returns the stage in a word, such as "counting".
func (s Stage) String() string { return [...]string{"counting", "linking", "deciding"}[s] }

// Progress is how far building has come.
type Progress struct {
	Board  emergo.Board
	Pieces int
	Stage  Stage
	// Done positions of Total are done or, when deciding, known not to be drawn; how many that will
	// be in the end is not known.
	Done, Total int
}

// Build computes the tables of a board with two pieces, three and so on up to a number of pieces,
// all with distances. report is called now and then by one goroutine at a time.
//
// The method is retrograde analysis (Ströhlein 1970; Thompson, Retrograde Analysis of Certain
// Endgames, 1986) on the whole graph of moves: the engine lists the moves of each position, the
// graph is turned round, and the positions are decided from the end backwards, ply by ply. It holds
// some 25 bytes of memory a position. What it computes does not depend on how many processors it
// uses.
func Build(ctx context.Context, b emergo.Board, pieces int, report func(Progress)) ([]*Table, error) {
	if indexOf(b, pieces) == nil {
		return nil, fmt.Errorf("tables are of %d to %d pieces on %s, not %d", FewestPieces, mostTabled[b], b, pieces)
	}
	smaller := make([]*Table, mostPieces+1)
	for n := FewestPieces; n <= pieces; n++ {
		g := &graph{index: indexOf(b, n), smaller: smaller, report: report}
		t, err := g.solve(ctx)
		if err != nil {
			return nil, err
		}
		smaller[n] = t
	}
	return smaller[FewestPieces : pieces+1], nil
}

// A graph holds the moves between the positions of an index, and solves it.
type graph struct {
	index   *index
	smaller []*Table // by pieces
	report  func(Progress)

	open []uint8 // by position: moves that are not known to lose
	// A position's predecessors are predecessors[starts[i]:starts[i+1]]: where a move leads to it
	// from.
	starts       []uint32
	predecessors []uint32
	// exits holds the positions from which a move leads out of the table, to a loss or a win of so
	// many plies. Those to a draw are only counted in open.
	exits exits
}

func (g *graph) solve(ctx context.Context) (*Table, error) {
	g.open = make([]uint8, g.index.size)
	g.starts = make([]uint32, int(g.index.size)+1)
	if err := g.eachRun(ctx, Counting, g.count); err != nil {
		return nil, err
	}
	total := uint64(0)
	for i, n := range g.starts {
		total += uint64(n)
		g.starts[i] = uint32(total)
	}
	if total > 1<<32-1 {
		return nil, fmt.Errorf("%d moves are more than can be numbered", total)
	}
	// Each start is now where the list ends. Linking fills the lists from their ends.
	g.predecessors = make([]uint32, total)
	if err := g.eachRun(ctx, Linking, g.link); err != nil {
		return nil, err
	}
	return g.decide(ctx)
}

// eachRun calls visit for all runs, on all processors.
func (g *graph) eachRun(ctx context.Context, stage Stage, visit func(*worker, run)) error {
	runs := g.index.runs()
	var next atomic.Int64
	var group sync.WaitGroup
	var mu sync.Mutex // one report at a time, one merge at a time
	done := 0
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			w := &worker{moves: make([]emergo.Move, 0, 64)}
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(runs) {
					break
				}
				visit(w, runs[i])
				mu.Lock()
				done += runs[i].len()
				g.report(Progress{g.index.board, g.index.pieces, stage, done, int(g.index.size)})
				mu.Unlock()
			}
			mu.Lock()
			defer mu.Unlock()
			for plies, list := range w.exits {
				g.exits.add(plies, list...)
			}
		})
	}
	group.Wait()
	return ctx.Err()
}

// A worker is what one goroutine needs to go through runs.
type worker struct {
	moves []emergo.Move
	exits exits
}

// exits are positions by plies.
type exits [][]uint32

func (e *exits) add(plies int, positions ...uint32) {
	for len(*e) <= plies {
		*e = append(*e, nil)
	}
	(*e)[plies] = append((*e)[plies], positions...)
}

// count counts the moves of each position of a run and those that lead to each position.
func (g *graph) count(w *worker, r run) {
	g.index.positions(r, func(i uint32, p *emergo.Position) {
		w.moves = p.AppendMoves(w.moves[:0])
		g.open[i] = uint8(len(w.moves))
		for _, m := range w.moves {
			next := p.Play(m)
			to, end, inside := g.follow(&next)
			switch {
			case inside:
				atomic.AddUint32(&g.starts[to], 1)
			case end != drawn:
				w.exits.add(end.plies(), i)
			}
		}
	})
}

// link writes each position of a run to the predecessors of those that its moves lead to.
func (g *graph) link(w *worker, r run) {
	g.index.positions(r, func(i uint32, p *emergo.Position) {
		w.moves = p.AppendMoves(w.moves[:0])
		for _, m := range w.moves {
			next := p.Play(m)
			if to, _, inside := g.follow(&next); inside {
				g.predecessors[atomic.AddUint32(&g.starts[to], ^uint32(0))] = i
			}
		}
	})
}

// follow returns the number of a position that a move leads to or, if it is not one of the graph's,
// how it ends.
func (g *graph) follow(p *emergo.Position) (i uint32, end outcome, inside bool) {
	own, enemy := p.PieceCount(p.Turn()), p.PieceCount(p.Turn().Other())
	if own == 0 {
		return 0, lostNow, false
	}
	if n := own + enemy; n < g.index.pieces {
		i, _ = g.smaller[n].index.find(p)
		return 0, g.smaller[n].outcome(i), false
	}
	i, _ = g.index.find(p)
	return i, 0, true
}

// decide finds how each position ends. In each round it knows all positions that end within so many
// plies, and looks back from those that end in just so many. What never comes up is a draw.
func (g *graph) decide(ctx context.Context) (*Table, error) {
	t := &Table{index: g.index, bits: outcomeBits, data: make([]byte, g.index.size)}
	decided := 0
	var round, next []uint32
	for plies := 0; plies < len(g.exits) || len(round) > 0; plies++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if plies == mostPlies {
			return nil, fmt.Errorf("there are ends more than %d plies away, which no table can hold", mostPlies)
		}
		back := func(i uint32) {
			if t.outcome(i) != drawn {
				return // it has a better move
			}
			if plies%2 != 0 { // a move that loses; only the last one, which loses latest, decides
				if g.open[i]--; g.open[i] > 0 {
					return
				}
			}
			t.data[i] = byte(plies + 2) // the outcome one ply before
			next = append(next, i)
		}
		if plies < len(g.exits) {
			for _, i := range g.exits[plies] {
				back(i)
			}
		}
		for _, i := range round {
			for _, from := range g.predecessors[g.starts[i]:g.starts[i+1]] {
				back(from)
			}
		}
		round, next = next, round[:0]
		decided += len(round)
		g.report(Progress{g.index.board, g.index.pieces, Deciding, decided, int(g.index.size)})
	}
	return t, nil
}
