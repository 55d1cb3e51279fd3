package search

import (
	"slices"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// Whatever one line of a file of weights is made to say, or the whole file: what is read is written, each
// weight as the number it was read as, and read back the same.
func FuzzParseWeights(f *testing.F) {
	for _, line := range []string{
		"stack cap=1 prisoners=1: 1 -2 3", "stack cap=1 prisoners=1:\t3000  -3000 +0007\r", "stack cap=1 prisoners=1: 1 2",
		"stack cap=1 prisoners=1: 1 2 3 4", "stack cap=1 prisoners=1: 3001 0 0", "stack cap=1 prisoners=1 1 2 3", "hand -1: 1 2 3",
		"stack cap=1 prisoners=1: 1 2 3\nstack cap=1 prisoners=1: 1 2 3", "stack cap=1 prisoners=1: 1 0x2 1e3", "",
	} {
		f.Add(1, line, true)
		f.Add(-1, line, false)
	}
	first, _, _ := strings.Cut(string(weights9x9), "\n")
	f.Add(0, first, false)
	f.Fuzz(func(t *testing.T, at int, text string, smaller bool) {
		board, good := emergo.Board9x9, string(weights9x9)
		if smaller {
			board, good = emergo.Board7x7, string(weights7x7)
		}
		if lines := strings.Split(good, "\n"); at >= 0 && at < len(lines) {
			lines[at] = text
			text = strings.Join(lines, "\n")
		}
		w, err := ParseWeights([]byte(text), board)
		if err != nil {
			if w != nil || len(err.Error()) > 400 {
				t.Fatalf("%q: weights %v and error %v", text, w, err)
			}
			return
		}
		written := w.AppendText(nil, board)
		again, err := ParseWeights(written, board)
		if err != nil || *again != *w {
			t.Fatalf("%q is written as %q, which is read as other weights, error %v", text, written, err)
		}
		if got, want := plainNumbers(string(written)), plainNumbers(text); !slices.Equal(got, want) {
			t.Fatalf("%q is written as %q", text, written)
		}
	})
}

// plainNumbers returns the words of a text, its numbers without needless signs and zeros.
func plainNumbers(text string) []string {
	words := strings.Fields(strings.ReplaceAll(text, ":", ": "))
	for i, word := range words {
		if strings.Trim(word, "+-0123456789") != "" || i > 0 && words[i-1] == "hand" {
			continue
		}
		sign := ""
		if word[0] == '-' {
			sign = "-"
		}
		digits := strings.TrimLeft(word, "+-0")
		if words[i] = sign + digits; digits == "" {
			words[i] = "0"
		}
	}
	return words
}
