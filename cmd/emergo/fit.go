package main

import (
	"fmt"
	"io"
	"os"

	"github.com/luctor-et-emergo/emergod/engine/emergo/fit"
)

type fitCmd struct {
	boardFlag `embed:""`
	Output    string   `short:"o" required:"" type:"path" placeholder:"FILE" help:"The file of weights to write."`
	Steps     int      `default:"${fit_steps}" placeholder:"N" help:"Steps of the descent (${default})."`
	Games     []string `arg:"" type:"existingfile" help:"Files of games on the board that --board names."`
}

// Run fits weights to games.
func (c *fitCmd) Run(s *session) error {
	if c.Steps < 1 {
		return usageError("--steps: it must be at least 1")
	}
	board := c.Board.engine()
	var samples []fit.Sample
	for _, name := range c.Games {
		more, err := readSamples(name, c)
		if err != nil {
			return failuref("The games in %s cannot be used: %v.", name, err)
		}
		samples = append(samples, more...)
	}
	if len(samples) == 0 {
		return failuref("There are no games on %v in the files.", board)
	}
	fitted, err := fit.Weights(board, samples, fit.Options{Steps: c.Steps})
	if err != nil {
		return failuref("Nothing was fitted: %v.", err)
	}
	err = replaceFile(c.Output, func(w io.Writer) error {
		_, err := w.Write(fitted.Weights.AppendText(nil, board))
		return err
	})
	if err != nil {
		return failuref("The file was not written: %v.", err)
	}
	_, err = fmt.Fprintf(s.out, "%d positions; loss %.4f, by the weights built in %.4f; odds of e to 1 at %.0f hundredths of a man\n",
		fitted.Samples, fitted.After, fitted.Before, fitted.Scale)
	return err
}

func readSamples(name string, c *fitCmd) ([]fit.Sample, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return fit.ReadGames(f, c.Board.engine())
}
