package match

import (
	"fmt"
	"math/rand/v2"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// Opening returns the moves of random opening number k, from 0, of a seed: from least to most legal
// moves, each as likely, after which the game goes on. It is the same everywhere. The error is that
// games by chance do not last so long.
func Opening(b emergo.Board, r emergo.Rules, least, most int, seed, k uint64) ([]emergo.Move, error) {
	const tries = 1000 // far more than openings that can be had need
	chance := rand.New(rand.NewPCG(seed, k))
	for range tries {
		g := emergo.NewGame(emergo.StartPosition(b), r)
		var opening []emergo.Move
		for range least + chance.IntN(most-least+1) {
			moves := g.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[chance.IntN(len(moves))]
			g.Play(m)
			opening = append(opening, m)
		}
		if !g.Outcome().Over() {
			return opening, nil
		}
	}
	return nil, fmt.Errorf("%d random games in a row ended within openings of %d to %d plies", tries, least, most)
}
