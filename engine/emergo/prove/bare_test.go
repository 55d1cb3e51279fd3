package prove_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/prove"
)

// barePosition returns a position in which one side or both own no piece, often with men in hand.
func barePosition(t *testing.T, rng *rand.Rand) emergo.Position {
	t.Helper()
	setup := emergo.Setup{Board: emergo.Board(rng.IntN(2)), Turn: emergo.Color(rng.IntN(2))}
	if rng.IntN(2) == 0 {
		setup.InHand = [2]int{rng.IntN(3), rng.IntN(3)}
	}
	squares := setup.Board.Squares()
	rng.Shuffle(len(squares), func(i, j int) { squares[i], squares[j] = squares[j], squares[i] })
	owner := emergo.Color(rng.IntN(2))
	for i := range rng.IntN(4) {
		piece := emergo.Piece{Owner: owner, Cap: 1 + rng.IntN(2), Prisoners: rng.IntN(3)}
		setup.Pieces = append(setup.Pieces, emergo.PlacedPiece{Square: squares[i], Piece: piece})
	}
	p, err := setup.Position()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Who owns nothing and has no man in hand has lost as soon as it is to move, whatever was moved.
func TestWinsOverSidesWithoutPieces(t *testing.T) {
	const plies = 3
	rng := rand.New(rand.NewPCG(7, 7))
	prover := prove.New(1 << 20)
	found := map[string]int{}
	for range 3000 {
		g := emergo.NewGame(barePosition(t, rng), emergo.Rules{BlockedLoses: rng.IntN(2) == 0, NoProgressLimit: rng.IntN(3)})
		if g.Outcome().Over() {
			continue
		}
		want := plainly(g, plies)
		if got := prover.Prove(context.Background(), g, prove.Limits{Plies: plies}); got != want {
			t.Errorf("%v with %v: got %v, want %v", g.Position(), g.Rules(), got, want)
		}
		for m, got := range prover.ProveMoves(context.Background(), g, prove.Limits{Plies: plies}) {
			if next := played(g, m); next.Outcome().End == emergo.NoPieces && got.String() != "win in 1" {
				t.Errorf("%v from %v with %v: got %v, want win in 1", m, g.Position(), g.Rules(), got)
			}
		}
		found[want.String()]++
	}
	for _, kind := range []string{"win in 1", "win in 3", "unknown beyond 3 plies"} {
		if found[kind] < 5 {
			t.Errorf("%d games were a %s: too few to show anything (%v)", found[kind], kind, found)
		}
	}
}
