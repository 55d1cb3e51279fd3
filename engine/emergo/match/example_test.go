package match_test

import (
	"context"
	"fmt"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/match"
)

// Two plies ahead against none: each of ten openings is played twice, with colours swapped.
func ExampleMatch_Run() {
	m := match.Match{
		Board:        emergo.Board7x7,
		Rules:        emergo.Rules{NoProgressLimit: match.DefaultNoProgressLimit},
		MaxPlies:     match.DefaultMaxPlies,
		OpeningPlies: match.DefaultOpeningPlies,
		Seed:         1,
		Pairs:        10,
	}
	for i, text := range []string{"alphabeta:2", "greedy"} {
		player, err := match.ParseSpec(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		m.Players[i] = player
	}
	tally, err := m.Run(context.Background(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v makes %.1f%% of the points in %d games\n", m.Players[0], 100*tally.Pairs.Score(), 2*tally.Pairs.Count())
	// Output:
	// alphabeta:2 makes 92.5% of the points in 20 games
}
