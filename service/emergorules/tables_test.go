package emergorules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// tablesFile writes endgame tables with distances, of three pieces too: those are not embedded.
func tablesFile(t *testing.T) string {
	t.Helper()
	tables, err := endgame.Build(t.Context(), emergo.Board7x7, 3, func(endgame.Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "7x7.tables")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := endgame.Write(f, tables...); err != nil {
		t.Fatal(err)
	}
	return name
}

// What is known of endings is answered as a fact, with the distance if a file has it, and every answer of
// the tables is counted.
func TestEndgameTablesAreUsed(t *testing.T) {
	config := smallConfig()
	plain, _ := startServerWith(t, config)
	config.Tables = tablesFile(t)
	full, _ := startServerWith(t, config)
	var plainHits, fullHits int32
	for position, want := range map[string]struct{ plain, full string }{
		"7/7/7/1bf5/7/7/2BF4 w 60 0,0":  {"win in 15", "win in 15"}, // two pieces
		"6ga/7/ad6/7/7/1C@5/7 w 0 0,0":  {"win", "win in 141"},
		"6ga/7/ad6/7/C@6/7/7 b 1 0,0":   {"loss", "loss in 140"},
		"6ga/1ad5/7/7/C@6/7/7 w 2 0,0":  {"win", "win in 139"},
		"6ga/1ad5/7/1C@5/7/7/7 b 3 0,0": {"loss", "loss in 138"},
	} {
		request := &emergov1.EvaluateRequest{Game: at(position), Limits: &emergov1.SearchLimits{Nodes: 20_000}}
		without := evaluate(t, emergov1.NewRulesServiceClient(dial(t, plain.Addr())), request).GetEvaluation()
		with := evaluate(t, emergov1.NewRulesServiceClient(dial(t, full.Addr())), request).GetEvaluation()
		if got := best(t, without); got != want.plain {
			t.Errorf("%s is worth %s, want %s", position, got, want.plain)
		}
		if got := best(t, with); got != want.full || with.GetNodes() > 0 {
			t.Errorf("with distances %s is worth %s, want %s: %v", position, got, want.full, with)
		}
		plainHits, fullHits = plainHits+without.GetTableHits(), fullHits+with.GetTableHits()
	}
	if plainHits == 0 || fullHits == 0 {
		t.Errorf("%d and %d table hits are told", plainHits, fullHits)
	}
	for s, hits := range map[*server.Server]int32{plain: plainHits, full: fullHits} {
		want := []string{fmt.Sprint("emergod_evaluate_table_hits_total ", hits)}
		if got := scrape(t, s, "emergod_evaluate_table_hits_total"); !slices.Equal(got, want) {
			t.Errorf("the metrics say %q, want %q", got, want)
		}
	}
}
