package emergo_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// Whatever the string: the engine reads what the oracle reads, writes it canonically, and finds the same legal moves.
func FuzzParsePosition(f *testing.F) {
	for _, c := range readFacts[caseFact](f, "cases.jsonl") {
		f.Add(c.Fen)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := emergo.ParsePosition(text)
		oracle, oracleErr := oracleParse(withSpaces(text))
		if err != nil {
			if _, ok := errors.AsType[*emergo.PositionError](err); !ok {
				t.Fatalf("%q: error %v, want a *PositionError", text, err)
			}
			if err := checkErrorText(err); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if oracleErr == nil && len(text) <= emergo.MaxPositionLen {
				t.Fatalf("%q is refused: %v", text, err)
			}
			return
		}
		if oracleErr != nil {
			t.Fatalf("%q is read as %s, want it refused: %v", text, &p, oracleErr)
		}
		if p.String() != oracle.String() {
			t.Fatalf("%q is read as %s, want %s", text, &p, oracle)
		}
		if again := position(t, p.String()); again != p {
			t.Fatalf("%q: %s is read as another position, %s", text, &p, &again)
		}
		if got, want := legal(&p), oracle.legal(); !slices.Equal(got, want) {
			t.Fatalf("%q: legal moves\n got %v\nwant %v", text, got, want)
		}
	})
}

// withSpaces turns all white space that ParsePosition takes for a space into one, as the oracle knows no other.
func withSpaces(text string) string {
	return strings.NewReplacer("\t", " ", "\r", " ", "\n", " ").Replace(text)
}

// Whatever the string: it is read as the legal move that it spells, and refused if it spells none.
func FuzzParseMove(f *testing.F) {
	for _, c := range readFacts[caseFact](f, "cases.jsonl") {
		for _, move := range append(c.Legal[:min(len(c.Legal), 2)], c.Banned...) {
			f.Add(c.Fen, move)
		}
		f.Add(c.Fen, "c3-d4")
		f.Add(c.Fen, "c3xe5xc7")
	}
	f.Fuzz(func(t *testing.T, fen, text string) {
		p, err := emergo.ParsePosition(fen)
		if err != nil {
			return
		}
		oracle, err := oracleParse(p.String())
		if err != nil {
			t.Fatalf("%s: %v", &p, err)
		}
		if err := checkReading(&p, spellings(oracle.legal()), text); err != nil {
			t.Fatalf("%s: %v", &p, err)
		}
		if _, err := p.ParseMove(text); err != nil {
			refusalOf(t, err)
		}
	})
}
