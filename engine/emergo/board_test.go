package emergo_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

func TestBoards(t *testing.T) {
	for _, c := range []struct {
		board               emergo.Board
		name                string
		ranks, squares, men int
		centre              string
	}{
		{emergo.Board9x9, "9x9", 9, 41, 12, "e5"},
		{emergo.Board7x7, "7x7", 7, 25, 8, "d4"},
	} {
		if got := c.board.String(); got != c.name {
			t.Errorf("board %d is called %s, want %s", c.board, got, c.name)
		}
		if got := c.board.Ranks(); got != c.ranks {
			t.Errorf("%s has %d ranks, want %d", c.name, got, c.ranks)
		}
		if got := len(c.board.Squares()); got != c.squares {
			t.Errorf("%s has %d squares, want %d", c.name, got, c.squares)
		}
		if got := c.board.Men(); got != c.men {
			t.Errorf("%s has %d men a side, want %d", c.name, got, c.men)
		}
		if got := c.board.Centre().String(); got != c.centre {
			t.Errorf("the centre of %s is %s, want %s", c.name, got, c.centre)
		}
	}
}

// "Only the squares whose file number + rank number is even are played on."
func TestSquares(t *testing.T) {
	for ranks, board := range boards {
		var names []string
		for _, s := range board.Squares() {
			names = append(names, s.String())
			if read := square(t, s.String()); read != s {
				t.Errorf("%s is read as %s", s, read)
			}
			if want := oracleReadSquare(s.String()); s.File() != want.file-1 || s.Rank() != want.rank-1 {
				t.Errorf("%s is on file %d, rank %d, counted from 0", s, s.File(), s.Rank())
			}
		}
		var want []string
		for _, s := range oracleSquares[ranks] {
			want = append(want, s.String())
		}
		if !slices.Equal(names, want) {
			t.Errorf("squares of %v\n got %v\nwant %v", board, names, want)
		}
		for _, s := range emergo.Board9x9.Squares() {
			if got := board.Has(s); got != slices.Contains(names, s.String()) {
				t.Errorf("%v has %s: %v", board, s, got)
			}
		}
		if board.Has(0) {
			t.Errorf("%v has the zero Square", board)
		}
	}
}

// "All movement is diagonal."
func TestNeighbours(t *testing.T) {
	for _, s := range emergo.Board9x9.Squares() {
		var want []string
		for _, d := range oracleDirections {
			if next := oracleReadSquare(s.String()).next(d); slices.Contains(oracleSquares[9], next) {
				want = append(want, next.String())
			}
		}
		if got := names(s.Neighbours()); got != strings.Join(sorted(want), " ") {
			t.Errorf("neighbours of %s are %s, want %v", s, got, sorted(want))
		}
	}
}

func TestSquaresCompareAsTheirNames(t *testing.T) {
	squares := emergo.Board9x9.Squares()
	for i, s := range squares {
		for _, later := range squares[i+1:] {
			if s >= later || s.String() >= later.String() {
				t.Errorf("%s does not come before %s", s, later)
			}
		}
	}
}

func TestParseSquare(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"c3", "c3"},
		{"I9", "i9"},
		{" a1\n", "a1"},
	} {
		if s, err := emergo.ParseSquare(c.text); err != nil || s.String() != c.want {
			t.Errorf("ParseSquare(%q) = %v, %v, want %s", c.text, s, err, c.want)
		}
	}
	for _, text := range []string{"", " ", "c", "3", "a2", "j1", "a0", "c3 d4", "c3d4", "c3-", "c3x", "c3*2", "c33", "\x00c3", "\u00e93"} {
		s, err := emergo.ParseSquare(text)
		if err == nil || s != 0 {
			t.Errorf("ParseSquare(%q) = %v, %v, want no square", text, s, err)
			continue
		}
		if got := refusalOf(t, err).reason; got != emergo.MoveMalformed {
			t.Errorf("ParseSquare(%q): %v, want %v", text, got, emergo.MoveMalformed)
		}
	}
}

func TestColors(t *testing.T) {
	if emergo.White.Other() != emergo.Black || emergo.Black.Other() != emergo.White {
		t.Error("the sides are not each other's opponent")
	}
	if white, black := emergo.White.String(), emergo.Black.String(); white != "White" || black != "Black" {
		t.Errorf("the sides are called %s and %s", white, black)
	}
}
