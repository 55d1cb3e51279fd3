package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo/prove"
)

func TestProve(t *testing.T) {
	const (
		winning = "a@1A@1A@2/7/2a@4/3aa3/2ab4/7/2AC3ab b 31 0,0"
		drawn   = "7/7/2aa4/7/4ab1AB/1a@5/4ac1AB w 52 0,0"
	)
	tests := []struct{ args, says string }{
		{"prove " + winning, "win in 9\ntotal "},
		{"prove --plies 7 --closed 0 " + winning, "unknown beyond 7 plies\ntotal "},
		{"prove --nodes 10 --closed 0 " + winning, "unknown beyond "},
		{"prove --plies 8 " + winning + " a7-b6", "loss in 8\ntotal "},
		{"prove --plies 5 " + drawn, "draw\ntotal "},
		{"prove --no-progress-limit 3 --plies 9 --closed 0 " + winning, "unknown beyond 9 plies\ntotal "},
		{"prove --moves --plies 7 " + drawn, "g1-f2 loss in 6\ng3-f2 draw\ng3-f4 loss in 4\ntotal "},
		{"prove 9/9/2a@1a@4/9/4a@4/3D@5/9/5A@3/6b@2 b 0 0,0 --moves --plies 2", "g1xe3xc5 loss in 2\ntotal "},
	}
	dead := deadAddr(t)
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			got := emergoAt(dead, "", strings.Fields(test.args)...)
			if got.status != exitOK || got.err != "" || !strings.HasPrefix(got.out, test.says) || !strings.HasSuffix(got.out, " s\n") {
				t.Errorf("got %+v, want %s", got, test.says)
			}
		})
	}
}

// Of a finished game there is nothing to prove, but how it ended.
func TestProveOfFinishedGames(t *testing.T) {
	const (
		lost    = "9/9/9/9/4A@4/9/9/9/9 b 9 0,0"
		blocked = "7/7/7/7/a@1a@4/1a@5/A@6 w 30 0,0"
		shuttle = "9/9/9/9/4A@4/9/9/9/A@7a@ w 30 0,0"
	)
	tests := []struct{ args, out, err string }{
		{lost, "loss in 0\n", "White wins: Black has no piece and no man in hand."},
		{lost + " --moves", "", "White wins: Black has no piece and no man in hand."},
		{blocked, "draw\n", "Draw: White cannot move."},
		{blocked + " --blocked=loss", "loss in 0\n", "Black wins: White cannot move."},
		{shuttle + " e5-d4 i1-h2 d4-e5 h2-i1 e5-d4 i1-h2 d4-e5 h2-i1", "draw\n", "Draw: the same position for the third time."},
		{shuttle + " e5-d4 i1-h2 --no-progress-limit=2", "draw\n", "Draw: 2 plies without progress."},
	}
	for _, test := range tests {
		got := emergoAt(deadAddr(t), "", append([]string{"prove"}, strings.Fields(test.args)...)...)
		if got.status != exitOK || !strings.HasPrefix(got.out, test.out+"total 0 nodes, ") || got.err != "The game is over. "+test.err+"\n" {
			t.Errorf("%s: got %+v, want %s%s", test.args, got, test.out, test.err)
		}
	}
}

func TestProveRefusals(t *testing.T) {
	tests := []struct {
		args, says string
		status     int
	}{
		{fmt.Sprintf("prove --plies %d", prove.MaxPlies+1), fmt.Sprintf("--plies: it must be a whole number from 1 to %d", prove.MaxPlies), exitUsage},
		{"prove 9/9/9 w 0 0,0", "The position is refused: ", exitFailed},
		{"prove c3 c3", "Move 2 (c3) is refused: square occupied: c3.", exitFailed},
	}
	for _, test := range tests {
		got := emergoAt(deadAddr(t), "", strings.Fields(test.args)...)
		if got.status != test.status || got.out != "" || !strings.HasPrefix(got.err, "emergo: "+test.says) {
			t.Errorf("%s: got %+v, want %s", test.args, got, test.says)
		}
	}
}
