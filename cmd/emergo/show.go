package main

import (
	"strings"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

type showCmd struct {
	askFlags `embed:""`
}

// Run draws the board.
func (c *showCmd) Run(s *session) error {
	return c.ask(s, func(c *client, game *emergov1.Game) (answer, error) {
		m, err := c.moment(game)
		if err != nil {
			return answer{}, err
		}
		var b strings.Builder
		if err := draw(&b, m.state, m.last, paletteFor(c.out)); err != nil {
			return answer{}, err
		}
		drawing := b.String()
		return answer{message: m.state, lines: []string{strings.TrimSuffix(drawing, "\n")}, line: drawing}, nil
	})
}
