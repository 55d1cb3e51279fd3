package fit

import (
	"reflect"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// Whatever the text: each game in it is read by itself, so twice the text gives each sample twice, and a
// sample is of a result that there is.
func FuzzReadGames(f *testing.F) {
	for _, text := range []string{
		short, short + "\n", strings.Replace(short, "white", "draw", 1), strings.Replace(short, "7x7", "9x9", 1),
		strings.Replace(short, "no pieces", "too long", 1), strings.Replace(short, `"7x7"`, `"7x7","seed":3,"pair":1,"noProgressLimit":200`, 1),
		strings.Replace(short, "c1", "a1", 1), strings.Replace(short, `"opening":1`, `"opening":-1`, 1), "", "\n", "{}", "[]", "{",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once, err := ReadGames(strings.NewReader(text), emergo.Board7x7)
		if err != nil {
			if once != nil {
				t.Fatalf("%q: %d samples besides an error", text, len(once))
			}
			return
		}
		for _, s := range once {
			if s.result != 0 && s.result != 0.5 && s.result != 1 {
				t.Fatalf("%q: a sample's result is %v", text, s.result)
			}
		}
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		twice, err := ReadGames(strings.NewReader(text+text), emergo.Board7x7)
		if err != nil || len(twice) != 2*len(once) || len(once) > 0 && (!reflect.DeepEqual(twice[:len(once)], once) || !reflect.DeepEqual(twice[len(once):], once)) {
			t.Fatalf("%q: %d samples once, %d twice: %v", text, len(once), len(twice), err)
		}
	})
}
