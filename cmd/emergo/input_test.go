package main

import (
	"slices"
	"strings"
	"testing"
)

func TestReadGame(t *testing.T) {
	const start = "9/9/9/9/9/9/9/9/9 w 0 12,12"
	tests := []struct {
		name     string
		args     []string
		position string
		moves    []string
	}{
		{"nothing", nil, "", nil},
		{"start", []string{"Start"}, "", nil},
		{"start and moves", []string{"start", "c3", "e3"}, "", []string{"c3", "e3"}},
		{"moves alone", []string{"c3", "e3"}, "", []string{"c3", "e3"}},
		{"quoted position", []string{start}, start, nil},
		{"quoted position and moves", []string{start, "c3", "e3"}, start, []string{"c3", "e3"}},
		{"bare position", strings.Fields(start), start, nil},
		{"bare position and moves", strings.Fields(start + " c3 e3"), start, []string{"c3", "e3"}},
		{"all in one", []string{"  " + start + "\tc3  e3 "}, start, []string{"c3", "e3"}},
		{"too few fields", []string{"9/9/9"}, "9/9/9", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			position, moves := readGame(splitWords(test.args))
			if position != test.position || !slices.Equal(moves, test.moves) {
				t.Errorf("got %q %q, want %q %q", position, moves, test.position, test.moves)
			}
		})
	}
}

func TestEachLine(t *testing.T) {
	var lines []string
	err := eachLine(strings.NewReader("a\n\nb\xff\r\nc"), func(number int, line string) error {
		if number != len(lines)+1 {
			t.Errorf("line %d has number %d", len(lines)+1, number)
		}
		lines = append(lines, line)
		return nil
	})
	if want := []string{"a", "", "b\uFFFD", "c"}; err != nil || !slices.Equal(lines, want) {
		t.Errorf("got %q, %v, want %q", lines, err, want)
	}
	err = eachLine(strings.NewReader("a\n"+strings.Repeat("c3 ", maxLine/3+1)+"\n"), func(int, string) error { return nil })
	if err == nil || !strings.HasPrefix(err.Error(), "Line 2 is longer") {
		t.Errorf("a line that is too long: %v", err)
	}
}
