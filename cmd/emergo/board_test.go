package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

func TestShow(t *testing.T) {
	addr, _ := startServer(t)
	tests := []struct {
		file string // in testdata
		args []string
	}{
		{"start.txt", nil},
		{"start7x7.txt", []string{"--board=7x7"}},
		{"entry.txt", []string{"start", "c3", "e3"}},
		{"wheel.txt", []string{wheel}},
		{"won.txt", []string{wheel, "d4xb6xd8xf6xd4xb6"}},
		{"shadowpiece.txt", []string{"A@7A@/3a@5/2aa3aa2/1ab7/6A@2/1A@7/A@3A@1a@2/7a@1/4ab4 b 23 0,5"}},
		{"step.txt", []string{"9/9/9/9/4A@4/9/9/9/A@7a@ w 30 0,0", "e5-d4", "i1-h2", "d4-e5", "h2-i1"}},
		{"blocked.txt", []string{"--blocked=loss", "--board=7x7", "start",
			"d2", "g5", "d4", "f6", "b4", "e1", "g7", "e1xc3xe5", "b6", "a7", "d2", "a7xc5xa3", "a5", "c1", "a7", "c1xe3", "a5-b4", "a3xc5", "a7-b6", "c5xa7"}},
		{"no_progress.txt", []string{"--no-progress-limit=2", "9/9/9/9/4A@4/9/9/9/A@7a@ w 30 0,0", "e5-d4", "i1-h2"}},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			got := emergoAt(addr, "", append([]string{"show"}, test.args...)...)
			if got.status != exitOK || got.err != "" {
				t.Fatalf("got %+v", got)
			}
			golden(t, test.file, got.out)
		})
	}
}

func TestDrawingFitsTheTerminal(t *testing.T) {
	s := &emergov1.State{
		Board: emergov1.BoardSize_BOARD_SIZE_9X9, SideToMove: emergov1.Color_COLOR_BLACK, Stage: emergov1.Stage_STAGE_ENTERING,
		WhiteInHand: 12, BlackInHand: 12, Ply: 1<<31 - 1, Occurrences: 2, CaptureObligatory: true,
		Outcome: &emergov1.Outcome{Result: emergov1.Result_RESULT_BLACK_WINS, Reason: emergov1.Reason_REASON_NO_PIECES},
	}
	for file := 'a'; file <= 'i'; file += 2 {
		for rank := '1'; rank <= '9'; rank += 2 {
			s.Pieces = append(s.Pieces, &emergov1.Piece{Square: string([]rune{file, rank}), Owner: emergov1.Color_COLOR_WHITE, Cap: 12, Prisoners: 12})
		}
	}
	last := &emergov1.Move{Notation: "c3", Kind: &emergov1.Move_Entry{Entry: &emergov1.Entry{Square: "c3"}}}
	var plain, coloured bytes.Buffer
	if err := draw(&plain, s, last, palette{}); err != nil {
		t.Fatal(err)
	}
	if err := draw(&coloured, s, last, inColour); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(plain.String(), "\n"), "\n")
	if len(lines) > 20 {
		t.Errorf("%d lines", len(lines))
	}
	for _, l := range lines {
		if len(l) > 79 {
			t.Errorf("%d columns: %s", len(l), l)
		}
	}

	// Colour adds nothing but colour.
	stripped := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(coloured.String(), "")
	trailing := regexp.MustCompile("(?m) +$")
	if got, want := trailing.ReplaceAllString(stripped, ""), trailing.ReplaceAllString(plain.String(), ""); got != want {
		t.Errorf("coloured, without the colours:\n%s\nplain:\n%s", got, want)
	}
}

func TestColours(t *testing.T) {
	if colours(&bytes.Buffer{}) {
		t.Error("a buffer is coloured")
	}
	for _, c := range []struct{ name, value string }{{"NO_COLOR", "1"}, {"TERM", "dumb"}} {
		t.Setenv("NO_COLOR", "")
		t.Setenv(c.name, c.value)
		if paletteFor(&bytes.Buffer{}) != (palette{}) {
			t.Errorf("%s=%s is coloured", c.name, c.value)
		}
	}
}
