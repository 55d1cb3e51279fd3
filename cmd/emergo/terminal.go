package main

import "os"

// What is sure to fit on a terminal of which no more is known.
const (
	terminalWidth = 79 // of a line that stays one
	usualHeight   = 24
)

// fileOf returns the file of a stream, or nil if it is none.
func fileOf(stream any) *os.File {
	if o, ok := stream.(*output); ok {
		stream = o.to
	}
	file, _ := stream.(*os.File)
	return file
}

// isTerminal reports whether a stream is a terminal. /dev/null counts as one, which does no harm here.
func isTerminal(stream any) bool {
	file := fileOf(stream)
	if file == nil {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// terminalHeight returns how many lines the terminal has that a stream is.
func terminalHeight(stream any) int {
	if file := fileOf(stream); file != nil {
		if n, _ := terminalSize(file); n > 0 {
			return n
		}
	}
	return usualHeight
}

// lineWidth returns how much of a line stays one on the terminal that a stream is: all columns but the
// last.
func lineWidth(stream any) int {
	if file := fileOf(stream); file != nil {
		if _, n := terminalSize(file); n > 1 {
			return n - 1
		}
	}
	return terminalWidth
}

// colours tells whether to colour what is drawn on a stream: see no-color.org.
func colours(stream any) bool {
	return isTerminal(stream) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
