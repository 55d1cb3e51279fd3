package main

import (
	"strings"
	"unicode/utf8"
)

// A palette is the escape sequences of a drawing; the zero one draws plainly. Pieces set both colours, so that they can
// be read on dark and on light terminals.
type palette struct{ white, black, faint, bold string }

var inColour = palette{
	white: "\x1b[1;38;5;16;48;5;255m",
	black: "\x1b[1;38;5;255;48;5;24m",
	faint: "\x1b[2m",
	bold:  "\x1b[1m",
}

// paletteFor returns the palette to draw with on a stream.
func paletteFor(stream any) palette {
	if colours(stream) {
		return inColour
	}
	return palette{}
}

// A line is a line of a drawing. Its width is in characters, without the escape sequences.
type line struct {
	text  string
	width int
}

// add appends text in a colour of the palette, or "" for none.
func (l *line) add(colour, text string) {
	l.width += utf8.RuneCountInString(text)
	if colour != "" {
		text = colour + text + "\x1b[0m"
	}
	l.text += text
}

// pad fills the line with spaces up to a column.
func (l *line) pad(column int) {
	if l.width < column {
		l.add("", strings.Repeat(" ", column-l.width))
	}
}
