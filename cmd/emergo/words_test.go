package main

import (
	"slices"
	"testing"
)

func TestPrintable(t *testing.T) {
	tests := map[string]string{
		"c3-d4":              "c3-d4",
		"é ∎":                "é ∎",
		"\x1b[31mred":        `\x1b[31mred`,
		"a\nb\tc\rd\x00\x7f": `a\x0ab\x09c\x0dd\x00\x7f`,
		"\u009b2J":           `\x9b2J`,
		"\u202etxt":          `\u202etxt`,
		"\xff":               "\uFFFD",
	}
	for text, want := range tests {
		if got := printable(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	tests := []struct {
		words, want []string
	}{
		{nil, nil},
		{[]string{"a"}, []string{"a"}},
		{[]string{"aa", "bb", "cc"}, []string{"aa bb", "cc"}},
		{[]string{"longer than a line", "a"}, []string{"longer than a line", "a"}},
	}
	for _, test := range tests {
		if got := wrap(test.words, 5); !slices.Equal(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.words, got, test.want)
		}
	}
}
