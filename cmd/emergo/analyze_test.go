package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// An analysis is printed depth by depth, a line for each of the best moves.
func TestAnalyze(t *testing.T) {
	addr, _ := startServer(t)
	got := emergoAt(addr, "", "analyze", "--depth=3", "--lines=2", "start", "c3", "e3")
	shape := regexp.MustCompile(`^( +(\d+)  [+-]\d\.\d\d +estimate  ([a-i][1-9] ?)+\n){6}$`)
	if got.status != exitOK || got.err != "" || !shape.MatchString(got.out) {
		t.Fatalf("got %+v", got)
	}
	for i, line := range strings.Split(strings.TrimSpace(got.out), "\n") {
		if depth := strings.Fields(line)[0]; depth != fmt.Sprint(1+i/2) {
			t.Errorf("line %d has depth %s", i, depth)
		}
	}
	got = emergoAt(addr, "", "analyze", wheel, "d4xb6xd8xf6xd4xb6")
	if got != (printed{exitOK, "  0  loss in 0   exact\n", "The game is over. White wins: Black has no piece and no man in hand.\n"}) {
		t.Errorf("of a finished game: %+v", got)
	}
	got = emergoAt(addr, "", "analyze", wheel)
	if got != (printed{exitOK, "  0  win in 1    exact     d4xb6xd8xf6xd4xb6\n", ""}) {
		t.Errorf("got %+v", got)
	}
}

func TestAnalyzeAsJSON(t *testing.T) {
	addr, _ := startServer(t)
	got := emergoAt(addr, "", "analyze", "--json", "--depth=4")
	lines := strings.Split(strings.TrimSuffix(got.out, "\n"), "\n")
	if got.status != exitOK || len(lines) != 4 {
		t.Fatalf("got %+v", got)
	}
	for i, line := range lines {
		var m emergov1.AnalyzeResponse
		if err := protojson.Unmarshal([]byte(line), &m); err != nil || int(m.GetEvaluation().GetDepth()) != i+1 {
			t.Errorf("%v: %s", err, line)
		}
	}
}

func TestAnalyzeIsRefused(t *testing.T) {
	addr, _ := startServer(t)
	for want, args := range map[string][]string{
		"... [POSITION_MALFORMED]":           {"9/9/9"},
		"Move 2 (c3): ... [SQUARE_OCCUPIED]": {"start", "c3", "c3"},
	} {
		got := emergoAt(addr, "", append([]string{"analyze"}, args...)...)
		if got.status != exitFailed || got.out != "" || withoutSentences(got.err) != "emergo: "+want+"\n" {
			t.Errorf("got %+v, want %s", got, want)
		}
	}
	if got := emergoAt(deadAddr(t), "", "analyze"); got.status != exitFailed || !strings.HasPrefix(got.err, "emergo: No server answers at ") {
		t.Errorf("without a server: %+v", got)
	}
}

// On a terminal each message is drawn over the one before, whatever their lengths.
func TestScreenIsDrawnOver(t *testing.T) {
	line := &emergov1.Line{Value: &emergov1.Value{Worth: &emergov1.Value_Estimate{Estimate: 35}}}
	for range 50 {
		line.Moves = append(line.Moves, &emergov1.Move{Notation: "c3-d4"})
	}
	message := &emergov1.AnalyzeResponse{Evaluation: &emergov1.Evaluation{Depth: 1, Lines: []*emergov1.Line{line}}}
	var out bytes.Buffer
	s := &screen{out: &out, height: func() int { return usualHeight }}
	for _, lines := range []int{1, 3, 2} {
		m := proto.CloneOf(message)
		for len(m.Evaluation.Lines) < lines {
			m.Evaluation.Lines = append(m.Evaluation.Lines, line)
		}
		if err := s.show(m); err != nil {
			t.Fatal(err)
		}
	}
	var ups []string
	for _, l := range strings.Split(out.String(), "\n") {
		if _, rest, found := strings.Cut(l, "\x1b[J"); found {
			ups = append(ups, l[:len(l)-len(rest)])
			l = rest
		}
		if len(l) > 79 {
			t.Errorf("%q is too wide", l)
		}
	}
	if got := fmt.Sprintf("%q", ups); got != `["\x1b[3A\x1b[J" "\x1b[5A\x1b[J"]` {
		t.Errorf("it goes up by %s", got)
	}
}

// However many lines are asked for, the screen never goes up further than it is high, and shows the best moves.
func TestScreenKeepsToItsHeight(t *testing.T) {
	message := &emergov1.AnalyzeResponse{Evaluation: &emergov1.Evaluation{Depth: 1}}
	for i := range 64 {
		message.Evaluation.Lines = append(message.Evaluation.Lines, &emergov1.Line{
			Value: &emergov1.Value{Worth: &emergov1.Value_Estimate{Estimate: int32(-i)}},
		})
	}
	for _, c := range []struct{ before, height, up, lines int }{
		{24, 24, 23, 23}, {100, 100, 66, 66}, {24, 10, 9, 9}, {10, 24, 9, 23}, {3, 3, 2, 2}, {1, 1, 1, 1}, {2, 2, 1, 1},
	} {
		var out bytes.Buffer
		height := c.before
		s := &screen{out: &out, height: func() int { return height }}
		if err := s.show(message); err != nil {
			t.Fatal(err)
		}
		height = c.height
		out.Reset()
		if err := s.show(message); err != nil {
			t.Fatal(err)
		}
		up, text, _ := strings.Cut(out.String(), "\x1b[J")
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if up != fmt.Sprintf("\x1b[%dA", c.up) || len(lines) != c.lines {
			t.Errorf("from a height of %d to %d it goes up by %q and shows %d lines, want %d and %d", c.before, c.height, up, len(lines), c.up, c.lines)
		}
		if !strings.HasPrefix(lines[len(lines)-1], "depth 1, ") {
			t.Errorf("the last line is %q", lines[len(lines)-1])
		}
		for i, l := range lines[:len(lines)-1] {
			if i > 0 && !strings.HasPrefix(l, fmt.Sprintf("%+.2f ", float64(1-i)/100)) {
				t.Errorf("at a height of %d line %d is %q", c.height, i, l)
			}
		}
	}
}

// What is known is told apart from what is guessed.
func TestWorth(t *testing.T) {
	distance := func(n int32) *emergov1.Distance { return &emergov1.Distance{Plies: &n} }
	for want, v := range map[string]*emergov1.Value{
		"+0.00":     {Worth: &emergov1.Value_Estimate{}},
		"-1.05":     {Worth: &emergov1.Value_Estimate{Estimate: -105}},
		"win in 7":  {Worth: &emergov1.Value_Win{Win: distance(7)}},
		"win":       {Worth: &emergov1.Value_Win{Win: &emergov1.Distance{}}},
		"draw":      {Worth: &emergov1.Value_Draw{}},
		"loss in 4": {Worth: &emergov1.Value_Loss{Loss: distance(4)}},
		"loss":      {Worth: &emergov1.Value_Loss{Loss: &emergov1.Distance{}}},
		"loss in 0": {Worth: &emergov1.Value_Loss{Loss: distance(0)}},
	} {
		if got := worth(v); got != want {
			t.Errorf("%v is worth %s, want %s", v, got, want)
		}
	}
}
