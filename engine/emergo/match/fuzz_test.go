package match

import (
	"slices"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// Whatever the string: what is read is a player of a kind that there is, which plays; all else is refused
// with a reason.
func FuzzParseSpec(f *testing.F) {
	for _, text := range []string{
		"random", "greedy", "alphabeta", "alphabeta:3", "uct:20", "search:10ms", "search:1s,nodes=1000", "search:nodes=100,chance=2",
		"search:depth=6,without=null+table", "search:nodes=20000,hash=1", "exec:emergo engine greedy",
		"", ":", "rybka", "random:3", "alphabeta:0", "uct:-1", "search", "search:10", "search:depth=3,depth=4", "search:without=", "exec:",
	} {
		f.Add(text)
	}
	g := emergo.NewGame(emergo.StartPosition(emergo.Board7x7), emergo.Rules{})
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "weights=") {
			return // it would read a file
		}
		spec, err := ParseSpec(text)
		if err != nil {
			if err.Error() == "" {
				t.Fatalf("%q is refused without a reason", text)
			}
			return
		}
		kind, options, _ := strings.Cut(text, ":")
		if spec.String() != text || !slices.ContainsFunc(Kinds(), func(k [2]string) bool { return strings.HasPrefix(k[0], kind) }) {
			t.Fatalf("%q is read as %q", text, spec)
		}
		if err := spec.Suits(emergo.Board9x9); err != nil {
			t.Fatalf("%q does not suit a board: %v", text, err)
		}
		if kind == "exec" || strings.Contains(options, "hash=") {
			return // it would start a program, or take much memory
		}
		player, err := spec.New()
		if err != nil {
			t.Fatalf("%q is no player: %v", text, err)
		}
		defer player.Close()
		if err := player.Begin(t.Context(), g, 1); err != nil {
			t.Fatalf("%q does not begin: %v", text, err)
		}
	})
}

// A new game that is read is written as one that is read alike.
func FuzzReadNewGame(f *testing.F) {
	for _, text := range []string{
		"board 9x9 blocked draw limit 200 seed 17", "board 7x7 blocked loss limit 0 seed 18446744073709551615",
		"board 8x8 blocked draw limit 0 seed 5", "board 9x9 blocked win limit 0 seed 5", "board 9x9 blocked draw limit -1 seed 5", "",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, seed, err := readNewGame(text)
		if err != nil {
			return
		}
		line := newGameLine(g, seed)
		again, seedAgain, err := readNewGame(strings.TrimPrefix(line, newGameWord+" "))
		if err != nil || seedAgain != seed || again.Rules() != g.Rules() || *again.Position() != *g.Position() {
			t.Fatalf("%q is read as %q, which is read otherwise: %v", text, line, err)
		}
	})
}

// A game that is read is written as one that is read alike, with its repetitions.
func FuzzReadPosition(f *testing.F) {
	for _, text := range []string{
		"9/9/9/9/9/9/9/9/9 w 0 12,12 moves c3 e3", "7/7/7/7/7/7/7 w 0 8,8 moves", "7/7/7/7/7/7/7 w 0 8,8",
		"9/9/2a@1a@4/9/4a@4/3D@5/9/5A@3/6b@2 b 0 0,0 moves g1xe3xc5 d4xb6",
		"9/9/9/9/4A@4/9/9/9/A@7a@ w 30 0,0 moves e5-d4 i1-h2 d4-e5 h2-i1 e5-d4 i1-h2 d4-e5 h2-i1", "9/9 w 0 0,0 moves", " moves moves",
	} {
		f.Add(text, false, 0)
		f.Add(text, true, 4)
	}
	f.Fuzz(func(t *testing.T, text string, blockedLoses bool, limit int) {
		rules := emergo.Rules{BlockedLoses: blockedLoses, NoProgressLimit: max(limit, 0)}
		g, err := readPosition(text, rules)
		if err != nil {
			return
		}
		line := positionLine(g)
		again, err := readPosition(strings.TrimPrefix(line, positionWord+" "), rules)
		if err != nil {
			t.Fatalf("%q is written as %q, which is refused: %v", text, line, err)
		}
		if *again.Position() != *g.Position() || again.Occurrences() != g.Occurrences() || again.Outcome() != g.Outcome() {
			t.Fatalf("%q is written as %q, which is read otherwise", text, line)
		}
	})
}

// A best move that is read is legal, and is written as one that is read alike.
func FuzzReadBestMove(f *testing.F) {
	for _, line := range []string{
		"bestmove d4xb6xd8xf6xd4xb6 nodes 20000 score 12", "bestmove d4xb6 nodes 1", "bestmove d4xb6", "bestmove", "bestmove z9", "bestmove d4xb6 nodes",
		"bestmove d4xb6 nodes many", "bestmove d4xb6 nodes -1", "bestmove d4xb6 score -32000 depth 7", "bestmove d4xb6 score 99999999999", "",
	} {
		f.Add(line)
	}
	g := gameAt(f, "9/9/2a@1a@4/9/2bb1a@4/3C@5/9/9/9 w 1 0,0")
	f.Fuzz(func(t *testing.T, line string) {
		c, err := readBestMove(line, g.Position())
		if err != nil {
			return
		}
		if !slices.Contains(g.AppendMoves(nil), c.Move) {
			t.Fatalf("%q is read as %v, which is not legal", line, c.Move)
		}
		again, err := readBestMove(bestMoveLine(c), g.Position())
		if err != nil || again != c {
			t.Fatalf("%q is read as %+v, but written as %q it is %+v: %v", line, c, bestMoveLine(c), again, err)
		}
	})
}
