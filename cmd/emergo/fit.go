package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"

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
	ctx, stop := signal.NotifyContext(s.ctx, os.Interrupt)
	defer stop()
	var fitted fit.Fit
	err := replaceFile(string(c.Output), func(w io.Writer) (err error) {
		if fitted, err = fit.Weights(ctx, board, samples, fit.Options{Steps: c.Steps}); err != nil {
			return err
		}
		_, err = w.Write(fitted.Weights.AppendText(nil, board))
		return err
	})
	if err != nil {
		return unwritten(err)
	}
	_, err = fmt.Fprintf(s.out, "%d positions; loss %.4f, by the weights built in %.4f; odds of e to 1 at %.0f hundredths of a man\n",
		fitted.Samples, fitted.After, fitted.Before, fitted.Scale)
	return err
}

func readSamples(name string, b emergo.Board) ([]fit.Sample, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return fit.ReadGames(f, b)
}
