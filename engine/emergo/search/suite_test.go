package search_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
	"github.com/luctor-et-emergo/emergod/engine/emergo/prove"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// suiteNodes is how many positions a search may visit to solve one of the suite.
const suiteNodes = 1_000_000

// A suitePosition is a line of testdata/suite.jsonl, which testdata/README.md explains.
type suitePosition struct {
	ID       string `json:"id"`
	Theme    string `json:"theme"`
	Position string `json:"position"`
	Best     string `json:"best"`
	Value    string `json:"value"`
	Others   int    `json:"others"`
	Proof    uint64 `json:"proof"`
}

func (s *suitePosition) game(t *testing.T) *emergo.Game {
	t.Helper()
	p, err := emergo.ParsePosition(s.Position)
	if err != nil {
		t.Fatal(err)
	}
	return emergo.NewGame(p, emergo.Rules{})
}

// plies returns how many plies the win takes, or 0 if the position is drawn.
func (s *suitePosition) plies() (n int) {
	fmt.Sscanf(s.Value, "win in %d", &n)
	return n
}

func suite(t *testing.T) (positions []suitePosition) {
	t.Helper()
	text, err := os.ReadFile("testdata/suite.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var s suitePosition
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&s); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		positions = append(positions, s)
	}
	return positions
}

func TestSuiteIsBroad(t *testing.T) {
	ids := map[string]bool{}
	fields := map[string]int{} // board and stage
	for _, s := range suite(t) {
		p := s.game(t).Position()
		if ids[s.ID] {
			t.Errorf("%s stands twice", s.ID)
		}
		ids[s.ID] = true
		if p.CountMoves() < 3 {
			t.Errorf("%s leaves too little to choose", s.ID)
		}
		if n := s.plies(); n != 0 && n < 5 || n == 0 && s.Value != "draw" {
			t.Errorf("%s is not worth solving: %s", s.ID, s.Value)
		}
		field := p.Board().String() + "-"
		switch {
		case s.Value == "draw":
			field += "drawn"
		case p.InHand(emergo.White)+p.InHand(emergo.Black) > 0:
			field += "entering"
		default:
			field += "stepping"
		}
		if !strings.HasPrefix(s.ID, field+"-") {
			t.Errorf("%s is of %s", s.ID, field)
		}
		fields[field]++
	}
	for field, least := range map[string]int{
		"7x7-entering": 20, "7x7-stepping": 15, "7x7-drawn": 10,
		"9x9-entering": 20, "9x9-stepping": 15, "9x9-drawn": 6,
	} {
		if fields[field] < least {
			t.Errorf("%d positions of %s: too few", fields[field], field)
		}
	}
}

// solve returns how many nodes a search takes until it answers with the best move and, if that wins,
// knows that it does; 0 if suiteNodes do not suffice.
func solve(s *suitePosition, searcher *search.Searcher, g *emergo.Game) (nodes uint64) {
	solved := func(r search.Result) bool {
		l := r.Lines[0]
		return l.Moves[0].String() == s.Best && (s.plies() == 0 || l.Score.Won())
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r := searcher.Search(ctx, g, search.Limits{Nodes: suiteNodes}, func(r search.Result) {
		switch {
		case !solved(r):
			nodes = 0
		case nodes == 0:
			nodes = r.Nodes
			if s.plies() > 0 { // a proof cannot be unlearned
				cancel()
			}
		}
	})
	if !solved(r) {
		return 0
	}
	return max(nodes, 1)
}

func TestSuiteIsSolved(t *testing.T) {
	searcher := search.New(8<<20, nil)
	most, total := uint64(0), uint64(0)
	for _, s := range suite(t) {
		nodes := solve(&s, searcher, s.game(t))
		if nodes == 0 {
			t.Errorf("%s (%s, %s): %s is not found", s.ID, s.Position, s.Value, s.Best)
		}
		total += nodes
		most = max(most, nodes)
	}
	t.Logf("solved in %d nodes together, in %d at most", total, most)
}

// TestSuiteIsProven proves what the suite claims. Positions whose proof takes long are left to
// EMERGO_SUITE=all.
func TestSuiteIsProven(t *testing.T) {
	const quick = 250_000 // nodes
	all := os.Getenv("EMERGO_SUITE") == "all"
	proven := 0
	for _, s := range suite(t) {
		if s.Proof > quick && !all {
			continue
		}
		proven++
		prover := prove.New(64 << 20)
		if s.plies() > 0 {
			proveWin(t, &s, prover)
		} else {
			proveDraw(t, &s, prover)
		}
		if all {
			t.Logf("%s: %d nodes", s.ID, prover.Nodes())
		}
	}
	if proven < 10 {
		t.Errorf("only %d positions have been proven", proven)
	}
}

// proveWin proves that the best move wins in no more and no fewer plies than is said, and that no other
// wins within those of Others.
func proveWin(t *testing.T, s *suitePosition, prover *prove.Prover) {
	ctx, n := context.Background(), s.plies()
	if got := prover.WinsWithin(ctx, s.game(t), n-2, 0); got != prove.Refuted {
		t.Errorf("%s: a win in fewer than %d plies is %v", s.ID, n, got)
	}
	for _, m := range s.game(t).AppendMoves(nil) {
		g := s.game(t)
		g.Play(m)
		plies, want := s.Others-1, prove.Refuted
		if m.String() == s.Best {
			plies, want = n-1, prove.Proven
		}
		if got := prover.LosesWithin(ctx, g, plies, 0); got != want {
			t.Errorf("%s: a win within %d plies by %v is %v, want %v", s.ID, plies+1, m, got, want)
		}
	}
}

// proveDraw proves that the position is drawn, by the endgame tables if they know it and else by closed
// sets, and that any move but the best loses within the plies of Others.
func proveDraw(t *testing.T, s *suitePosition, prover *prove.Prover) {
	const closed = 1_000_000
	ctx, g := context.Background(), s.game(t)
	if value, ok := endgame.Embedded().Probe(g.Position()); ok {
		if value != endgame.Draw {
			t.Errorf("%s: the endgame tables say %v", s.ID, value)
		}
	} else {
		for side := range emergo.Color(2) {
			if got := prover.Holds(ctx, g, side, closed); got != prove.Proven {
				t.Errorf("%s: that %v can hold out is %v", s.ID, side, got)
			}
		}
	}
	for _, m := range g.AppendMoves(nil) {
		if m.String() == s.Best {
			continue
		}
		next := s.game(t)
		next.Play(m)
		if got := prover.WinsWithin(ctx, next, s.Others-1, 0); got != prove.Proven {
			t.Errorf("%s: that %v loses within %d plies is %v", s.ID, m, s.Others, got)
		}
	}
}
