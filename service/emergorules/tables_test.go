package emergorules_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
)

// tablesFile writes endgame tables with distances.
func tablesFile(t *testing.T) string {
	t.Helper()
	tables, err := endgame.Build(t.Context(), emergo.Board7x7, 2, func(endgame.Progress) {})
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
