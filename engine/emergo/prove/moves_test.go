package prove_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo/prove"
)

// So few plies are looked ahead that often a closed set alone tells who wins, and nothing tells when.
func TestMovesWinAndLoseInThePliesThatTheyTake(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	prover := prove.New(1 << 20)
	ctx := context.Background()
	counted, uncounted := 0, 0
	for range 800 {
		g := smallGame(rng)
		for m, f := range prover.ProveMoves(ctx, g, prove.Limits{Plies: 1 + rng.IntN(4), Closed: 200}) {
			if !f.Proven() || f.Least == prove.Draw {
				continue
			}
			if f.Plies == 0 {
				uncounted++
				continue
			}
			counted++
			next := played(g, m)
			want := 1
			if !next.Outcome().Over() {
				want += prover.Prove(ctx, next, prove.Limits{Plies: 6}).Plies
			}
			if f.Plies != want {
				t.Errorf("%v after %v of %v is a %v, want it in %d", m, g.Moves(), g.Anchor(), f, want)
			}
		}
	}
	if counted < 50 || uncounted < 50 {
		t.Errorf("%d moves decide in a known number of plies and %d in an unknown one: too few to show anything", counted, uncounted)
	}
}
