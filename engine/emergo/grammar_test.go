package emergo_test

// Which strings name a move: the table "Move strings" of the rules, read on its own.

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"pgregory.net/rapid"
)

// spellings lists, for each string that is accepted but for case and surrounding white space, the legal moves it fits.
func spellings(legal []string) map[string][]string {
	fits := map[string][]string{}
	spell := func(spelling, move string) {
		if !slices.Contains(fits[spelling], move) {
			fits[spelling] = append(fits[spelling], move)
		}
	}
	for _, m := range legal {
		spell(m, m)
		square, _, _ := strings.Cut(m, "*")
		spell(square, m)
		spell(strings.ReplaceAll(m, "-", ""), m)
		if path := strings.Split(m, "x"); len(path) > 1 {
			first, last := path[0], path[len(path)-1]
			spell(strings.Join(path, ":"), m)
			spell(first+"x"+last, m)
			spell(first+":"+last, m)
		}
	}
	return fits
}

// folded is a string without what never matters: case and surrounding white space.
func folded(text string) string {
	lower := func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}
	return strings.Map(lower, strings.Trim(text, " \t\r\n"))
}

// checkReading compares what ParseMove makes of a string with the moves that it fits.
func checkReading(p *emergo.Position, fits map[string][]string, text string) error {
	m, err := p.ParseMove(text)
	refusal, _ := errors.AsType[*emergo.Refusal](err)
	if err != nil && (refusal == nil || m != 0) {
		return fmt.Errorf("ParseMove(%q) = %v, %w: want a *Refusal and no move", text, m, err)
	}
	switch moves := fits[folded(text)]; {
	case len(text) > emergo.MaxMoveLen, len(moves) == 0:
		if err == nil || refusal.Reason == emergo.MoveAmbiguous {
			return fmt.Errorf("ParseMove(%q) = %v, %v: want a refusal", text, m, err)
		}
	case len(moves) == 1:
		if err != nil || m.String() != moves[0] {
			return fmt.Errorf("ParseMove(%q) = %v, %w: want %s", text, m, err, moves[0])
		}
	case err == nil || refusal.Reason != emergo.MoveAmbiguous || refusal.Number != len(moves):
		return fmt.Errorf("ParseMove(%q) = %v, %w: want it ambiguous between %v", text, m, err, moves)
	}
	return nil
}

func TestMoveGrammar(t *testing.T) {
	texts := shortTexts()
	check := func(t failer, p emergo.Position) {
		t.Helper()
		moves := legal(&p)
		fits := spellings(moves)
		for _, text := range slices.Concat(texts, dressed(fits), mutations(p.Board(), moves)) {
			if err := checkReading(&p, fits, text); err != nil {
				t.Fatalf("%s: %v", &p, err)
			}
		}
	}
	t.Run("any position", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { check(t, anyPosition.Draw(t, "position")) })
	})
	for _, c := range readFacts[caseFact](t, "cases.jsonl") {
		t.Run(c.Note, func(t *testing.T) { check(t, position(t, c.Fen)) })
	}
	for _, c := range readFacts[worstFact](t, "worst.jsonl") {
		t.Run(c.Note, func(t *testing.T) { check(t, position(t, c.Fen)) })
	}
}

// shortTexts are all entries, all steps and all captures of two squares, whether on the board or not.
func shortTexts() []string {
	var texts []string
	for _, from := range oracleSquares[9] {
		texts = append(texts, from.String())
		for n := range 14 {
			texts = append(texts, fmt.Sprintf("%v*%d", from, n), fmt.Sprintf("%v*0%d", from, n))
		}
		for _, to := range oracleSquares[9] {
			for _, separator := range []string{"-", "", "x", ":"} {
				texts = append(texts, from.String()+separator+to.String())
			}
		}
	}
	return texts
}

// dressed spells accepted strings in ways that do not matter, and in some that do.
func dressed(fits map[string][]string) []string {
	var texts []string
	for spelling := range fits {
		texts = append(texts, spelling, strings.ToUpper(spelling), " "+spelling, spelling+"\n", "\t\r\n "+spelling+" \t",
			strings.Repeat(" ", emergo.MaxMoveLen-len(spelling))+spelling, strings.Repeat(" ", emergo.MaxMoveLen+1-len(spelling))+spelling,
			spelling+"x", spelling+"-", spelling+".", "-"+spelling, spelling+" "+spelling, spelling[:1]+" "+spelling[1:], spelling+"\x00",
			"\u00a0"+spelling, "\v"+spelling, strings.ReplaceAll(spelling, "x", "\u00d7"))
	}
	return texts
}

// mutations are capture paths with something wrong, mostly: cut short, going on, with a square changed, left out or
// doubled, backwards, or with other separators. By chance some of them are legal.
func mutations(board emergo.Board, legal []string) []string {
	var texts []string
	for _, move := range legal[:min(len(legal), 4)] {
		path := strings.Split(move, "x")
		if len(path) == 1 {
			return nil
		}
		join := func(path ...string) { texts = append(texts, strings.Join(path, "x")) }
		for i := range path {
			join(path[:i]...)
			join(path[i:]...)
			join(slices.Delete(slices.Clone(path), i, i+1)...)
			join(slices.Insert(slices.Clone(path), i, path[i])...)
			for _, s := range board.Squares() {
				changed := slices.Clone(path)
				changed[i] = s.String()
				join(changed...)
			}
		}
		for _, s := range board.Squares() {
			join(append(slices.Clone(path), s.String())...)
		}
		backwards := slices.Clone(path)
		slices.Reverse(backwards)
		join(backwards...)
		texts = append(texts, strings.Join(path, "-"), strings.Join(path, ""), strings.Join(path, "xx"), strings.Join(path, "*"),
			strings.Replace(move, "x", ":", 1), strings.Replace(move, "x", "-", 1), strings.Replace(move, "x", "", 1), move+"*2")
	}
	return texts
}
