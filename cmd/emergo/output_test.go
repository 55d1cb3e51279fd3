package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A fullDisk takes so many bytes.
type fullDisk struct{ free int }

func (d *fullDisk) Write(text []byte) (int, error) {
	if n := len(text); n <= d.free {
		d.free -= n
		return n, nil
	}
	n := d.free
	d.free = 0
	return n, errors.New("no space left on device")
}

// Whatever a command prints, it fails if that cannot be printed, and says so once.
func TestOutputThatCannotBeWritten(t *testing.T) {
	addr, _ := startServer(t)
	for _, args := range []string{
		"--help", "--version", "eval --help", "new", "new --json", "moves", "moves -", "moves --json -", "apply c3", "apply -",
		"eval --nodes 1", "eval -", "analyze --depth 1", "analyze --depth 1 --json", "show", "show -", "play", "play --engine white --time 1ms",
		"perft 2", "perft --divide 2", "prove --plies 2 --closed 0", "prove --moves --plies 2 --closed 0",
		"match random random --pairs 1", "ladder random greedy --pairs 1", "engine random",
		"tables build --board 7x7 --pieces 2 --output " + t.TempDir() + "/x",
	} {
		for _, free := range []int{0, 10} {
			var stderr bytes.Buffer
			stdin := strings.NewReader("c3\n\ne5\n")
			status := run(context.Background(), append(strings.Fields(args), "--addr="+addr), stdin, &fullDisk{free}, &stderr)
			const want = "emergo: Standard output cannot be written: no space left on device.\n"
			if status != exitFailed || strings.Count(stderr.String(), want) != 1 || !strings.HasSuffix(stderr.String(), want) {
				t.Errorf("%s, after %d bytes: status %d, %s", args, free, status, &stderr)
			}
		}
	}
}

// A ladder takes hours, so it does not go on unseen.
func TestLadderEndsWithItsOutput(t *testing.T) {
	for free, want := range map[int]int{0: 0, 100: 2, 1000: 4} { // nothing, the heading, and all
		file := filepath.Join(t.TempDir(), "games.jsonl")
		args := strings.Fields("ladder random greedy random --pairs 1 --games " + file)
		var stderr bytes.Buffer
		status := run(context.Background(), args, nil, &fullDisk{free}, &stderr)
		games, err := os.ReadFile(file)
		if got := bytes.Count(games, []byte("\n")); err != nil || got != want || (status == exitOK) != (want == 4) {
			t.Errorf("after %d bytes: %d games, want %d, status %d, %v", free, got, want, status, err)
		}
	}
}
