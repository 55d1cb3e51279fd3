package match

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// matchOf returns a short match on usual terms.
func matchOf(t testing.TB, first, second string) *Match {
	t.Helper()
	return &Match{
		Players:      [2]Spec{mustParse(t, first), mustParse(t, second)},
		Rules:        emergo.Rules{NoProgressLimit: DefaultNoProgressLimit},
		MaxPlies:     DefaultMaxPlies,
		OpeningPlies: DefaultOpeningPlies,
		Seed:         1,
		Pairs:        12,
		Threads:      2,
	}
}

// run plays a match and returns all it gives but times.
func run(t testing.TB, m *Match) (Tally, []Pair) {
	t.Helper()
	var pairs []Pair
	tally, err := m.Run(t.Context(), func(p Pair, _ Tally) error {
		pairs = append(pairs, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range tally.Spent {
		tally.Spent[i].Time = 0
	}
	for _, p := range pairs {
		for _, r := range p {
			r.Spent[0].Time, r.Spent[1].Time = 0, 0
		}
	}
	return tally, pairs
}

func TestThreadsMakeNoDifference(t *testing.T) {
	for _, players := range [][2]string{{"random", "greedy"}, {"uct:10", "alphabeta:2"}, {"search:nodes=200,hash=1", "search:depth=2,hash=1"}} {
		m := matchOf(t, players[0], players[1])
		m.Board, m.SPRT = emergo.Board7x7, &SPRT{-200, 200, 0.05, 0.05} // which ends at some pair
		m.Threads = 1
		tally, pairs := run(t, m)
		for _, m.Threads = range []int{2, 7} {
			if otherTally, otherPairs := run(t, m); otherTally != tally || !reflect.DeepEqual(otherPairs, pairs) {
				t.Errorf("%v with %d threads: %+v, want %+v", players, m.Threads, otherTally, tally)
			}
		}
		m.Seed = 2
		if _, otherPairs := run(t, m); slices.Equal(pairs[0][0].Moves, otherPairs[0][0].Moves) {
			t.Errorf("%v: another seed makes no difference", players)
		}
	}
}

func TestPairsSwapColours(t *testing.T) {
	_, pairs := run(t, matchOf(t, "greedy", "random"))
	openings := map[string]bool{}
	for k, p := range pairs {
		if p[0].Players != [2]string{"greedy", "random"} || p[1].Players != [2]string{"random", "greedy"} {
			t.Errorf("pair %d: players %v and %v", k, p[0].Players, p[1].Players)
		}
		opening := p[0].Moves[:p[0].Opening]
		if !slices.Equal(opening, p[1].Moves[:p[1].Opening]) || p[0].Pair != k || p[1].Pair != k {
			t.Errorf("pair %d: %+v has another opening than %+v", k, p[0], p[1])
		}
		if slices.Equal(p[0].Moves, p[1].Moves) {
			t.Errorf("pair %d: the same game twice", k)
		}
		openings[fmt.Sprint(opening)] = true
		// Only greedy counts nodes, so they tell who sat where.
		if p[0].Spent[emergo.White].Nodes == 0 || p[0].Spent[emergo.Black].Nodes != 0 ||
			p[1].Spent[emergo.White].Nodes != 0 || p[1].Spent[emergo.Black].Nodes == 0 {
			t.Errorf("pair %d: nodes %+v and %+v", k, p[0].Spent, p[1].Spent)
		}
	}
	if len(openings) != len(pairs) {
		t.Errorf("%d pairs share %d openings", len(pairs), len(openings))
	}
}

// A player that is a copy of its opponent makes exactly half of the points.
func TestAPlayerEqualsItself(t *testing.T) {
	m := matchOf(t, "search:nodes=200,hash=1", "search:nodes=200,hash=1")
	m.Board = emergo.Board7x7
	tally, _ := run(t, m)
	if want := (Pentanomial{2: m.Pairs}); tally.Pairs != want {
		t.Errorf("%v, want %v", tally.Pairs, want)
	}
}

func TestRandomPlayersAreEven(t *testing.T) {
	m := matchOf(t, "random", "random")
	m.Pairs = 400
	tally, _ := run(t, m)
	mean, variance := tally.Pairs.moments()
	if deviations := (mean - 0.5) / math.Sqrt(variance/float64(m.Pairs)); math.Abs(deviations) > 3.5 {
		t.Errorf("%v: %.1f standard errors from even", tally.Pairs, deviations)
	}
}

func TestStrongerPlayersWin(t *testing.T) {
	for _, players := range [][2]string{{"alphabeta:2", "greedy"}, {"uct:50", "random"}, {"search:nodes=300,hash=1", "alphabeta:2"}} {
		m := matchOf(t, players[0], players[1])
		m.Board, m.Pairs, m.SPRT = emergo.Board7x7, 1000, &SPRT{0, 200, 0.05, 0.05}
		if tally, _ := run(t, m); m.SPRT.Verdict(tally.Pairs) != AcceptsElo1 {
			t.Errorf("%v: %v", players, tally.Pairs)
		}
	}
}

func TestRecords(t *testing.T) {
	for _, b := range []emergo.Board{emergo.Board9x9, emergo.Board7x7} {
		m := matchOf(t, "search:nodes=200,hash=1", "random")
		m.Board, m.Pairs, m.MaxPlies = b, 10, map[emergo.Board]int{emergo.Board9x9: 65, emergo.Board7x7: 45}[b]
		reasons := map[string]int{}
		_, pairs := run(t, m)
		for _, p := range pairs {
			for _, r := range p {
				checkRecord(t, m, r)
				reasons[r.Reason()]++
			}
		}
		if len(reasons) < 2 {
			t.Errorf("all games end by %v, which shows too little", reasons)
		}
	}
}

// checkRecord replays a game from its JSON.
func checkRecord(t *testing.T, m *Match, r *Record) {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var j struct {
		Board, White, Black, Result, Reason string
		NoProgressLimit, Plies, Opening     int
		Moves                               []string
		Scores                              []*int
		Nodes                               [2]uint64
	}
	if err := json.Unmarshal(text, &j); err != nil {
		t.Fatal(err)
	}
	g := emergo.NewGame(emergo.StartPosition(m.Board), emergo.Rules{NoProgressLimit: j.NoProgressLimit})
	searches := map[string]bool{j.White: true, j.Black: false}["search:nodes=200,hash=1"]
	for i, move := range j.Moves {
		turn := g.Position().Turn()
		if i >= j.Opening {
			if scored := j.Scores[i-j.Opening] != nil; scored != (searches == (turn == emergo.White)) {
				t.Errorf("move %d of %s: scored %v", i, text, scored)
			}
		}
		if m, err := g.PlayText(move); err != nil || m != r.Moves[i] {
			t.Fatalf("move %d of %s: %v %v", i, text, m, err)
		}
	}
	words := map[emergo.Result]string{emergo.Ongoing: "draw", emergo.Draw: "draw", emergo.WhiteWins: "white", emergo.BlackWins: "black"}
	reason := g.Outcome().End.String()
	if !g.Outcome().Over() {
		reason = BrokenOff
	}
	if j.Board != m.Board.String() || j.Plies != len(j.Moves) || j.Plies > m.MaxPlies || len(j.Scores) != j.Plies-j.Opening ||
		j.Result != words[g.Outcome().Result] || j.Reason != reason || (j.Nodes[0] > 0) != searches {
		t.Errorf("%s; want %v, %s", text, g.Outcome(), reason)
	}
}

// opening returns an opening of the standard game.
func opening(t testing.TB, least, most int, seed, k uint64) []emergo.Move {
	t.Helper()
	moves, err := Opening(emergo.Board9x9, emergo.Rules{}, least, most, seed, k)
	if err != nil {
		t.Fatal(err)
	}
	return moves
}

func TestOpenings(t *testing.T) {
	lengths := map[int]int{}
	for k := range uint64(100) {
		moves := opening(t, 4, 8, 9, k)
		lengths[len(moves)]++
		g := emergo.NewGame(emergo.StartPosition(emergo.Board9x9), emergo.Rules{})
		for _, m := range moves {
			if _, err := g.PlayText(m.String()); err != nil {
				t.Fatalf("opening %d: %v", k, err)
			}
		}
		if !slices.Equal(moves, opening(t, 4, 8, 9, k)) {
			t.Errorf("opening %d changes", k)
		}
	}
	for n := range lengths {
		if n < 4 || n > 8 || len(lengths) != 5 {
			t.Errorf("lengths %v, want 4 to 8", lengths)
		}
	}
	// It must be the same everywhere.
	if got, want := fmt.Sprint(opening(t, 4, 4, 1, 0)), "[a7 g7 a1 g5]"; got != want {
		t.Errorf("opening 0 of seed 1 is %s, want %s", got, want)
	}
}

// stub is a player for one test.
type stub struct {
	begin  func() error
	choose func(ctx context.Context, g *emergo.Game) (Choice, error)
	closed *int
}

func (s stub) Begin(context.Context, *emergo.Game, uint64) error {
	if s.begin == nil {
		return nil
	}
	return s.begin()
}

func (s stub) Choose(ctx context.Context, g *emergo.Game) (Choice, error) { return s.choose(ctx, g) }

func (s stub) Close() error {
	if s.closed != nil {
		*s.closed++
	}
	return nil
}

func specOf(p Player) Spec {
	return Spec{text: "stub", make: func() (Player, error) { return p, nil }}
}

func TestFaultsOfPlayersEndTheMatch(t *testing.T) {
	fault := errors.New("out of order")
	closed := 0
	tests := []struct {
		name, says string
		spec       Spec
	}{
		{"cannot be made", `player "stub": out of order`, Spec{text: "stub", make: func() (Player, error) { return nil, fault }}},
		{"cannot begin", `player "stub": out of order`, specOf(stub{begin: func() error { return fault }, closed: &closed})},
		{"cannot choose", `player "stub": out of order`, specOf(stub{closed: &closed, choose: func(context.Context, *emergo.Game) (Choice, error) { return Choice{}, fault }})},
		{"illegal move", "is no legal move in ", specOf(stub{closed: &closed, choose: func(_ context.Context, g *emergo.Game) (Choice, error) {
			return Choice{Move: g.AppendMoves(nil)[0] + 1<<40}, nil
		}})},
		{"no move", "is no legal move in ", specOf(stub{closed: &closed, choose: func(context.Context, *emergo.Game) (Choice, error) { return Choice{}, nil }})},
	}
	for _, test := range tests {
		m := matchOf(t, "random", "random")
		m.Players[0], m.Threads = test.spec, 1
		if _, err := m.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %q", test.name, err, test.says)
		}
	}
	if want := len(tests) - 1; closed != want {
		t.Errorf("%d players were closed, want %d", closed, want)
	}
}

func TestInterruptedMatchKeepsItsTally(t *testing.T) {
	m := matchOf(t, "random", "random")
	m.Pairs = 1_000_000
	ctx, cancel := context.WithCancel(t.Context())
	tally, err := m.Run(ctx, func(_ Pair, tally Tally) error {
		if tally.Pairs.Count() == 5 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || tally.Pairs.Count() < 5 || tally.Pairs.Count() == m.Pairs {
		t.Errorf("%v, %v", tally.Pairs, err)
	}
}

func TestReportCanEndTheMatch(t *testing.T) {
	full := errors.New("disk full")
	tally, err := matchOf(t, "random", "random").Run(t.Context(), func(Pair, Tally) error { return full })
	if !errors.Is(err, full) || tally.Pairs.Count() != 1 {
		t.Errorf("%v, %v", tally.Pairs, err)
	}
}

func TestWrongTerms(t *testing.T) {
	tests := []struct {
		name, says string
		change     func(*Match)
	}{
		{"no pairs", "at least one pair of games, not 0", func(m *Match) { m.Pairs = 0 }},
		{"openings", "from 8 to 4 plies", func(m *Match) { m.OpeningPlies = [2]int{8, 4} }},
		{"openings that end the game", "ended within openings of 60 to 60 plies", func(m *Match) {
			m.OpeningPlies, m.Rules.NoProgressLimit = [2]int{60, 60}, 1
		}},
		{"progress", "a limit of -1 plies without progress", func(m *Match) { m.Rules.NoProgressLimit = -1 }},
		{"plies", "leaves nothing to play", func(m *Match) { m.MaxPlies = 8 }},
		{"hypotheses", "must be less than the second", func(m *Match) { m.SPRT = &SPRT{5, 5, 0.05, 0.05} }},
		{"errors", "between 0 and 0.5", func(m *Match) { m.SPRT = &SPRT{0, 5, 0.5, 0.05} }},
		{"clock", "need a processor for each game", func(m *Match) {
			m.Players[1], m.Threads = mustParse(t, "search:1ms"), runtime.GOMAXPROCS(0)+1
		}},
	}
	for _, test := range tests {
		m := matchOf(t, "random", "random")
		test.change(m)
		if _, err := m.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %q", test.name, err, test.says)
		}
	}
}

func TestLadder(t *testing.T) {
	var rungs []Spec
	for _, text := range DefaultLadder {
		rungs = append(rungs, mustParse(t, text))
	}
	var got []string
	for _, c := range Ladder(rungs) {
		got = append(got, fmt.Sprintf("%v %v %.3f", c.Players[0], c.Players[1], c.Aim))
	}
	want := []string{
		"greedy random 0.000",
		"alphabeta:4 greedy 0.000",
		"uct:10000 alphabeta:4 0.000",
		"search:10ms uct:10000 0.000",
		"search:100ms random 0.990",
		"search:100ms greedy 0.990",
		"search:100ms uct:10000 0.950",
		"search:100ms search:10ms 0.703",
		"search:1000ms search:100ms 0.703",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
