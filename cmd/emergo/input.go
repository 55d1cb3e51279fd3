package main

import (
	"bufio"
	"errors"
	"io"
	"strings"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// gameArgs is a game on the command line.
type gameArgs struct {
	rulesetFlags `embed:""`
	Position     string   `arg:"" optional:"" help:"Where the game starts: a position string, quoted or not; \"start\" or nothing for the start position."`
	Move         []string `arg:"" optional:"" sep:"none" help:"Moves played from there."`
}

func (a gameArgs) words() []string {
	return splitWords(append([]string{a.Position}, a.Move...))
}

// fromStdin reports whether the games are on standard input instead.
func (a gameArgs) fromStdin() (bool, error) {
	if a.Position != "-" {
		return false, nil
	}
	if len(a.Move) > 0 {
		return false, usageError(`"-" reads games with their moves from standard input, so nothing may follow it`)
	}
	return true, nil
}

// splitWords splits arguments at white space, so that it does not matter what was quoted.
func splitWords(args []string) []string {
	return strings.Fields(strings.Join(args, " "))
}

// validUTF8 makes a string one that can be sent to the server, which then says what is wrong with it.
func validUTF8(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// readGame reads words as a position and moves. The position is the four fields of a position string, the word "start",
// or left out.
func readGame(words []string) (position string, moves []string) {
	switch {
	case len(words) == 0:
		return "", nil
	case strings.EqualFold(words[0], "start"):
		return "", words[1:]
	case strings.Contains(words[0], "/"):
		fields := min(4, len(words))
		return strings.Join(words[:fields], " "), words[fields:]
	}
	return "", words
}

func (f rulesetFlags) game(position string, moves []string) *emergov1.Game {
	return &emergov1.Game{Ruleset: f.ruleset(), Position: position, Moves: moves}
}

// maxLine bounds a line of standard input. 4,096 moves, more than a server takes, are a sixth of it.
const maxLine = 1 << 20

// eachLine calls do for each line of r, numbered from 1, until it fails.
func eachLine(r io.Reader, do func(number int, line string) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	number := 0
	for lines.Scan() {
		number++
		if err := do(number, validUTF8(lines.Text())); err != nil {
			return err
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return failuref("Line %d is longer than %d bytes.", number+1, maxLine)
	case err != nil:
		return failuref("Standard input cannot be read: %v.", err)
	}
	return nil
}
