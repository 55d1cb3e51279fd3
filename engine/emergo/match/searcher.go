package match

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// defaultHash is the size of a searcher's transposition table in MiB: enough for a second of search.
const defaultHash = 32

// searching plays the best move of the program's search.
type searching struct {
	searcher *search.Searcher
	limits   search.Limits
	weights  *weightsFile // nil for the ones built in
	chance   int          // of 100 moves, how many are left to chance
	random   *rand.Rand
}

func parseSearch(text string) (Spec, error) {
	o := readOptions(text)
	limits := search.Limits{
		Time:  o.duration(""),
		Nodes: uint64(o.number("nodes", 0, 1, 1<<40)),
		Depth: o.number("depth", 0, 1, search.MaxDepth),
	}
	hash := o.number("hash", defaultHash, 1, 1<<16)
	if limits == (search.Limits{}) {
		o.fail(errors.New("it needs a limit: a time as in search:100ms, nodes=N or depth=N"))
	}
	chance := o.number("chance", 0, 0, 100)
	var without []string
	if names, ok := o.take("without"); ok {
		without = strings.Split(names, "+")
		if err := search.New(0, nil).Without(without...); err != nil {
			o.fail(err)
		}
	}
	var weights *weightsFile
	if name, ok := o.take("weights"); ok {
		var err error
		if weights, err = readWeights(name); err != nil {
			o.fail(err)
		}
	}
	return Spec{
		timed: limits.Time > 0,
		suits: func(b emergo.Board) error {
			_, err := weights.of(b)
			return err
		},
		make: func() (Player, error) {
			s := &searching{searcher: search.New(hash<<20, endgame.Embedded()), limits: limits, weights: weights, chance: chance}
			return s, s.searcher.Without(without...)
		},
	}, o.finish()
}

func (s *searching) Begin(_ context.Context, g *emergo.Game, seed uint64) error {
	s.random = rand.New(rand.NewPCG(seed, 0))
	b := g.Position().Board()
	weights, err := s.weights.of(b)
	if err != nil {
		return err
	}
	s.searcher.Weigh(b, weights)
	return nil
}

func (s *searching) Choose(ctx context.Context, g *emergo.Game) (Choice, error) {
	if s.chance > 0 && s.random.IntN(100) < s.chance {
		moves := g.AppendMoves(nil)
		return Choice{Move: moves[s.random.IntN(len(moves))]}, ctx.Err()
	}
	result := s.searcher.Search(ctx, g, s.limits, nil)
	best := result.Lines[0]
	return Choice{Move: best.Moves[0], Nodes: result.Nodes, Score: best.Score, Scored: true}, ctx.Err()
}

func (*searching) Close() error { return nil }
