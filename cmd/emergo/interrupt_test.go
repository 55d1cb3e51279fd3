package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Run with this variable set, the test binary is emergo, or does nothing but wait for an interrupt.
const asCommand = "EMERGO_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	switch os.Getenv(asCommand) {
	case "":
		if signal.Ignored(syscall.SIGHUP) { // as under nohup, which commands that are tested must not inherit
			signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
		}
		os.Exit(m.Run())
	case "waits":
		s := &session{ctx: context.Background()}
		ctx, _ := s.interruptible()
		fmt.Println("waits")
		<-ctx.Done()
		fmt.Println("interrupted")
		time.Sleep(time.Minute)
	default:
		main()
	}
}

// A running is an emergo in a process of its own.
type running struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	seen   strings.Builder // of out
	stderr bytes.Buffer
}

func start(t *testing.T, as string, args ...string) *running {
	t.Helper()
	r := &running{cmd: exec.CommandContext(t.Context(), os.Args[0], args...)}
	r.cmd.Env = append(os.Environ(), asCommand+"="+as, "GORACE=atexit_sleep_ms=0")
	r.cmd.Stderr = &r.stderr
	in, err := r.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.in, r.out = in, bufio.NewReader(out)
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(time.Minute, func() { _ = r.cmd.Process.Kill() })
	t.Cleanup(func() { late.Stop() })
	return r
}

// reads reads standard output up to some text.
func (r *running) reads(t *testing.T, text string) {
	t.Helper()
	for !strings.HasSuffix(r.seen.String(), text) {
		b, err := r.out.ReadByte()
		if err != nil {
			t.Fatalf("emergo never says %q: %s%s (%v)", text, r.seen.String(), &r.stderr, err)
		}
		r.seen.WriteByte(b)
	}
}

func (r *running) signal(t *testing.T, signal syscall.Signal) {
	t.Helper()
	if err := r.cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
}

// ended waits for the end and returns the rest of standard output.
func (r *running) ended() (rest string, state *os.ProcessState) {
	text, _ := io.ReadAll(r.out) // as much as there is
	_ = r.cmd.Wait()             // the state tells
	return string(text), r.cmd.ProcessState
}

var stopSignals = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

func TestSecondInterruptEndsAtOnce(t *testing.T) {
	for _, second := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		r := start(t, "waits")
		r.reads(t, "waits\n")
		r.signal(t, syscall.SIGHUP)
		r.reads(t, "interrupted\n")
		r.signal(t, syscall.SIGHUP) // which is one with the first
		ended := make(chan struct{})
		go func() { // again and again, since the first may come too soon to be told from the hangup
			for tick := time.Tick(20 * time.Millisecond); ; {
				select {
				case <-tick:
					_ = r.cmd.Process.Signal(second)
				case <-ended:
					return
				}
			}
		}()
		_, state := r.ended()
		close(ended)
		if status, ok := state.Sys().(syscall.WaitStatus); !ok || !status.Signaled() || status.Signal() != second {
			t.Errorf("after a second %v it ends with %v", second, state)
		}
	}
}

func TestInterruptedBuildLeavesNoFile(t *testing.T) {
	for _, signal := range stopSignals {
		dir := t.TempDir()
		r := start(t, "emergo", "tables", "build", "--board=9x9", "--output", filepath.Join(dir, "x.tables"))
		for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			if files, err := os.ReadDir(dir); err != nil || len(files) > 0 || time.Now().After(end) {
				break
			}
		}
		r.signal(t, signal)
		_, state := r.ended()
		if state.ExitCode() != exitFailed || r.stderr.String() != "emergo: The file was not written: that was interrupted.\n" {
			t.Errorf("%v: it ends with %v: %s", signal, state, &r.stderr)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%v: there are %v, %v", signal, left, err)
		}
	}
}

func TestInterruptedMatchSaysHowItStands(t *testing.T) {
	games := filepath.Join(t.TempDir(), "games.jsonl")
	for _, signal := range stopSignals {
		r := start(t, "emergo", "match", "random", "random", "--board=7x7", "--pairs=10000000", "--games", games)
		for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			if info, err := os.Stat(games); err == nil && info.Size() > 0 || time.Now().After(end) {
				break
			}
		}
		r.signal(t, signal)
		out, state := r.ended()
		if state.ExitCode() != exitOK || !regexp.MustCompile(`(?m)^pairs +\d+, then interrupted$`).MatchString(out) {
			t.Errorf("%v: it ends with %v: %s%s", signal, state, out, &r.stderr)
		}
		if err := os.Remove(games); err != nil {
			t.Error(err)
		}
	}
}

// No signal loses a game.
func TestInterruptedGameCanGoOn(t *testing.T) {
	addr, _ := startServer(t)
	const goOn = "\nThe moves played:\n  c3\nTo go on with the game:\n  emergo play "
	for _, signal := range stopSignals {
		r := start(t, "emergo", "play", "--addr="+addr)
		io.WriteString(r.in, "c3\n")
		r.reads(t, "Black> ")
		r.signal(t, signal)
		if out, state := r.ended(); state.ExitCode() != exitOK || out != goOn+"9/9/9/9/9/9/2A@6/9/9 b 1 11,12\n" {
			t.Errorf("%v at the prompt: it ends with %v: %s%s", signal, state, out, &r.stderr)
		}

		r = start(t, "emergo", "play", "--addr="+addr, "--engine=black", "--time=9s")
		io.WriteString(r.in, "c3\n")
		r.reads(t, "Black enters a man")
		r.signal(t, signal)
		out, state := r.ended()
		if state.ExitCode() != exitOK || !strings.HasSuffix(out, goOn+"--engine=black --time=9s 9/9/9/9/9/9/2A@6/9/9 b 1 11,12\n") {
			t.Errorf("%v while the engine thinks: it ends with %v: %s%s", signal, state, out, &r.stderr)
		}
	}
}
