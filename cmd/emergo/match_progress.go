package main

import (
	"fmt"
	"io"
	"time"
	"unicode/utf8"
)

// A progress shows how far something long has come: on a terminal in one line that changes, elsewhere
// in a line now and then.
type progress struct {
	to       io.Writer
	inPlace  bool
	interval time.Duration
	last     time.Time
	width    int // of the line on the terminal
}

func newProgress(to io.Writer) *progress {
	p := &progress{to: to, inPlace: isTerminal(to), interval: 10 * time.Second, last: time.Now()}
	if p.inPlace {
		p.interval = 200 * time.Millisecond
	}
	return p
}

// show shows a line, unless one has been shown a moment ago.
func (p *progress) show(line string) {
	if time.Since(p.last) < p.interval {
		return
	}
	p.last = time.Now()
	if !p.inPlace {
		fmt.Fprintln(p.to, line)
		return
	}
	line = fmt.Sprintf("%.*s", lineWidth(p.to), line)
	fmt.Fprintf(p.to, "\r%-*s", p.width, line)
	p.width = utf8.RuneCountInString(line)
}

// end removes the line from a terminal.
func (p *progress) end() {
	if p.inPlace {
		fmt.Fprintf(p.to, "\r%*s\r", p.width, "")
	}
}
