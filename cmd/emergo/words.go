package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// printable returns s with everything visible: no string of a server or a user may move the cursor, change colours or
// reverse the direction of text.
func printable(s string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, string(unicode.ReplacementChar)) {
		switch {
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// say prints a sentence, on a terminal in lines that fit.
func say(w io.Writer, sentence string) {
	lines := []string{printable(sentence)}
	if isTerminal(w) {
		lines = wrap(strings.Fields(lines[0]), terminalWidth)
	}
	for _, l := range lines {
		fmt.Fprintln(w, l)
	}
}

// count writes a number of things: "1 man", "2 men".
func count[N int | int32](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// wrap breaks words into lines of at most width characters where it can.
func wrap(words []string, width int) (lines []string) {
	for i, word := range words {
		if last := len(lines) - 1; i > 0 && len(lines[last])+1+len(word) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
