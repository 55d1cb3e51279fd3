package main

import (
	"fmt"

	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
)

type tablesVerifyCmd struct {
	Samples int      `type:"whole" default:"100000" placeholder:"N" help:"How many positions of each table to compare with those that their moves lead to (${default})."`
	File    fileName `arg:"" help:"The file."`
}

// Run checks a file.
func (c *tablesVerifyCmd) Run(s *session) error {
	names, err := endgame.Verify(string(c.File), c.Samples)
	if err != nil {
		return failuref("The file is refused: %v.", err)
	}
	for _, name := range names {
		if _, err := fmt.Fprintf(s.out, "%s: sound\n", name); err != nil {
			return err
		}
	}
	return nil
}
