package search_test

import (
	"context"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
	"github.com/luctor-et-emergo/emergod/engine/emergo/prove"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// TestTablesAreSeenFromAfar searches positions of more pieces than the embedded tables have to a depth from
// which the end of the game is far out of sight: what the tables know of the leaves decides, and the prover,
// which has no tables, agrees.
func TestTablesAreSeenFromAfar(t *testing.T) {
	for position, plies := range map[string]int{
		"6AB/7/7/5B@1/7/5AA1/4DC1b@ w 0 0,0": 7,
		"7/1ca5/4C@2/3ac1da1/7/7/7 b 0 0,0":  9,
		"7/7/7/7/2ba1dc2/1aa5/2CA4 b 0 0,0":  11,
		"4AA2/5ba1/CE6/5C@1/7/7/7 b 0 0,0":   -8,
		"7/1CE5/7/3CA3/7/1ba5/2A@4 b 0 0,0":  -8,
	} {
		g := game(t, emergo.Rules{}, position)
		limits := search.Limits{Depth: 3}
		if l := search.New(hash, nil).Search(context.Background(), g, limits, nil).Lines[0]; l.Exact {
			t.Errorf("%s: without tables it is seen that the score is %v: this shows nothing", position, l.Score)
		}
		l := search.New(hash, endgame.Embedded()).Search(context.Background(), g, limits, nil).Lines[0]
		if !l.Exact || l.Score.Won() != (plies > 0) || l.Score.Lost() != (plies < 0) {
			t.Errorf("%s: the score is %v, exact %v; the tables know better", position, l.Score, l.Exact)
		}
		if isTrue(context.Background(), prove.New(16<<20), g, plies > 0, max(plies, -plies), 0) != prove.Proven {
			t.Errorf("%s: it is not decided in %d plies", position, plies)
		}
	}
}

// TestNearLimitTellsPositionsApart searches where the game is soon drawn for lack of progress, and where
// the same position can be reached sooner or later: a win that is found in time from the one is too late
// from the other.
func TestNearLimitTellsPositionsApart(t *testing.T) {
	prover := prove.New(16 << 20)
	for _, c := range []struct {
		limit, depth int
		position     string
	}{
		{6, 6, "7/5aa1/2CA4/7/4A@2/7/7 w 0 0,0"},
		{6, 9, "7/1AA5/7/7/2a@4/3ab3/7 b 0 0,0"},
		{7, 8, "4BA2/7/a@6/7/7/1A@5/7 w 0 0,0"},
		{8, 8, "4a@2/7/7/1AA5/7/1c@5/6cb b 0 0,0"},
		{9, 7, "7/7/2a@4/7/bb6/7/6A@ b 0 0,0"},
		{10, 8, "7/7/7/3d@3/6aa/3BB3/6ab b 0 0,0"},
	} {
		g := game(t, emergo.Rules{NoProgressLimit: c.limit}, c.position)
		claims := 0
		for _, l := range search.New(1<<20, nil).Search(context.Background(), g, search.Limits{Depth: c.depth, Lines: 5}, nil).Lines {
			claims += checkLine(t, prover, g, l, 0)
		}
		if claims == 0 {
			t.Errorf("%s, limit %d: no move is said to win or to lose: this shows nothing", c.position, c.limit)
		}
	}
}
