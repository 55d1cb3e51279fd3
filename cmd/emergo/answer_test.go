package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// wheel is the inventors' illustration of a long capture: White takes all five men going round.
const wheel = "9/9/2a@1a@4/9/2bb1a@4/3C@5/9/9/9 w 1 0,0"

func TestAnswers(t *testing.T) {
	addr, _ := startServer(t)
	tests := []struct {
		name string
		args []string
		out  string
	}{
		{"new", []string{"new"}, "9/9/9/9/9/9/9/9/9 w 0 12,12\n"},
		{"new on the small board", []string{"new", "--board", "7x7"}, "7/7/7/7/7/7/7 w 0 8,8\n"},
		{"moves", []string{"moves", wheel}, "d4xb6xd8xf6xd4xb6\n"},
		{"moves of a bare position", append([]string{"moves"}, strings.Fields(wheel)...), "d4xb6xd8xf6xd4xb6\n"},
		{"moves that begin so", []string{"moves", "--prefix", "A1", "9/9/9/9/4A@4/9/9/9/A@7a@ w 30 0,0"}, "a1-b2\n"},
		{"apply", []string{"apply", "start", "c3", "E3"}, "9/9/9/9/9/9/2A@1a@4/9/9 w 2 11,11\n"},
		{"apply without a position", []string{"apply", "c3"}, "9/9/9/9/9/9/2A@6/9/9 b 1 11,12\n"},
		{"apply on the small board", []string{"apply", "--board=7x7", "start", "c3"}, "7/7/7/7/2A@4/7/7 b 1 7,8\n"},
		{"eval", []string{"eval", wheel}, `White to move

win in 1    exact     d4xb6xd8xf6xd4xb6
EFFORT

                   White  Black
pieces                 1      4
men in caps            3      5
men held prisoner      2      0
men in hand            0      0
legal moves            1      2
`},
		{"eval of a finished game", []string{"eval", wheel, "d4xb6xd8xf6xd4xb6"}, `White wins: Black has no piece and no man in hand.

                   White  Black
pieces                 2      0
men in caps            5      0
men held prisoner      0      5
men in hand            0      0
legal moves            6      0
`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := emergoAt(addr, "", test.args...)
			got.out = withoutEffort(got.out)
			if got != (printed{exitOK, test.out, ""}) {
				t.Errorf("got %d\n%s%s\nwant\n%s", got.status, got.out, got.err, test.out)
			}
		})
	}
}

// What a search comes to, and by how much effort, is for other tests to say.
var (
	effortLine = regexp.MustCompile(`(?m)^depth \d+, \d+ nodes?, \d+ ms(, \d+ table hits?)?$`)
	estimate   = regexp.MustCompile(`[+-]\d+\.\d\d [a-i][1-9]`)
)

func withoutEffort(text string) string { return effortLine.ReplaceAllString(text, "EFFORT") }

func TestMovesSaysWhyThereAreNone(t *testing.T) {
	addr, _ := startServer(t)
	got := emergoAt(addr, "", "moves", wheel, "d4xb6xd8xf6xd4xb6")
	if got != (printed{exitOK, "", "The game is over. White wins: Black has no piece and no man in hand.\n"}) {
		t.Errorf("a finished game: %+v", got)
	}
	if got := emergoAt(addr, "", "moves", wheel, "--prefix=a1"); got != (printed{exitOK, "", "No legal move begins so.\n"}) {
		t.Errorf("no such prefix: %+v", got)
	}
}

func TestRefusals(t *testing.T) {
	addr, _ := startServer(t)
	tests := []struct {
		name, err string
		args      []string
	}{
		{"position that cannot be read", "... [POSITION_MALFORMED]", []string{"moves", "9/9/9"}},
		{"position that cannot be", "... [POSITION_IMPOSSIBLE]", []string{"show", "9/9/9/9/9/9/9/9/9 w 0 13,12"}},
		{"board against the position", "... [RULESET_INVALID]", []string{"eval", "--board=7x7", wheel}},
		{"the only move", "... [ENTRY_ON_CENTRE]", []string{"apply", "start", "e5"}},
		{"the last of several moves", "Move 2 (c3): ... [SQUARE_OCCUPIED]", []string{"apply", "start", "c3", "c3"}},
		{"one of several moves", "Move 2 (c3): ... [SQUARE_OCCUPIED]", []string{"show", "start", "c3", "c3", "e3"}},
		{"one of several moves of a question", "Move 2 (c3): ... [SQUARE_OCCUPIED]", []string{"moves", "start", "c3", "c3", "e3"}},
		{"move with control characters", `Move 1 (\x1b[2J): ... [MOVE_MALFORMED]`, []string{"moves", "start", "\x1b[2J", "c3"}},
		{"move that is far too long", "Move 1 (" + strings.Repeat("x", 40) + "...): ... [MOVE_MALFORMED]", []string{"moves", strings.Repeat("x", 500), "c3"}},
		{"prefix that cannot be read", "... [MOVE_MALFORMED]", []string{"moves", "--prefix=zz"}},
		{"prefix that is not UTF-8", "... [MOVE_MALFORMED]", []string{"moves", "--prefix=\xff"}},
		{"game over", "... [GAME_OVER]", []string{"apply", "9/9/9/9/4A@4/9/9/9/9 b 9 0,0", "c3"}},
		{"no place to begin a game", "... [POSITION_MALFORMED]", []string{"play", "9/9/9"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := emergoAt(addr, "", test.args...)
			if got.status != exitFailed || got.out != "" || withoutSentences(got.err) != "emergo: "+test.err+"\n" {
				t.Errorf("got %+v, want %s", got, test.err)
			}
			if strings.Contains(got.err, "game.moves") {
				t.Errorf("%s names the field of a message", got.err)
			}
		})
	}
}

func TestStandardInput(t *testing.T) {
	addr, _ := startServer(t)
	const games = "start c3 e3\n" +
		"\n" +
		wheel + "\n" +
		"e5\n" +
		wheel + " d4xb6xd8xf6xd4xb6"
	const refused = "emergo: line 4: ... [ENTRY_ON_CENTRE]\n"
	tests := []struct {
		command, out, err string
	}{
		{"moves", strings.Join([]string{
			"a1 a3 a5 a7 a9 b2 b4 b6 b8 c1 c5 c7 c9 d6 d8 e1 e5 e7 e9 f6 f8 g1 g3 g5 g7 g9 h2 h4 h6 h8 i1 i3 i5 i7 i9",
			"",
			"d4xb6xd8xf6xd4xb6",
			"",
			"",
		}, "\n") + "\n", refused},
		{"eval", strings.Join([]string{
			"1 1 0 11 35 1 1 0 11 35 ESTIMATE White to move",
			"",
			"1 3 2 0 1 4 5 0 0 2 win-1 d4xb6xd8xf6xd4xb6 White to move",
			"",
			"2 5 0 0 6 0 0 5 0 0 loss-0 - White wins: Black has no piece and no man in hand.",
		}, "\n") + "\n", refused},
		{"apply", strings.Join([]string{
			"9/9/9/9/9/9/2A@1a@4/9/9 w 2 11,11",
			"",
			"",
			"",
			"9/9/9/1CE7/2B@6/9/9/9/9 b 2 0,0",
		}, "\n") + "\n", "emergo: line 3: There is no move to play.\n" + refused},
	}
	for _, test := range tests {
		t.Run(test.command, func(t *testing.T) {
			got := emergoAt(addr, games, test.command, "-")
			got.err, got.out = withoutSentences(got.err), estimate.ReplaceAllString(got.out, "ESTIMATE")
			if got != (printed{exitFailed, test.out, test.err}) {
				t.Errorf("got %d\n%s%s\nwant\n%s%s", got.status, got.out, got.err, test.out, test.err)
			}
		})
	}
	if got := emergoAt(addr, "", "moves", "-"); got != (printed{exitOK, "", ""}) {
		t.Errorf("no line: %+v", got)
	}
}

func TestJSON(t *testing.T) {
	addr, _ := startServer(t)
	tests := []struct {
		name    string
		args    []string
		message proto.Message
	}{
		{"new", []string{"new"}, &emergov1.NewGameResponse{}},
		{"moves", []string{"moves", wheel}, &emergov1.LegalMovesResponse{}},
		{"apply", []string{"apply", "start", "c3"}, &emergov1.ApplyMoveResponse{}},
		{"eval", []string{"eval", wheel}, &emergov1.EvaluateResponse{}},
		{"show", []string{"show", wheel}, &emergov1.State{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			args := append(test.args, "--json")
			got := emergoAt(addr, "", args...)
			if got.status != exitOK || got.err != "" || !strings.HasPrefix(got.out, "{\n  \"") {
				t.Fatalf("got %+v", got)
			}
			if err := protojson.Unmarshal([]byte(got.out), test.message); err != nil {
				t.Error(err)
			}
		})
	}
	golden(t, "apply.json", emergoAt(addr, "", "apply", "--json", "start", "c3", "e3").out)
}

func TestJSONLines(t *testing.T) {
	addr, _ := startServer(t)
	got := emergoAt(addr, "c3\n\ne5\n", "apply", "--json", "-")
	lines := strings.Split(got.out, "\n")
	if got.status != exitFailed || len(lines) != 4 || lines[1] != "" || lines[3] != "" {
		t.Fatalf("got %+v", got)
	}
	var played struct {
		Move struct{ Notation string }
	}
	if err := json.Unmarshal([]byte(lines[0]), &played); err != nil || played.Move.Notation != "c3" {
		t.Errorf("%v, %s", err, lines[0])
	}
	var refused refusal
	if err := json.Unmarshal([]byte(lines[2]), &refused); err != nil || refused.Reason != "ENTRY_ON_CENTRE" || refused.Sentence == "" {
		t.Errorf("%v, %s", err, lines[2])
	}
}

func TestASCII(t *testing.T) {
	const text = "a\u009b\u202e\U0001F600\uFFFD"
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	got := ascii(quoted)
	if want := `"a\u009b\u202e\ud83d\ude00\ufffd"`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var back string
	if err := json.Unmarshal(got, &back); err != nil || back != text {
		t.Errorf("read back as %q, %v", back, err)
	}
}
