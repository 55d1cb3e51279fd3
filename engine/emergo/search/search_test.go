package search_test

import (
	"cmp"
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

const hash = 4 << 20

// game returns the game that stands at a position after moves.
func game(t testing.TB, rules emergo.Rules, position string, moves ...string) *emergo.Game {
	t.Helper()
	p, err := emergo.ParsePosition(position)
	if err != nil {
		t.Fatal(err)
	}
	g := emergo.NewGame(p, rules)
	for _, m := range moves {
		if _, err := g.PlayText(m); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// untimed returns r without what differs from one time to the next.
func untimed(r search.Result) search.Result {
	r.Time = 0
	return r
}

const middle = "4A@1a@2/3A@3a@1/aa8/1a@1a@1a@1A@1/A@7A@/1a@1aa3A@1/6A@2/9/A@1a@3A@2 w 22 1,3"

func TestSameNodesSameResult(t *testing.T) {
	used := search.New(hash, nil)
	for _, position := range []string{middle, "9/9/9/9/9/9/9/9/9 w 0 12,12", "7/7/7/7/7/7/7 w 0 8,8"} {
		for _, limits := range []search.Limits{{Nodes: 30_000}, {Depth: 5}, {Nodes: 20_000, Lines: 3}} {
			g := game(t, emergo.Rules{}, position)
			first := untimed(search.New(hash, nil).Search(context.Background(), g, limits, nil))
			again := untimed(used.Search(context.Background(), g, limits, nil))
			if !reflect.DeepEqual(first, again) {
				t.Errorf("%s within %+v: %+v by a new searcher, %+v by one used before", position, limits, first, again)
			}
		}
	}
}

func TestLimitsEndTheSearch(t *testing.T) {
	g := game(t, emergo.Rules{}, middle)
	s := search.New(hash, nil)
	for _, nodes := range []uint64{1, 1_000, 12_345} {
		if r := s.Search(context.Background(), g, search.Limits{Nodes: nodes}, nil); r.Nodes > max(nodes, 100) {
			t.Errorf("%d nodes were visited, %d allowed", r.Nodes, nodes)
		}
	}
	for depth := 1; depth <= 6; depth++ {
		if r := s.Search(context.Background(), g, search.Limits{Depth: depth}, nil); r.Depth != depth {
			t.Errorf("depth %d was reached, %d asked for", r.Depth, depth)
		}
	}
	r := s.Search(context.Background(), g, search.Limits{Time: 20 * time.Millisecond}, nil)
	if r.Depth == 0 || len(r.Lines) != 1 {
		t.Errorf("within 20 ms the result is %+v", r)
	}
}

// exchanges has captures that lead to captures for dozens of plies.
const exchanges = "9/5A@3/6a@2/1C@5AA1/2c@1B@4/9/4b@3A@/3BB1B@3/4c@4 w 0 0,0"

// TestLimitsHoldFromTheFirstDepth searches where depth 1 takes more than the limit.
func TestLimitsHoldFromTheFirstDepth(t *testing.T) {
	g := game(t, emergo.Rules{}, exchanges)
	s := search.New(hash, nil)
	if r := s.Search(context.Background(), g, search.Limits{Depth: 1}, nil); r.Nodes < 3_000 || r.Nodes > 30_000 {
		t.Errorf("depth 1 takes %d nodes: too few to show anything, or more than a table of exchanges leaves", r.Nodes)
	}
	for name, l := range map[string]search.Limits{
		"nodes":           {Nodes: 1},
		"nodes and lines": {Nodes: 1, Lines: 64},
		"time":            {Time: 1},
	} {
		var reports []search.Result
		r := s.Search(context.Background(), g, l, func(r search.Result) { reports = append(reports, r) })
		if r.Depth != 0 || r.Nodes > 1_024 || len(r.Lines) != min(max(l.Lines, 1), 3) || r.Settled {
			t.Errorf("%s: depth %d, %d nodes, lines %v", name, r.Depth, r.Nodes, r.Lines)
		}
		if len(reports) != 1 || !slices.IsSortedFunc(r.Lines, func(a, b search.Line) int { return cmp.Compare(b.Score, a.Score) }) {
			t.Errorf("%s: %d reports, the last of lines %v", name, len(reports), r.Lines)
		}
		for _, l := range r.Lines {
			if len(l.Moves) != 1 || l.Exact {
				t.Errorf("%s: a line at first sight is %v, exact: %v", name, l.Moves, l.Exact)
			}
		}
	}
}

func TestEndOfContextEndsTheSearch(t *testing.T) {
	g := game(t, emergo.Rules{}, middle)
	ctx, cancel := context.WithCancel(context.Background())
	depths := 0
	r := search.New(hash, nil).Search(ctx, g, search.Limits{}, func(search.Result) {
		if depths++; depths == 4 {
			cancel()
		}
	})
	if r.Depth < 4 || r.Depth > 8 || len(r.Lines[0].Moves) == 0 {
		t.Errorf("cancelled after depth 4, the search returned depth %d, line %v", r.Depth, r.Lines[0].Moves)
	}
	r = search.New(hash, nil).Search(ctx, g, search.Limits{}, nil)
	if len(r.Lines) != 1 || len(r.Lines[0].Moves) == 0 || r.Lines[0].Exact {
		t.Errorf("cancelled before it began, the search returned %+v", r)
	}
}

func TestReportsEachDepth(t *testing.T) {
	var reports []search.Result
	last := search.New(hash, nil).Search(context.Background(), game(t, emergo.Rules{}, middle), search.Limits{Depth: 6},
		func(r search.Result) { reports = append(reports, r) })
	for i, r := range reports {
		if r.Depth != i+1 {
			t.Errorf("report %d is of depth %d", i, r.Depth)
		}
	}
	if len(reports) != 6 || !reflect.DeepEqual(reports[5].Lines, last.Lines) {
		t.Errorf("%d reports, the last with lines %v, the result with %v", len(reports), reports[len(reports)-1].Lines, last.Lines)
	}
}

func TestLinesAreLegalAndOrdered(t *testing.T) {
	for _, position := range []string{middle, "9/9/9/9/9/9/9/9/9 w 0 12,12"} {
		g := game(t, emergo.Rules{}, position)
		r := search.New(hash, nil).Search(context.Background(), g, search.Limits{Depth: 5, Lines: 4}, nil)
		if len(r.Lines) != 4 {
			t.Errorf("%s: %d lines, want 4", position, len(r.Lines))
		}
		begun := map[emergo.Move]bool{}
		for i, line := range r.Lines {
			if begun[line.Moves[0]] {
				t.Errorf("%s: two lines begin with %v", position, line.Moves[0])
			}
			begun[line.Moves[0]] = true
			if i > 0 && line.Score > r.Lines[i-1].Score {
				t.Errorf("%s: line %d is worth %v, the one before %v", position, i, line.Score, r.Lines[i-1].Score)
			}
			playing := game(t, emergo.Rules{}, position)
			for _, m := range line.Moves {
				if _, err := playing.PlayText(m.String()); err != nil {
					t.Errorf("%s: line %v: %v", position, line.Moves, err)
				}
			}
		}
	}
	few := game(t, emergo.Rules{}, "9/9/2a@1a@4/9/4a@4/3D@5/9/5A@3/6b@2 b 0 0,0")
	if r := search.New(hash, nil).Search(context.Background(), few, search.Limits{Depth: 3, Lines: 9}, nil); len(r.Lines) != 1 {
		t.Errorf("%d lines where one move is legal", len(r.Lines))
	}
}

func TestFinishedGameIsExact(t *testing.T) {
	back := []string{"a1-b2", "i9-h8", "b2-a1", "h8-i9", "a1-b2", "i9-h8", "b2-a1", "h8-i9"}
	const apart = "8a@/9/9/9/9/9/9/9/A@8 w 0 0,0"
	for name, c := range map[string]struct {
		rules    emergo.Rules
		position string
		moves    []string
		want     search.Score
	}{
		"no pieces":            {emergo.Rules{}, "8a@/9/9/9/9/9/9/9/9 w 0 0,0", nil, -31_000},
		"blocked":              {emergo.Rules{}, "9/9/9/9/9/9/2a@6/1a@7/A@8 w 0 0,0", nil, 0},
		"blocked, which loses": {emergo.Rules{BlockedLoses: true}, "9/9/9/9/9/9/2a@6/1a@7/A@8 w 0 0,0", nil, -31_000},
		"repetition":           {emergo.Rules{}, apart, back, 0},
		"no progress":          {emergo.Rules{NoProgressLimit: 4}, apart, back[:4], 0},
	} {
		r := search.New(hash, endgame.Embedded()).Search(context.Background(), game(t, c.rules, c.position, c.moves...), search.Limits{}, nil)
		if l := r.Lines[0]; len(r.Lines) != 1 || !l.Exact || l.Score != c.want || len(l.Moves) != 0 || r.Nodes != 0 {
			t.Errorf("%s: %+v, want an exact %v and no moves", name, r, c.want)
		}
	}
}

// TestSettled tells a search that has read all there is from one that a limit ended, be it at the very same
// depth.
func TestSettled(t *testing.T) {
	const (
		winIn1 = "9/9/2a@1a@4/9/2bb1a@4/3C@5/9/9/9 w 1 0,0"
		ending = "8l@/9/9/9/9/9/9/9/L@8 w 0 0,0" // known with distances
	)
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		ctx      context.Context
		position string
		limits   search.Limits
		settled  bool
	}{
		"no limit":                  {context.Background(), winIn1, search.Limits{}, true},
		"at the depth asked for":    {context.Background(), winIn1, search.Limits{Depth: 1}, true},
		"at the nodes asked for":    {context.Background(), winIn1, search.Limits{Nodes: 1}, true},
		"from a table":              {context.Background(), ending, search.Limits{Depth: 1}, true},
		"a finished game":           {context.Background(), "8a@/9/9/9/9/9/9/9/9 w 0 0,0", search.Limits{}, true},
		"limited in depth":          {context.Background(), middle, search.Limits{Depth: 3}, false},
		"limited in nodes":          {context.Background(), middle, search.Limits{Nodes: 3_000}, false},
		"limited in time":           {context.Background(), middle, search.Limits{Time: time.Millisecond}, false},
		"cancelled before it began": {gone, middle, search.Limits{}, false},
	} {
		var reported search.Result
		r := search.New(hash, endgame.Embedded()).Search(c.ctx, game(t, emergo.Rules{}, c.position), c.limits, func(r search.Result) { reported = r })
		if r.Settled != c.settled || reported.Settled != c.settled {
			t.Errorf("%s: settled is %v, as reported %v: %+v", name, r.Settled, reported.Settled, r)
		}
	}
}

// TestThirdOccurrenceIsADraw gives Black a won ending that play has brought about twice before, so
// that the winning move leads to its third occurrence.
func TestThirdOccurrenceIsADraw(t *testing.T) {
	const apart = "8a@/9/9/9/9/9/9/9/A@8 w 0 0,0"
	round := []string{"a1-b2", "i9-h8", "b2-a1", "h8-i9"}
	g := game(t, emergo.Rules{}, apart, append(round, round[:3]...)...)
	r := search.New(hash, nil).Search(context.Background(), g, search.Limits{Depth: 1, Lines: 9}, nil)
	found := false
	for _, l := range r.Lines {
		if l.Moves[0].String() == "h8-i9" {
			found = true
			if l.Score != 0 {
				t.Errorf("the third occurrence is worth %v", l.Score)
			}
		}
	}
	if !found {
		t.Errorf("h8-i9 is in no line of %+v", r.Lines)
	}
}

func TestTablesAnswerAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		rules    emergo.Rules
		position string
		exact    bool
	}{
		"two pieces":             {emergo.Rules{}, "8l@/9/9/9/9/9/9/9/L@8 w 0 0,0", true},
		"a blocked side loses":   {emergo.Rules{BlockedLoses: true}, "8l@/9/9/9/9/9/9/9/L@8 w 0 0,0", false},
		"a limit too near":       {emergo.Rules{NoProgressLimit: 3}, "8l@/9/9/9/9/9/9/9/L@8 w 0 0,0", false},
		"a limit far away":       {emergo.Rules{NoProgressLimit: 100}, "8l@/9/9/9/9/9/9/9/L@8 w 0 0,0", true},
		"men have been left out": {emergo.Rules{}, "8k@/9/9/9/9/9/9/9/K@8 w 0 0,0", false},
	} {
		s := search.New(hash, endgame.Embedded())
		r := s.Search(context.Background(), game(t, c.rules, c.position), search.Limits{Depth: 2}, nil)
		if r.Lines[0].Exact != c.exact || c.exact && r.Nodes != 0 {
			t.Errorf("%s: %+v, want exact %v", name, r, c.exact)
		}
		if !c.exact {
			continue
		}
		n, known := r.Lines[0].Score.Plies()
		if !known || len(r.Lines[0].Moves) != n {
			t.Errorf("%s: %v, with a line of %d plies", name, r.Lines[0].Score, len(r.Lines[0].Moves))
		}
	}
}

// TestTableWinsAreWon plays endings of three pieces, whose distances are not built in, from won
// positions against the best defence that the search finds: the win must be kept and in the end
// brought home.
func TestTableWinsAreWon(t *testing.T) {
	tables := endgame.Embedded()
	white, black := search.New(hash, tables), search.New(hash, tables)
	rng := rand.New(rand.NewPCG(5, 5))
	for range 6 {
		g := emergo.NewGame(wonEnding(t, rng, tables), emergo.Rules{})
		winner, start := g.Position().Turn(), g.Position().String()
		for ply := 0; !g.Outcome().Over() && ply < 150; ply++ {
			s := white
			if g.Position().Turn() == emergo.Black {
				s = black
			}
			r := s.Search(context.Background(), g, search.Limits{Nodes: 5_000}, nil)
			if l := r.Lines[0]; !l.Exact || l.Score.Won() != (g.Position().Turn() == winner) {
				t.Fatalf("%v: %+v", g.Position(), r)
			}
			g.Play(r.Lines[0].Moves[0])
		}
		if g.Outcome().End != emergo.NoPieces || g.Position().Turn() == winner {
			t.Errorf("%s ended so: %v", start, g.Outcome())
		}
	}
}

// wonEnding returns a position of three pieces on the 7x7 board, by chance, in which White is to move
// and wins.
func wonEnding(t *testing.T, rng *rand.Rand, tables *endgame.Tables) emergo.Position {
	squares := emergo.Board7x7.Squares()
	for {
		at := rng.Perm(len(squares))
		a, b, held := 1+rng.IntN(4), 1+rng.IntN(3), rng.IntN(4)
		setup := emergo.Setup{Board: emergo.Board7x7, Pieces: []emergo.PlacedPiece{
			{Square: squares[at[0]], Piece: emergo.Piece{Owner: emergo.White, Cap: a, Prisoners: held}},
			{Square: squares[at[1]], Piece: emergo.Piece{Owner: emergo.White, Cap: b}},
			{Square: squares[at[2]], Piece: emergo.Piece{Owner: emergo.Black, Cap: 8 - held, Prisoners: 8 - a - b}},
		}}
		p, err := setup.Position()
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := tables.Probe(&p); !ok {
			t.Fatalf("%v is in no table", &p)
		} else if v == endgame.Win {
			return p
		}
	}
}

func TestTechniquesSwitchOff(t *testing.T) {
	nodes := func(names ...string) (n uint64) {
		s := search.New(hash, nil)
		if err := s.Without(names...); err != nil {
			t.Fatal(err)
		}
		for _, position := range []string{middle, "9/9/9/9/9/9/9/9/9 w 0 12,12", "2A@1ba2/7/2b@4/3A@3/2A@1aa2/7/7 w 30 0,0"} {
			n += s.Search(context.Background(), game(t, emergo.Rules{}, position), search.Limits{Depth: 6}, nil).Nodes
		}
		return n
	}
	with := nodes()
	for _, name := range search.Techniques() {
		if nodes(name) == with {
			t.Errorf("without %s the search is the same", name)
		}
	}
	if err := search.New(hash, nil).Without("sense"); err == nil {
		t.Error("an unknown technique was switched off")
	}
}

func TestScoreInWords(t *testing.T) {
	for score, want := range map[search.Score]string{
		0: "+0.00", 150: "+1.50", -7: "-0.07", 31_000: "win in 0", 30_993: "win in 7", -30_996: "loss in 4", 29_000: "win", -28_990: "loss",
	} {
		if got := score.String(); got != want {
			t.Errorf("%d is %q, want %q", score, got, want)
		}
	}
}
