package prove_test

import (
	"context"
	"fmt"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/prove"
)

// One of White's moves holds the game, the others lose it.
func ExampleProver_ProveMoves() {
	p, err := emergo.ParsePosition("7/7/2aa4/7/4ab1AB/1a@5/4ac1AB w 52 0,0")
	if err != nil {
		fmt.Println(err)
		return
	}
	game := emergo.NewGame(p, emergo.Rules{})
	prover := prove.New(1 << 20)
	for move, finding := range prover.ProveMoves(context.Background(), game, prove.Limits{Plies: 7, Closed: 100_000}) {
		fmt.Println(move, finding)
	}
	// Output:
	// g1-f2 loss in 6
	// g3-f2 draw
	// g3-f4 loss in 4
}
