package match

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

func mustParse(t testing.TB, text string) Spec {
	t.Helper()
	spec, err := ParseSpec(text)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func TestSpecs(t *testing.T) {
	weights := filepath.Join(t.TempDir(), "weights.txt")
	if err := os.WriteFile(weights, search.Built(emergo.Board9x9).AppendText(nil, emergo.Board9x9), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		text  string
		timed bool
	}{
		{"random", false},
		{"greedy", false},
		{"alphabeta", false},
		{"alphabeta:3", false},
		{"uct", false},
		{"uct:10000", false},
		{"search:10ms", true},
		{"search:1s,nodes=1000", true},
		{"search:nodes=20000,hash=1", false},
		{"search:nodes=100,chance=2", false},
		{"search:depth=6,without=" + strings.Join(search.Techniques(), "+"), false},
		{"search:depth=6,weights=" + weights, false},
	}
	for _, test := range tests {
		spec := mustParse(t, test.text)
		if spec.String() != test.text || spec.Timed() != test.timed {
			t.Errorf("%s is read as %v, timed %v", test.text, spec, spec.Timed())
		}
		player, err := spec.New()
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		player.Close()
	}
}

func TestSearchLimits(t *testing.T) {
	player, err := mustParse(t, "search:1s,nodes=1000,depth=6").New()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := player.(*searching).limits, (search.Limits{Time: time.Second, Nodes: 1000, Depth: 6}); got != want {
		t.Errorf("limits %+v, want %+v", got, want)
	}
}

func TestWrongSpecs(t *testing.T) {
	tests := []struct{ text, says string }{
		{"", "there are random, greedy, alphabeta, uct, search, exec"},
		{"rybka", `there is no player "rybka"`},
		{"random:3", `there is no option "3"`},
		{"greedy:nodes=3", "there is no option nodes=3"},
		{"alphabeta:0", `"0" must be a whole number from 1 to 20`},
		{"alphabeta:x", `"x" must be a whole number from 1 to 20`},
		{"uct:-1", `"-1" must be a whole number from 1 to `},
		{"search", "it needs a limit"},
		{"search:hash=8", "it needs a limit"},
		{"search:10", `"10" must be a time longer than zero, as in 100ms`},
		{"search:-10ms", `"-10ms" must be a time longer than zero`},
		{"search:nodes=9,chance=101", "chance=101 must be a whole number from 0 to 100"},
		{"search:nodes=0", "nodes=0 must be a whole number from 1"},
		{"search:depth=101", "depth=101 must be a whole number from 1 to 100"},
		{"search:depth=3,depth=4", `"depth=4" is one option too many`},
		{"search:10ms,20ms", `"20ms" is one option too many`},
		{"search:10ms,without=luck", `there is no technique "luck"`},
		{"search:10ms,weights=/nowhere/at/all", "no such file"},
		{"search:10ms,weights=", "weights= must name a file"},
		{"search:10ms,ponder=on", "there is no option ponder=on"},
		{"exec:", "it needs a command"},
	}
	for _, test := range tests {
		if _, err := ParseSpec(test.text); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%q: %v, want %q", test.text, err, test.says)
		}
	}
}

// A file that holds no weights for the board is refused before a game begins, by a player that is on
// its own too, and the refusal shows what is wanted.
func TestWrongWeightsAreRefused(t *testing.T) {
	built := func(b emergo.Board) string { return string(search.Built(b).AppendText(nil, b)) }
	first, _, _ := strings.Cut(built(emergo.Board9x9), "\n")
	wanted := fmt.Sprintf("is no file of weights for 9x9, whose first line is as in %q: ", first)
	for _, test := range []struct{ name, text, says string }{
		{"nothing", "", wanted},
		{"something else", "nonsense\n", wanted},
		{"the beginning", first + "\n", wanted},
		{"a weight that is no number", strings.TrimSuffix(built(emergo.Board9x9), "\n") + "x\n", wanted},
		{"another board", built(emergo.Board7x7), "are for 7x7, not for 9x9"},
	} {
		weights := filepath.Join(t.TempDir(), "weights.txt")
		if err := os.WriteFile(weights, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		m := matchOf(t, "random", "search:depth=1,weights="+weights)
		tally, err := m.Run(t.Context(), nil)
		if err == nil || !strings.Contains(err.Error(), test.says) || tally.Plies > 0 {
			t.Errorf("%s: %v, want %s", test.name, err, test.says)
		}
		player, err := m.Players[1].New()
		if err != nil {
			t.Fatal(err)
		}
		if err := player.Begin(t.Context(), gameAt(t, "9/9/9/9/9/9/9/9/9 w 0 12,12"), 1); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: by itself: %v, want %s", test.name, err, test.says)
		}
	}
}
