package search_test

import (
	"context"
	"fmt"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// A search ends at its limits, or sooner if it has read the game to its end.
func ExampleSearcher_Search() {
	p, err := emergo.ParsePosition("9/9/2a@1a@4/9/4a@4/3D@5/9/5A@3/6b@2 b 0 0,0")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := search.New(1<<20, endgame.Embedded())
	r := s.Search(context.Background(), emergo.NewGame(p, emergo.Rules{}), search.Limits{Depth: 8}, nil)
	best := r.Lines[0]
	fmt.Println(best.Score, best.Moves)
	fmt.Println("exact:", best.Exact, "settled:", r.Settled, "at depth", r.Depth)
	// Output:
	// loss in 2 [g1xe3xc5 d4xb6xd8xf6xd4xb6]
	// exact: true settled: true at depth 2
}

// What the endgame tables know takes neither a search nor a Searcher.
func ExampleLookUp() {
	for _, position := range []string{"7/7/bf6/1BF5/7/7/7 w 80 0,0", "7/7/7/7/7/7/7 w 0 8,8"} {
		p, err := emergo.ParsePosition(position)
		if err != nil {
			fmt.Println(err)
			return
		}
		r, ok := search.LookUp(emergo.NewGame(p, emergo.Rules{}), 1, endgame.Embedded())
		fmt.Println("known:", ok)
		for _, l := range r.Lines {
			fmt.Println(l.Score, l.Moves)
		}
	}
	// Output:
	// known: true
	// win in 9 [b4-c5 a5-b4 c5xa3 b4-c3 a3-b2 c3xa1 b2-a3 a1-b2 a3xc1]
	// known: false
}
