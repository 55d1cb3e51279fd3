package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
)

// A whole game on the small board, with the mistakes that people make.
func TestPlay(t *testing.T) {
	addr, _ := startServer(t)
	const script = `help
d4
b6
position
c7 d6
foo
b4
moves e
f6
C7
e5
f4
moves
c7 x a5
undo
c7xa5
f4
g3
e3
g5
b6
g5:e7
b2
a5xc7
d4
a3*3
a3
draw
n
e5d6
c7xe5
c7xa1

show
e3-d4
g3xe5xc3
`
	got := emergoAt(addr, script, "play", "--board=7x7")
	if got.status != exitFailed || got.err != "" { // moves were refused on the way
		t.Fatalf("got %d %s", got.status, got.err)
	}
	golden(t, "play.txt", withoutSentences(got.out))
}

func TestPlayEnds(t *testing.T) {
	addr, _ := startServer(t)
	const leave = "To go on with the game:\n  emergo play "
	tests := []struct {
		name, args, script string
		ends               string
	}{
		{"resignation", "", "c3\nresign\n", "White wins: Black resigns.\n"},
		{"agreement", "", "c3\nDRAW\nYes\n", "The moves played:\n  c3\nDraw: the players agree.\n"},
		{"no agreement", "", "draw\n\nquit\n", "No draw: the game goes on.\nWhite> quit\n"},
		{"end of input in the middle", "", "c3", leave + "9/9/9/9/9/9/2A@6/9/9 b 1 11,12\n"},
		{"end of input instead of an answer", "", "c3\ndraw\n", leave + "9/9/9/9/9/9/2A@6/9/9 b 1 11,12\n"},
		{"end of input at once", "", "", "White> \n"},
		{"history and rules are kept", "--blocked=loss --no-progress-limit=9 9/9/9/9/4A@4/9/9/9/A@7a@ w 30 0,0 e5-d4", "i1h2\nexit\n",
			"emergo play --blocked=loss --no-progress-limit=9 9/9/9/9/4A@4/9/9/9/A@7a@ w 30 0,0 e5-d4 i1-h2\n"},
		{"repetition", "9/9/9/9/4A@4/9/9/9/A@7a@ w 30 0,0 e5-d4 i1-h2 d4-e5 h2-i1 e5-d4 i1-h2 d4-e5", "h2-i1\n",
			"Draw: the same position for the third time.\n"},
		{"over from the start", "9/9/9/9/4A@4/9/9/9/9 b 9 0,0", "c3\n", "White wins: Black has no piece and no man in hand.\n"},
		{"nothing to take back", "", "undo\nquit\n", "White> undo\nThere is no move to take back.\nWhite> quit\n"},
		{"control characters", "", "\x1b[2J\nquit\n", "White> quit\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := emergoAt(addr, test.script, append([]string{"play"}, strings.Fields(test.args)...)...)
			status := exitOK
			if test.name == "control characters" { // which are no move
				status = exitFailed
			}
			if got.status != status || got.err != "" || !strings.HasSuffix(got.out, test.ends) {
				t.Errorf("got %d %s\n%s\nwant\n%s", got.status, got.err, got.out, test.ends)
			}
			if strings.Contains(got.out, "\x1b") {
				t.Errorf("an escape is printed:\n%q", got.out)
			}
		})
	}
}

// A game taken up again where it was left is the same game.
func TestPlayOn(t *testing.T) {
	addr, _ := startServer(t)
	left := emergoAt(addr, "e5-d4\ni1-h2\nd4-e5\nh2-i1\ne5-d4\ni1-h2\nd4-e5\nquit\n", "play", "9/9/9/9/4A@4/9/9/9/A@7a@ w 30 0,0")
	_, command, _ := strings.Cut(left.out, "To go on with the game:\n  emergo ")
	got := emergoAt(addr, "h2-i1\n", strings.Fields(command)...)
	if !strings.HasSuffix(got.out, "Draw: the same position for the third time.\n") {
		t.Errorf("%s: %+v", command, got)
	}
}

// A script cannot wait for a server to come back.
func TestPlayWithoutServer(t *testing.T) {
	addr, stop := startServer(t)
	lines, typed := io.Pipe()
	out := &prompted{prompt: "Black> ", seen: make(chan struct{})}
	var stderr bytes.Buffer
	ended := make(chan int)
	go func() {
		ended <- run(context.Background(), []string{"play", "--addr=" + addr}, lines, out, &stderr)
	}()
	io.WriteString(typed, "c3\n")
	<-out.seen
	stop()
	io.WriteString(typed, "e3\n")
	if status := <-ended; status != exitFailed || !strings.HasPrefix(stderr.String(), "emergo: No server answers at ") {
		t.Errorf("status %d, %s", status, &stderr)
	}
}

// A prompted writer closes seen when a prompt is written.
type prompted struct {
	prompt string
	seen   chan struct{}
}

func (p *prompted) Write(text []byte) (int, error) {
	if string(text) == p.prompt {
		close(p.seen)
	}
	return len(text), nil
}
