package search_test

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/prove"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// claimRules returns the rules of a game: often those of other rulesets, and limits so near that they
// are reached.
func claimRules(rng *rand.Rand) emergo.Rules {
	r := emergo.Rules{BlockedLoses: rng.IntN(3) == 0}
	if rng.IntN(3) == 0 {
		r.NoProgressLimit = 2 + rng.IntN(30)
	}
	return r
}

// goBack returns the move that takes back the mover's step before, if there is one.
func goBack(g *emergo.Game, moves []emergo.Move) (emergo.Move, bool) {
	n := len(g.Moves())
	if n < 2 {
		return 0, false
	}
	last := g.Moves()[n-2]
	i := slices.IndexFunc(moves, func(m emergo.Move) bool {
		return m.Kind() == emergo.Step && m.From() == last.To() && m.To() == last.From()
	})
	if i < 0 {
		return 0, false
	}
	return moves[i], true
}

// TestWinsAreTrue plays games by chance and by search, on both boards and by all rules, in some of which
// pieces go back and forth; and whenever the search says that a side wins in some number of plies, the
// prover must agree. EMERGO_CLAIMS is how many positions are searched.
func TestWinsAreTrue(t *testing.T) {
	positions, seed := 400, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("EMERGO_CLAIMS")); err == nil {
		positions, seed = n, rand.Uint64()
		t.Logf("seed %d", seed)
	}
	const searchNodes, proofNodes = 5_000, 1_000_000
	rng := rand.New(rand.NewPCG(seed, 1))
	searcher, prover := search.New(4<<20, nil), prove.New(64<<20)
	ctx := context.Background()
	count := map[prove.Verdict]int{}
	for positions > 0 {
		g := emergo.NewGame(emergo.StartPosition(emergo.Board(rng.IntN(2))), claimRules(rng))
		chance := []float64{0.05, 0.3, 0.7, 1}[rng.IntN(4)]
		shuffles := rng.IntN(2) == 0
		for ply := 0; !g.Outcome().Over() && ply < 200 && positions > 0; ply++ {
			moves := g.AppendMoves(nil)
			m := moves[rng.IntN(len(moves))]
			if ply > 10 {
				positions--
				l := searcher.Search(ctx, g, search.Limits{Nodes: searchNodes}, nil).Lines[0]
				if n, known := l.Score.Plies(); known {
					verdict := isTrue(ctx, prover, g, l.Score.Won(), n, proofNodes)
					count[verdict]++
					if verdict == prove.Refuted {
						t.Errorf("%v is false after %v of %v by %+v", l.Score, g.Moves(), g.Anchor(), g.Rules())
					}
				}
				if rng.Float64() > chance {
					m = l.Moves[0]
				}
			}
			if back, ok := goBack(g, moves); ok && shuffles && rng.IntN(3) > 0 {
				m = back
			}
			g.Play(m)
		}
	}
	t.Logf("claims of wins and losses: %v (unknown: not within %d nodes)", count, proofNodes)
	if count[prove.Proven] == 0 {
		t.Error("no claim was proven")
	}
}

// isTrue says whether the side to move wins, or else loses, within n plies.
func isTrue(ctx context.Context, p *prove.Prover, g *emergo.Game, wins bool, n int, nodes uint64) prove.Verdict {
	if wins {
		return p.WinsWithin(ctx, g, n, nodes)
	}
	return p.LosesWithin(ctx, g, n, nodes)
}
