package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/alecthomas/kong"
)

// The exit statuses.
const (
	exitOK     = 0
	exitFailed = 1 // something was refused, or could not be done
	exitUsage  = 2 // the command line is wrong
)

// A session is what a command runs with.
type session struct {
	ctx     context.Context
	in      io.Reader
	out     *output
	err     io.Writer
	addr    string
	timeout time.Duration
}

// A usageError is a command line that is wrong in a way that its grammar does not see.
type usageError string

func (e usageError) Error() string { return string(e) }

// errReported fails a command that has already said why.
var errReported = errors.New("reported")

// run runs one command line and returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 { // as wrong as any line without a command, but most likely somebody who is new
		run(ctx, []string{"--help"}, stdin, stderr, stderr)
		return exitUsage
	}
	for i := range args {
		args[i] = validUTF8(args[i])
	}
	var line commandLine
	out := &output{to: stdout}
	command, err := line.parse(args, out, stderr)
	if err == nil && command != nil { // else help or the version has been printed
		s := &session{ctx: ctx, in: stdin, out: out, err: stderr, addr: string(line.Addr), timeout: line.Timeout}
		err = command.Run(s)
	}
	var wrong *kong.ParseError
	var usage usageError
	switch {
	case out.err != nil: // whatever came of it
		complain(stderr, out.err)
	case err == nil:
		return exitOK
	case errors.As(err, &wrong):
		complain(stderr, plainly(err))
		complain(stderr, fmt.Errorf("try: %s --help", commandName(wrong.Context)))
		return exitUsage
	case errors.As(err, &usage):
		complain(stderr, err)
		complain(stderr, fmt.Errorf("try: %s --help", commandName(command)))
		return exitUsage
	case !errors.Is(err, errReported):
		complain(stderr, err)
	}
	return exitFailed
}

// complain prints an error.
func complain(w io.Writer, err error) { say(w, "emergo: "+err.Error()) }

// commandName returns the name of the command of a line, as far as it was understood.
func commandName(line *kong.Context) string {
	if line != nil && line.Selected() != nil {
		return line.Selected().FullPath()
	}
	return "emergo"
}
