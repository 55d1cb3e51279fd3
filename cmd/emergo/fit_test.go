package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Games are played, weights fitted to them, and a match played by those.
func TestFit(t *testing.T) {
	dir := t.TempDir()
	games, weights := filepath.Join(dir, "games.jsonl"), filepath.Join(dir, "weights.txt")
	for _, args := range []string{
		"match greedy random --board 7x7 --pairs 20 --games " + games,
		"fit --board 7x7 --steps 100 --output " + weights + " " + games,
		"match search:depth=1,weights=" + weights + " random --board 7x7 --pairs 1",
	} {
		if got := emergoAt(deadAddr(t), "", strings.Fields(args)...); got.status != exitOK {
			t.Fatalf("%s: %+v", args, got)
		}
	}
	if got := emergoAt(deadAddr(t), "", "fit", "--board=7x7", "--steps=1000000000", "--output", dir, games); got.status != exitFailed || !strings.Contains(got.err, dir+" is a directory") {
		t.Errorf("with a directory for a file: %+v", got) // if it ever ends
	}
	says := "the weights in " + weights + " are for 7x7, not for 9x9"
	if got := emergoAt(deadAddr(t), "", "match", "random", "search:depth=1,weights="+weights); got.status != exitFailed || !strings.Contains(got.err, says) {
		t.Errorf("%+v, want %s", got, says)
	}
}

func TestFitFailures(t *testing.T) {
	dir := t.TempDir()
	empty, foreign := filepath.Join(dir, "empty"), filepath.Join(dir, "foreign")
	for file, text := range map[string]string{empty: "", foreign: "something else\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	output := filepath.Join(dir, "weights.txt")
	before := listing(t, dir)
	for _, test := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"--output", output}, exitUsage, `expected "<games>`},
		{[]string{empty}, exitUsage, "missing flags: --output=FILE"},
		{[]string{"", "--output", output}, exitUsage, "it must be the name of a file"},
		{[]string{empty, "--output", ""}, exitUsage, "--output: it must be the name of a file"},
		{[]string{filepath.Join(dir, "none"), "--output", output}, exitFailed, "no such file"},
		{[]string{empty, "--output", output}, exitFailed, "There are no games on 9x9 in the files"},
		{[]string{foreign, "--output", output}, exitFailed, foreign + " cannot be used: line 1 is no game"},
	} {
		got := emergoAt(deadAddr(t), "", append([]string{"fit"}, test.args...)...)
		if got.status != test.status || got.out != "" || !strings.Contains(got.err, test.says) {
			t.Errorf("%q: got %+v, want %s", test.args, got, test.says)
		}
	}
	if after := listing(t, dir); after != before {
		t.Errorf("there are %s; there were %s", after, before)
	}
}
