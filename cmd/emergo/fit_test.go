package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo/fit"
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

// The help and the README tell of the same way to better weights.
func TestFitHelpIsAsTheREADME(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "engine", "emergo", "search", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	oneLine := func(text string) string {
		return strings.Join(strings.Fields(strings.ReplaceAll(text, "\\\n", " ")), " ")
	}
	paragraphs := strings.Split(string(readme), "\n\n")
	at := slices.IndexFunc(paragraphs, func(p string) bool { return strings.Contains(p, "    emergo fit ") })
	if at < 0 {
		t.Fatal("the README has no recipe")
	}
	recipe := paragraphs[at]
	if help := oneLine(emergoAt(deadAddr(t), "", "fit", "--help").out); !strings.Contains(help, oneLine(recipe)) {
		t.Errorf("the help does not say %q", oneLine(recipe))
	}
}

// What is printed of a fit does not pretend to a loss where no game is held out.
func TestFitLine(t *testing.T) {
	for _, c := range []struct {
		fit  fit.Fit
		want string
	}{
		{fit.Fit{Samples: 90, Held: 10, Before: 0.6931, After: 0.5, Scale: 123.4}, "90 positions, odds of e to 1 at 123 hundredths of a man; 10 held out, loss 0.5000, by the weights built in 0.6931"},
		{fit.Fit{Samples: 90, Scale: 123.4}, "90 positions, odds of e to 1 at 123 hundredths of a man; the games are too few to hold any out"},
	} {
		if got := fitLine(&c.fit); got != c.want {
			t.Errorf("%+v: %q, want %q", c.fit, got, c.want)
		}
	}
}
