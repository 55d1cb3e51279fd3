package search

import (
	"context"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/prove"
)

// searched returns the score of a game's position, searched to a depth with a window of no width around a
// bound that it must reach, so that the side to move may be tried by a pass.
func searched(g *emergo.Game, depth int, bound Score) Score {
	s := New(1<<20, nil)
	s.begin(context.Background(), g, Limits{Depth: depth})
	s.depth = depth
	return s.search(0, depth, bound-1, bound)
}

// played returns the game that stands at a position after moves.
func played(t *testing.T, position string, moves ...string) *emergo.Game {
	t.Helper()
	p, err := emergo.ParsePosition(position)
	if err != nil {
		t.Fatal(err)
	}
	g := emergo.NewGame(p, emergo.Rules{})
	for _, m := range moves {
		if _, err := g.PlayText(m); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// TestPassProvesNoWin searches positions of zugzwang: whoever is to move has to go where its piece is
// captured, so the side to move would win by a pass, and loses.
func TestPassProvesNoWin(t *testing.T) {
	ctx, prover := context.Background(), prove.New(8<<20)
	for _, position := range []string{
		"2a@4/7/2A@4/7/7/7/7 w 0 0,0",
		"6a@/7/6A@/7/7/7/7 w 0 0,0",
		"7/7/7/7/4A@1a@/7/7 w 0 0,0",
	} {
		g := played(t, position)
		passing := g.Position().Pass()
		if prover.LosesWithin(ctx, g, 10, 0) != prove.Proven || prover.LosesWithin(ctx, emergo.NewGame(passing, emergo.Rules{}), 10, 0) != prove.Proven {
			t.Errorf("%s is no zugzwang", position)
		}
		if score := searched(g, 6, 0); score.Won() {
			t.Errorf("%s is lost; the search says %v", position, score)
		}
	}
}

// TestNoPassOnceAPositionHasOccurredTwice gives Black far more men but one move alone, which brings a
// position about for the third time. To pass would be good enough, since what was played before is out of
// sight below a pass.
func TestNoPassOnceAPositionHasOccurredTwice(t *testing.T) {
	const bound = 100
	g := played(t, "9/7l@1/9/9/9/9/9/9/A@8 w 0 0,0", "a1-b2", "h8-i9", "b2-a1", "i9-h8", "a1-b2", "h8-i9", "b2-a1")
	if n := g.Position().CountMoves(); n != 1 {
		t.Errorf("%v has %d moves, want 1", g.Position(), n)
	}
	if score := searched(g, 6, bound); score != 0 {
		t.Errorf("after %v the search says %v, want 0: the only move draws", g.Moves(), score)
	}
	if score := searched(emergo.NewGame(*g.Position(), emergo.Rules{}), 6, bound); score < bound {
		t.Errorf("without what was played before the search says %v: this shows nothing", score)
	}
}
