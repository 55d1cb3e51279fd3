package main

import emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"

type applyCmd struct {
	askFlags `embed:""`
}

// Run plays moves and prints the position they lead to.
func (a *applyCmd) Run(s *session) error {
	if _, moves := readGame(a.words()); a.Position != "-" && len(moves) == 0 {
		return usageError("apply plays at least one move, as in: emergo apply start c3")
	}
	return a.ask(s, func(c *client, game *emergov1.Game) (answer, error) {
		if len(game.GetMoves()) == 0 {
			return answer{}, &refusal{Sentence: "There is no move to play."}
		}
		response, err := c.applyMoves(game)
		if err != nil {
			return answer{}, err
		}
		position := printable(response.GetState().GetPosition())
		return answer{message: response, lines: []string{position}, line: position}, nil
	})
}
