package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestMatch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "games.jsonl")
	args := strings.Fields("match alphabeta:2 random --board 7x7 --pairs 6 --seed 4 --games " + file)
	got := emergoAt(deadAddr(t), "", args...)
	if got.status != exitOK || got.err != "" {
		t.Fatalf("%+v", got)
	}
	for _, says := range []string{
		`match +alphabeta:2 against random, 7x7, seed 4`, `pairs +6\n`, `games +\d+ won, \d+ drawn, \d+ lost`,
		`pentanomial +\[\d \d \d \d \d\] `, `score +\d+\.\d\d%`, `Elo +\S+ .*\(95%\)`, `superiority +\d+\.\d% likely`,
		`a game +\d+ plies; \S+ and \d+ nodes against \S+\n`,
	} {
		if !regexp.MustCompile(`(?m)^` + says).MatchString(got.out) {
			t.Errorf("%q does not say %q", got.out, says)
		}
	}
	emergoAt(deadAddr(t), "", args...) // which appends
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) != 24 {
		t.Fatalf("%d games were stored, want 24", len(lines))
	}
	for i, line := range lines[:12] {
		var first, again struct {
			Pair         int
			White, Black string
			Moves        []string
		}
		if json.Unmarshal([]byte(line), &first) != nil || json.Unmarshal([]byte(lines[12+i]), &again) != nil {
			t.Fatalf("%s is no game", line)
		}
		white, black := "alphabeta:2", "random"
		if i%2 == 1 {
			white, black = black, white
		}
		if first.Pair != i/2 || first.White != white || first.Black != black {
			t.Errorf("game %d is %+v", i, first)
		}
		if strings.Join(first.Moves, " ") != strings.Join(again.Moves, " ") {
			t.Errorf("game %d is another when the match is repeated", i)
		}
	}
}

// Games are stored behind whole lines, wherever the disk was full before.
func TestGamesFollowWholeLines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "games.jsonl")
	args := strings.Fields("match random random --board 7x7 --pairs 1 --seed 4 --games " + file)
	if got := emergoAt(deadAddr(t), "", args...); got.status != exitOK {
		t.Fatalf("%+v", got)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	whole := string(text)
	first, second, _ := strings.Cut(whole, "\n")
	ends := map[string]string{
		"":                whole,
		whole:             whole + whole,
		first:             first + "\n" + whole,
		"no game":         "no game\n" + whole,
		"{}":              "{}\n" + whole,
		"notes\n\n":       "notes\n\n" + whole,
		"notes\n" + first: "notes\n" + first + "\n" + whole,
	}
	for _, n := range []int{1, 2, 10, len(second) / 2, len(second) - 2} {
		ends[second[:n]] = whole
		ends[first+"\n"+second[:n]] = first + "\n" + whole
	}
	milliseconds := regexp.MustCompile(`"ms":\[\d+,\d+\]`)
	for before, want := range ends {
		if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		got := emergoAt(deadAddr(t), "", args...)
		text, err := os.ReadFile(file)
		if after := milliseconds.ReplaceAllString(string(text), ""); err != nil || got.status != exitOK || after != milliseconds.ReplaceAllString(want, "") {
			t.Errorf("after %q there is %q, want %q (%+v)", before, after, want, got)
		}
	}
}

func TestMatchStopsWhenItsTestIsDecided(t *testing.T) {
	tests := []struct{ players, verdict string }{
		{"alphabeta:2 random", "as good as the second"},
		{"random alphabeta:2", "no better than the first"},
	}
	for _, test := range tests {
		got := emergoAt(deadAddr(t), "", strings.Fields("match "+test.players+" --board 7x7 --pairs 100000 --sprt=-100,100")...)
		if got.status != exitOK || !strings.Contains(got.out, test.verdict) {
			t.Errorf("%s: %+v, want %s", test.players, got, test.verdict)
		}
	}
}

func TestLadder(t *testing.T) {
	got := emergoAt(deadAddr(t), "", strings.Fields("ladder random greedy alphabeta:2 --board 7x7 --pairs 3")...)
	rows := regexp.MustCompile(`(?m)^(greedy +random|alphabeta:2 +greedy) +6 +\d+ +\d+ +\d+ +\d+\.\d% `)
	if got.status != exitOK || len(rows.FindAllString(got.out, -1)) != 2 {
		t.Errorf("%+v", got)
	}
}

func TestEngine(t *testing.T) {
	const says = "newgame board 7x7 blocked draw limit 200 seed 1\nposition 7/7/7/7/7/7/7 w 0 8,8 moves a1\ngo\nposition nowhere\nquit\n"
	got := emergoAt(deadAddr(t), says, "engine", "search:depth=2")
	if got.status != exitOK || !regexp.MustCompile(`^ready\nbestmove \S+ nodes \d+ score -?\d+\nerror .*\n$`).MatchString(got.out) {
		t.Errorf("%+v", got)
	}
}

func TestWrongMatches(t *testing.T) {
	tests := []struct {
		args, says string
		status     int
	}{
		{"match random", `expected "<second>"`, exitUsage},
		{"match random deep", `there is no player "deep"`, exitUsage},
		{"match random random --sprt=5", "two differences in Elo", exitUsage},
		{"match random random --opening=few", "a number of plies", exitUsage},
		{"match random random --sprt=5,0", "--sprt: its first Elo must be less than its second", exitUsage},
		{"match random random --sprt -5,-10", "--sprt: its first Elo must be less than its second", exitUsage},
		{"match random random --sprt=0,Inf", "--sprt: its first Elo must be less than its second", exitUsage},
		{"match random random --sprt=0,5 --error=0.5", "--error: it must be more than 0 and less than 0.5", exitUsage},
		{"match random random --sprt=0,5 --error -1", "--error: it must be more than 0 and less than 0.5", exitUsage},
		{"match random random --error=0.1", "--sprt must name its hypotheses", exitUsage},
		{"match random random --opening=8-4", "--opening: its first number must not be more than its second", exitUsage},
		{"match random random --opening=5-6-7", "--opening: it must be a number of plies", exitUsage},
		{"match random random --max-plies=8", "must be higher", exitUsage},
		{"match search:1ms random --threads=1000", "need a processor for each game", exitUsage},
		{"match random search:depth=1,weights=/nowhere", "A player cannot be had: ", exitFailed},
		{"match random search:depth=1,weights=match.go", "match.go is no file of weights for 9x9, whose first line is as in \"stack ", exitFailed},
		{"match random random --games=", "--games: it must be the name of a file", exitUsage},
		{"match random random --pairs=1 --games=/dev/null/x", "The games cannot be stored", exitFailed},
		{"match random random --games=/nowhere/at/all", "The games cannot be stored", exitFailed},
		{"match random exec:/nowhere/at/all", "The match cannot go on", exitFailed},
		{"ladder random", "at least two players", exitUsage},
		{"ladder random deep", `there is no player "deep"`, exitUsage},
		{"ladder random greedy --games=/nowhere/at/all", "The games cannot be stored", exitFailed},
		{"ladder random exec:/nowhere/at/all --pairs=1", "The ladder cannot go on", exitFailed},
		{"ladder random greedy --max-plies=8", "must be higher", exitUsage},
		{"ladder random greedy search:depth=1,weights=match.go", "match.go is no file of weights for 9x9", exitFailed},
		{"engine deep", `there is no player "deep"`, exitUsage},
	}
	for _, test := range tests {
		got := emergoAt(deadAddr(t), "", strings.Fields(test.args)...)
		if got.status != test.status || !strings.Contains(got.err, test.says) {
			t.Errorf("%s: %+v, want %q", test.args, got, test.says)
		}
		if begun := strings.HasPrefix(test.says, "The ladder"); (got.out != "") != begun {
			t.Errorf("%s: prints %q", test.args, got.out)
		}
	}
}

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := &progress{to: &out}
	p.show("one")
	p.interval = time.Hour
	p.show("two") // too soon
	p.end()
	if out.String() != "one\n" {
		t.Errorf("elsewhere: %q", out.String())
	}

	out.Reset()
	p = &progress{to: &out, inPlace: true}
	p.show("a long line")
	p.show("short")
	p.end()
	if want := "\ra long line\rshort      \r     \r"; out.String() != want {
		t.Errorf("on a terminal: %q, want %q", out.String(), want)
	}
}

// A match without a result does not pretend to one.
func TestMatchInterruptedAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, stderr bytes.Buffer
	status := run(ctx, strings.Fields("match random random --board 7x7 --sprt=0,5"), nil, &out, &stderr)
	const want = "match  random against random, 7x7, seed 1\npairs  none was finished before the interruption, so nothing can be said\n"
	if status != exitOK || out.String() != want {
		t.Errorf("status %d, %q%s, want %q", status, &out, &stderr, want)
	}
}
