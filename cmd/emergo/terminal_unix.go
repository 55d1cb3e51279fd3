//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// terminalSize returns how many lines a terminal has and how many columns, each 0 if that is not known.
func terminalSize(terminal *os.File) (rows, columns int) {
	size, err := unix.IoctlGetWinsize(int(terminal.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0
	}
	return int(size.Row), int(size.Col)
}
