package main

import (
	"fmt"
	"io"
	"os"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/fit"
)

type fitCmd struct {
	Board  board      `group:"rules" placeholder:"9x9|7x7" help:"The board (9x9)."`
	Output fileName   `short:"o" required:"" placeholder:"FILE" help:"The file of weights to write."`
	Steps  int        `type:"whole" from:"1" default:"${fit_steps}" placeholder:"N" help:"Steps of the descent (${default})."`
	Games  []fileName `arg:"" sep:"none" help:"Files of games on the board that --board names."`
}

// Run fits weights to games.
func (c *fitCmd) Run(s *session) error {
	board := c.Board.engine()
	var samples []fit.Sample
	for _, name := range c.Games {
		more, err := readSamples(string(name), board)
		if err != nil {
			return failuref("The games in %s cannot be used: %v.", name, err)
		}
		samples = append(samples, more...)
	}
	if len(samples) == 0 {
		return failuref("There are no games on %v in the files; --board names the board.", board)
	}
	ctx, stop := s.interruptible()
	defer stop()
	var fitted fit.Fit
	err := replaceFile(string(c.Output), func(w io.Writer) (err error) {
		if fitted, err = fit.Weights(ctx, board, samples, c.Steps); err != nil {
			return err
		}
		_, err = w.Write(fitted.Weights.AppendText(nil, board))
		return err
	})
	if err != nil {
		return unwritten(err)
	}
	_, err = fmt.Fprintln(s.out, fitLine(&fitted))
	return err
}

// fitLine says what came of a fit.
func fitLine(f *fit.Fit) string {
	words := fmt.Sprintf("%d positions, odds of e to 1 at %.0f hundredths of a man; ", f.Samples, f.Scale)
	if f.Held == 0 {
		return words + "the games are too few to hold any out"
	}
	return words + fmt.Sprintf("%d held out, loss %.4f, by the weights built in %.4f", f.Held, f.After, f.Before)
}

func readSamples(name string, b emergo.Board) ([]fit.Sample, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return fit.ReadGames(f, b)
}
