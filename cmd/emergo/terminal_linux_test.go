package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

func TestTerminalHeight(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatalf("there is no terminal to be had: %v", err)
	}
	defer terminal.Close()
	for _, c := range []struct {
		rows uint16
		want int
	}{{7, 7}, {50, 50}, {0, usualHeight}} {
		if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: c.rows, Col: 80}); err != nil {
			t.Fatal(err)
		}
		if got := terminalHeight(&output{to: terminal}); got != c.want {
			t.Errorf("a terminal of %d lines has %d, want %d", c.rows, got, c.want)
		}
	}
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got := terminalHeight(file); got != usualHeight {
		t.Errorf("a file has %d lines", got)
	}
}

// openTerminal returns a terminal, and what reads from it what is shown.
func openTerminal(t *testing.T) (terminal, display *os.File) {
	t.Helper()
	display, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatalf("there is no terminal to be had: %v", err)
	}
	t.Cleanup(func() { display.Close() })
	number, err := unix.IoctlGetInt(int(display.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(display.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	if terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatalf("there is no terminal to be had: %v", err)
	}
	t.Cleanup(func() { terminal.Close() })
	return terminal, display
}

// What is drawn in place keeps to its lines on every terminal.
func TestLinesAreCutAtTheTerminalsWidth(t *testing.T) {
	terminal, display := openTerminal(t)
	shown := bufio.NewReader(display)
	line := &emergov1.Line{Value: &emergov1.Value{Worth: &emergov1.Value_Estimate{Estimate: 35}}}
	for range 100 {
		line.Moves = append(line.Moves, &emergov1.Move{Notation: "c3-d4"})
	}
	message := &emergov1.AnalyzeResponse{Evaluation: &emergov1.Evaluation{Lines: []*emergov1.Line{line}}}
	for columns, want := range map[uint16]int{0: terminalWidth, 20: 19, 40: 39, 80: 79, 200: 199} {
		if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
			t.Fatal(err)
		}
		s := &screen{out: &output{to: terminal}, height: func() int { return usualHeight }}
		if err := s.show(message); err != nil {
			t.Fatal(err)
		}
		longest := 0
		for range 3 {
			l, err := shown.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			longest = max(longest, len(strings.TrimRight(l, "\r\n")))
		}
		if longest != want {
			t.Errorf("on %d columns a line of %d is drawn, want %d", columns, longest, want)
		}
		p := &progress{to: terminal, inPlace: true}
		p.show(strings.Repeat("x", 300))
		if p.width != want {
			t.Errorf("on %d columns a progress of %d is drawn, want %d", columns, p.width, want)
		}
		fmt.Fprintln(terminal)
		if _, err := shown.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
}
