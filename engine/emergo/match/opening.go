package match

import (
	"math/rand/v2"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// Opening returns the moves of random opening number k, from 0, of a seed: from least to most legal
// moves, each as likely, after which the game goes on. It is the same everywhere.
func Opening(b emergo.Board, r emergo.Rules, least, most int, seed, k uint64) []emergo.Move {
	chance := rand.New(rand.NewPCG(seed, k))
	for {
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
			return opening
		}
	}
}
