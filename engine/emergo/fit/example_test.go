package fit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/fit"
	"github.com/luctor-et-emergo/emergod/engine/emergo/match"
)

// Games are played, and weights fitted to how they end.
func ExampleWeights() {
	const board = emergo.Board7x7
	greedy, err := match.ParseSpec("greedy")
	if err != nil {
		fmt.Println(err)
		return
	}
	m := match.Match{
		Players: [2]match.Spec{greedy, greedy}, Board: board, MaxPlies: match.DefaultMaxPlies,
		OpeningPlies: match.DefaultOpeningPlies, Seed: 1, Pairs: 30,
	}
	var games bytes.Buffer
	write := json.NewEncoder(&games)
	if _, err := m.Run(context.Background(), func(pair match.Pair, _ match.Tally) error {
		if err := write.Encode(pair[0]); err != nil {
			return err
		}
		return write.Encode(pair[1])
	}); err != nil {
		fmt.Println(err)
		return
	}
	samples, err := fit.ReadGames(&games, board)
	if err != nil {
		fmt.Println(err)
		return
	}
	fitted, err := fit.Weights(context.Background(), board, samples, 50)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("fitted to %d positions, judged by %d\n", fitted.Samples, fitted.Held)
	// Output:
	// fitted to 2117 positions, judged by 68
}
