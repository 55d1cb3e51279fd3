package main

import (
	"fmt"
	"io"
)

// An outputError is why standard output cannot be written.
type outputError struct{ err error }

func (e outputError) Error() string {
	return fmt.Sprintf("Standard output cannot be written: %v.", e.err)
}

// An output is standard output. It remembers that it could not be written, so that no command has
// to.
type output struct {
	to  io.Writer
	err error // the first
}

func (o *output) Write(text []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.to.Write(text)
	if err != nil {
		o.err = outputError{err}
	}
	return n, o.err
}
