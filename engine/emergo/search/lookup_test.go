package search_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// TestLookUpAnswersAsSearch plays endings by chance, by all rules and with positions that repeat: LookUp
// answers what Search answers without a search, and nothing else.
func TestLookUpAnswersAsSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(72, 1))
	searcher := search.New(1<<20, endgame.Embedded())
	answered, refused := 0, 0
	for range 300 {
		g := emergo.NewGame(tableEnding(t, rng), claimRules(rng))
		for range 10 {
			lines := rng.IntN(5)
			found := searcher.Search(context.Background(), g, search.Limits{Nodes: 1, Lines: lines}, nil)
			got, ok := search.LookUp(g, lines, endgame.Embedded())
			if ok != (found.Nodes == 0) || ok && !reflect.DeepEqual(untimed(got), untimed(found)) {
				t.Fatalf("after %v of %v by %+v LookUp says %+v, %v; Search says %+v", g.Moves(), g.Anchor(), g.Rules(), got, ok, found)
			}
			if ok {
				answered++
			} else {
				refused++
			}
			if g.Outcome().Over() {
				break
			}
			moves := g.AppendMoves(nil)
			m := moves[rng.IntN(len(moves))]
			if back, ok := goBack(g, moves); ok && rng.IntN(2) > 0 {
				m = back
			}
			g.Play(m)
		}
	}
	if answered < 300 || refused < 300 {
		t.Errorf("%d questions are answered, %d are not: too few to show anything", answered, refused)
	}
}

// TestLookUpLeavesTheRestToSearch asks for what no table knows, or what it knows too little of.
func TestLookUpLeavesTheRestToSearch(t *testing.T) {
	for name, c := range map[string]struct {
		tables   *endgame.Tables
		rules    emergo.Rules
		position string
	}{
		"a game that has begun":   {endgame.Embedded(), emergo.Rules{}, middle},
		"no tables":               {nil, emergo.Rules{}, "8l@/9/9/9/9/9/9/9/L@8 w 0 0,0"},
		"a blocked side loses":    {endgame.Embedded(), emergo.Rules{BlockedLoses: true}, "8l@/9/9/9/9/9/9/9/L@8 w 0 0,0"},
		"a limit too near":        {endgame.Embedded(), emergo.Rules{NoProgressLimit: 3}, "8l@/9/9/9/9/9/9/9/L@8 w 0 0,0"},
		"a win of unknown length": {endgame.Embedded(), emergo.Rules{}, "7/7/7/3hf3/7/7/A@1A@4 w 60 0,0"},
	} {
		if r, ok := search.LookUp(game(t, c.rules, c.position), 1, c.tables); ok {
			t.Errorf("%s: the answer is %+v", name, r)
		}
	}
}

// BenchmarkLookUp tells what it takes where tables with distances answer, on average and at most, and where
// they do not.
func BenchmarkLookUp(b *testing.B) {
	built, err := endgame.Build(b.Context(), emergo.Board7x7, 3, func(endgame.Progress) {})
	if err != nil {
		b.Fatal(err)
	}
	var file bytes.Buffer
	if err := endgame.Write(&file, built...); err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "tables")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	tables, err := endgame.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer tables.Close()
	var endings []*emergo.Game
	for i := range uint64(5_000) {
		rng := rand.New(rand.NewPCG(i, 1))
		endings = append(endings, emergo.NewGame(tableEnding(b, rng), emergo.Rules{}))
	}
	longest, most := endings[0], uint64(0)
	for _, g := range endings {
		if r, ok := search.LookUp(g, 64, tables); ok && r.TableHits > most {
			longest, most = g, r.TableHits
		}
	}
	for _, c := range []struct {
		name  string
		games []*emergo.Game
		lines int
	}{
		{"ending", endings, 1},
		{"ending, all lines", endings, 64},
		{"the longest ending, all lines", []*emergo.Game{longest}, 64},
		{"start", []*emergo.Game{game(b, emergo.Rules{}, "9/9/9/9/9/9/9/9/9 w 0 12,12")}, 1},
		{"18 pieces", []*emergo.Game{game(b, emergo.Rules{}, middle)}, 1},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var probes uint64
			for i := range b.N {
				r, _ := search.LookUp(c.games[i%len(c.games)], c.lines, tables)
				probes += r.TableHits
			}
			b.ReportMetric(float64(probes)/float64(b.N), "probes/op")
		})
	}
}

// TestDrawsAtHandNeedNoSearch asks about drawn positions that the rules or the tables settle.
func TestDrawsAtHandNeedNoSearch(t *testing.T) {
	for name, c := range map[string]struct {
		rules    emergo.Rules
		tables   *endgame.Tables
		position string
		moves    []string
		best     string
	}{
		"the only move blocks the opponent": {
			position: "2ab4/5A@1/6ac/1a@5/2a@4/1a@1a@3/A@1a@1aa2 b 27 0,0", best: "g5xe7",
		},
		"the only move repeats the position for the third time": {
			position: "8a@/9/9/9/9/9/9/1A@7/9 b 0 0,0",
			moves:    []string{"i9-h8", "b2-a1", "h8-i9", "a1-b2", "i9-h8", "b2-a1", "h8-i9"}, best: "a1-b2",
		},
		"no move makes progress in time": {
			rules: emergo.Rules{NoProgressLimit: 1}, position: "8a@/9/9/9/9/9/9/9/A@8 w 0 0,0", best: "a1-b2",
		},
		"a drawn ending in which positions have occurred twice": {
			tables: endgame.Embedded(), position: "2AB4/7/AC3cf2/7/7/7/7 b 0 0,0",
			moves: []string{"e5-f6", "a5-b6", "f6-e5", "b6-a5", "e5-f6"}, best: "a5-b4",
		},
	} {
		g := game(t, c.rules, c.position, c.moves...)
		r, ok := search.LookUp(g, 1, c.tables)
		if !ok || len(r.Lines) != 1 || !r.Lines[0].Exact || r.Lines[0].Score != 0 || r.Lines[0].Moves[0].String() != c.best {
			t.Errorf("%s: %+v, %v, want %s for a draw", name, r, ok, c.best)
		}
	}
	// What occurs for the second time does not end the game.
	g := game(t, emergo.Rules{}, "8a@/9/9/9/9/9/9/1A@7/9 b 0 0,0", "i9-h8", "b2-a1", "h8-i9")
	if r, ok := search.LookUp(g, 1, nil); ok {
		t.Errorf("a position that occurs for the second time is settled: %+v", r)
	}
}
