package main

import (
	"strings"
	"testing"
)

// The server answers the player's moves, and takes them back with them.
func TestPlayAgainstTheEngine(t *testing.T) {
	addr, _ := startServer(t)
	for _, c := range []struct {
		name, args, script string
		says, ends         string
	}{
		{"it answers", "--engine=black", "c3\nquit\n", "Black> ", "White> quit\nThe moves played:\n  c3 "},
		{"it begins", "--engine=white", "quit\n", "White> ", "Black> quit\nThe moves played:\n  "},
		{"its move is taken back too", "--engine=black", "c3\nundo\nquit\n", "Black> ", "White> quit\n"},
		{"it does not agree", "--engine=black", "draw\nquit\n", "The engine plays on.\n", "White> quit\n"},
		{"it wins", "--engine=white " + wheel, "", "White> d4xb6xd8xf6xd4xb6   (engine: win in 1)\n",
			"White wins: Black has no piece and no man in hand.\n"},
		{"it is there when the game goes on", "--engine=white", "quit\n", "",
			"To go on with the game:\n  emergo play --engine=white --time=20ms "},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"play", "--time=20ms"}, strings.Fields(c.args)...)
			got := emergoAt(addr, c.script, args...)
			if got.status != exitOK || got.err != "" || !strings.Contains(got.out, c.says) || !strings.Contains(got.out, c.ends) {
				t.Errorf("got %d %s\n%s", got.status, got.err, got.out)
			}
		})
	}
	if got := emergoAt(addr, "", "play", "--engine=red"); got.status != exitUsage || !strings.Contains(got.err, "--engine: it must be white or black") {
		t.Errorf("got %+v", got)
	}
	for says, args := range map[string][]string{
		"--time: it must be a time from 1ms to 10m": {"--engine=white", "--time=20m"},
		"--engine must name the side":               {"--time=2s"},
	} {
		if got := emergoAt(addr, "", append([]string{"play"}, args...)...); got.status != exitUsage || got.out != "" || !strings.Contains(got.err, says) {
			t.Errorf("%q: got %+v", args, got)
		}
	}
}
