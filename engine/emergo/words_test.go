package emergo_test

// The engine's values in the words of the tests: positions and moves as strings, outcomes as the oracle says them.

import (
	"fmt"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// failer is what both *testing.T and *rapid.T can do.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// position reads a position string that the test itself has written.
func position(t failer, s string) emergo.Position {
	t.Helper()
	p, err := emergo.ParsePosition(s)
	if err != nil {
		t.Fatalf("ParsePosition(%q): %v", s, err)
	}
	return p
}

// square reads the name of a square; the empty name is the zero Square.
func square(t failer, name string) emergo.Square {
	t.Helper()
	if name == "" {
		return 0
	}
	s, err := emergo.ParseSquare(name)
	if err != nil {
		t.Fatalf("ParseSquare(%q): %v", name, err)
	}
	return s
}

// canonical writes moves in canonical notation.
func canonical(moves []emergo.Move) []string {
	var texts []string
	for _, m := range moves {
		texts = append(texts, m.String())
	}
	return texts
}

// legal lists the legal moves of p in canonical notation, in the engine's order.
func legal(p *emergo.Position) []string { return canonical(p.AppendMoves(nil)) }

// boards gives each board its number of ranks, as the oracle calls it.
var boards = map[int]emergo.Board{9: emergo.Board9x9, 7: emergo.Board7x7}

// oracleColors are the sides in the oracle's words.
var oracleColors = [...]byte{emergo.White: oracleWhite, emergo.Black: oracleBlack}

var resultWords = [...]string{emergo.Ongoing: "*", emergo.WhiteWins: "1-0", emergo.BlackWins: "0-1", emergo.Draw: "1/2"}

var endWords = [...]string{
	emergo.NotEnded:   "",
	emergo.NoPieces:   "no pieces",
	emergo.Blocked:    "blocked",
	emergo.Repetition: "repetition",
	emergo.NoProgress: "no progress",
}

// words says an outcome as oracleGame.outcome does.
func words(o emergo.Outcome) (result, reason string) { return resultWords[o.Result], endWords[o.End] }

// checkErrorText checks what holds for the text of any error, whatever the input: it is short, printable and ASCII.
func checkErrorText(err error) error {
	text := err.Error()
	if text == "" || len(text) >= 300 {
		return fmt.Errorf("the error has %d bytes: %q", len(text), text)
	}
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return fmt.Errorf("byte %d of the error is not printable ASCII: %q", i, text)
		}
	}
	return nil
}
