package main

import emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"

type movesCmd struct {
	askFlags `embed:""`
	Prefix   string `placeholder:"SQUARES" help:"Only the moves that begin so, as in d4 or d4xb6."`
}

// Run lists the legal moves.
func (m *movesCmd) Run(s *session) error {
	return m.ask(s, func(c *client, game *emergov1.Game) (answer, error) {
		response, err := c.legalMoves(game, m.Prefix)
		if err != nil {
			return answer{}, err
		}
		moves := notation(response.GetMoves())
		a := answer{message: response, lines: moves, line: joined(moves)}
		switch {
		case over(response.GetState()):
			a.note = "The game is over. " + outcome(response.GetState())
		case len(moves) == 0:
			a.note = "No legal move begins so."
		}
		return a, nil
	})
}
