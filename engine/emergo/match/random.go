package match

import (
	"context"
	"math/rand/v2"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// random plays any legal move, each as likely.
type random struct {
	chance *rand.Rand
	moves  []emergo.Move
}

func parseRandom(text string) (Spec, error) {
	return Spec{make: func() (Player, error) { return &random{}, nil }}, readOptions(text).finish()
}

func (r *random) Begin(_ context.Context, _ *emergo.Game, seed uint64) error {
	r.chance = newChance(seed)
	return nil
}

func (r *random) Choose(_ context.Context, g *emergo.Game) (Choice, error) {
	r.moves = g.AppendMoves(r.moves[:0])
	return Choice{Move: r.moves[r.chance.IntN(len(r.moves))]}, nil
}

func (*random) Close() error { return nil }

// newChance returns a generator whose numbers are the same for a seed everywhere.
func newChance(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }
