package main

import (
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// An answer is what a command has to say about a game.
type answer struct {
	message proto.Message // with --json
	lines   []string      // for a game on the command line
	line    string        // for a game on a line of standard input
	note    string        // for people, on standard error
}

// A question gets the answer about a game.
type question func(*client, *emergov1.Game) (answer, error)

// askFlags are those of the commands that answer questions.
type askFlags struct {
	gameArgs `embed:""`
	JSON     bool `name:"json" help:"Print the server's response as JSON, for games from standard input one a line."`
}

// ask answers a question about the game of the command line, or about each game on standard input.
func (f askFlags) ask(s *session, q question) error {
	many, err := f.fromStdin()
	if err != nil {
		return err
	}
	c, err := s.client()
	if err != nil {
		return err
	}
	defer c.close()
	if many {
		return f.askEach(c, q)
	}
	a, err := q(c, f.game(readGame(f.words())))
	switch {
	case err != nil:
		return err
	case f.JSON:
		return printJSON(s.out, a.message)
	}
	for _, l := range a.lines {
		if _, err := fmt.Fprintln(s.out, l); err != nil {
			return err
		}
	}
	if a.note != "" {
		say(s.err, a.note)
	}
	return nil
}

// askEach answers line by line, so that the answers can be told apart by their line numbers: nothing is said
// of an empty line, nor, on standard output, of a refused one.
func (f askFlags) askEach(c *client, q question) error {
	failed := false
	err := eachLine(c.in, func(number int, text string) error {
		words := splitWords([]string{text})
		if len(words) == 0 {
			_, err := fmt.Fprintln(c.out)
			return err
		}
		a, err := q(c, f.game(readGame(words)))
		var refused *refusal
		switch {
		case errors.As(err, &refused):
			failed = true
			complain(c.err, fmt.Errorf("line %d: %w", number, err))
			if f.JSON {
				return printJSONLine(c.out, refused)
			}
		case err != nil:
			return err // no other line would fare better
		case f.JSON:
			return printMessageLine(c.out, a.message)
		}
		_, err = fmt.Fprintln(c.out, a.line)
		return err
	})
	if err == nil && failed {
		return errReported
	}
	return err
}

// notation lists moves.
func notation(moves []*emergov1.Move) []string {
	names := make([]string, len(moves))
	for i, m := range moves {
		names[i] = printable(m.GetNotation())
	}
	return names
}

func joined(words []string) string { return strings.Join(words, " ") }
