package emergorules_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

func TestNewGame(t *testing.T) {
	client := newClient(t)
	for _, c := range []struct {
		ruleset  *emergov1.Ruleset
		position string
	}{
		{nil, "9/9/9/9/9/9/9/9/9 w 0 12,12"},
		{&emergov1.Ruleset{Board: emergov1.BoardSize_BOARD_SIZE_9X9}, "9/9/9/9/9/9/9/9/9 w 0 12,12"},
		{&emergov1.Ruleset{Board: emergov1.BoardSize_BOARD_SIZE_7X7, Blocked: emergov1.BlockedResult_BLOCKED_RESULT_LOSS, NoProgressLimit: 40},
			"7/7/7/7/7/7/7 w 0 8,8"},
	} {
		made, err := client.NewGame(t.Context(), &emergov1.NewGameRequest{Ruleset: c.ruleset})
		if err != nil {
			t.Fatal(err)
		}
		ruleset := &emergov1.Ruleset{Board: emergov1.BoardSize_BOARD_SIZE_9X9, Blocked: emergov1.BlockedResult_BLOCKED_RESULT_DRAW}
		proto.Merge(ruleset, c.ruleset)
		want := &emergov1.Game{Ruleset: ruleset, Position: c.position}
		if diff := cmp.Diff(want, made.GetGame(), protocmp.Transform()); diff != "" {
			t.Errorf("the new game differs (-want +got):\n%s", diff)
		}
		if got := made.GetState().GetPosition(); got != c.position {
			t.Errorf("the state has position %s, want %s", got, c.position)
		}
	}
}

func TestState(t *testing.T) {
	client := newClient(t)
	const position = "9/9/9/9/8a@/7BA1/9/9/9 b 3 9,10"
	want := &emergov1.State{
		Position:   position,
		Board:      emergov1.BoardSize_BOARD_SIZE_9X9,
		SideToMove: emergov1.Color_COLOR_BLACK,
		Stage:      emergov1.Stage_STAGE_ENTERING,
		Pieces: []*emergov1.Piece{
			{Square: "h4", Owner: emergov1.Color_COLOR_WHITE, Cap: 2, Prisoners: 1},
			{Square: "i5", Owner: emergov1.Color_COLOR_BLACK, Cap: 1},
		},
		WhiteInHand: 9, BlackInHand: 10, Ply: 3, Occurrences: 1, CaptureObligatory: true,
		Outcome: &emergov1.Outcome{Result: emergov1.Result_RESULT_ONGOING},
	}
	if diff := cmp.Diff(want, legalMoves(t, client, at(position), "").GetState(), protocmp.Transform()); diff != "" {
		t.Errorf("the state differs (-want +got):\n%s", diff)
	}
	// A game between two lone pieces: nothing in hand, and moves that can be undone.
	game := &emergov1.Game{Position: moving, Moves: []string{"e1-d2", "i9-h8"}}
	want = &emergov1.State{
		Position:   "9/7a@1/9/9/9/9/9/3B@5/A@8 w 32 0,0",
		Board:      emergov1.BoardSize_BOARD_SIZE_9X9,
		SideToMove: emergov1.Color_COLOR_WHITE,
		Stage:      emergov1.Stage_STAGE_MOVEMENT,
		Pieces: []*emergov1.Piece{
			{Square: "a1", Owner: emergov1.Color_COLOR_WHITE, Cap: 1},
			{Square: "d2", Owner: emergov1.Color_COLOR_WHITE, Cap: 2},
			{Square: "h8", Owner: emergov1.Color_COLOR_BLACK, Cap: 1},
		},
		Ply: 32, Occurrences: 1, PliesWithoutProgress: 2,
		Outcome: &emergov1.Outcome{Result: emergov1.Result_RESULT_ONGOING},
	}
	if diff := cmp.Diff(want, legalMoves(t, client, game, "").GetState(), protocmp.Transform()); diff != "" {
		t.Errorf("the state differs (-want +got):\n%s", diff)
	}
}

// A whole game, click by click and call by call: what a board UI and a platform do.
func TestPlayByPrefixes(t *testing.T) {
	client := newClient(t)
	random := rand.New(rand.NewPCG(5, 6))
	captures := 0
	for _, board := range []emergov1.BoardSize{emergov1.BoardSize_BOARD_SIZE_9X9, emergov1.BoardSize_BOARD_SIZE_7X7} {
		ruleset := &emergov1.Ruleset{Board: board, NoProgressLimit: 60}
		made, err := client.NewGame(t.Context(), &emergov1.NewGameRequest{Ruleset: ruleset})
		if err != nil {
			t.Fatal(err)
		}
		game, state := made.GetGame(), made.GetState()
		var all []string
		for state.GetOutcome().GetResult() == emergov1.Result_RESULT_ONGOING {
			listed := legalMoves(t, client, game, "")
			checkPrefixes(t, client, game, listed, "")
			move := clickThrough(t, client, game, listed, random)
			if strings.Contains(move, "x") {
				captures++
			}
			applied, err := client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Game: game, Move: move})
			if err != nil {
				t.Fatalf("%v: %s: %v", game, move, err)
			}
			all = append(all, applied.GetMove().GetNotation())
			game, state = applied.GetGame(), applied.GetState()
		}
		// The whole game from its start ends in the same state as the normalised one.
		whole := legalMoves(t, client, &emergov1.Game{Ruleset: ruleset, Moves: all}, "")
		if diff := cmp.Diff(state, whole.GetState(), protocmp.Transform()); diff != "" {
			t.Errorf("the state of the whole game differs (-normalised +whole):\n%s", diff)
		}
		again := legalMoves(t, client, game, "")
		if diff := cmp.Diff(state, again.GetState(), protocmp.Transform()); diff != "" {
			t.Errorf("the state of the game sent back differs (-first +again):\n%s", diff)
		}
		if len(again.GetMoves()) != 0 || len(again.GetNextSquares()) != 0 {
			t.Error("a finished game has moves")
		}
	}
	if captures == 0 {
		t.Error("no capture was played")
	}
}

func legalMoves(t testing.TB, client emergov1.RulesServiceClient, game *emergov1.Game, prefix string) *emergov1.LegalMovesResponse {
	t.Helper()
	listed, err := client.LegalMoves(t.Context(), &emergov1.LegalMovesRequest{Game: game, Prefix: prefix})
	if err != nil {
		t.Fatalf("%v, prefix %q: %v", game, prefix, err)
	}
	return listed
}

func notations(moves []*emergov1.Move) []string {
	var all []string
	for _, m := range moves {
		all = append(all, m.GetNotation())
	}
	return all
}

// clickThrough names the squares of a random legal move one by one and returns its notation.
func clickThrough(t testing.TB, client emergov1.RulesServiceClient, game *emergov1.Game, listed *emergov1.LegalMovesResponse, random *rand.Rand) string {
	t.Helper()
	var clicked []string
	for len(listed.GetNextSquares()) > 0 {
		next := listed.GetNextSquares()
		clicked = append(clicked, next[random.IntN(len(next))])
		separator := []string{"x", ":", "-", ""}[random.IntN(4)]
		listed = legalMoves(t, client, game, strings.Join(clicked, separator))
	}
	if len(listed.GetMoves()) != 1 {
		t.Fatalf("%v: after %v there are the moves %v", game, clicked, notations(listed.GetMoves()))
	}
	return listed.GetMoves()[0].GetNotation()
}

// checkPrefixes checks that the lists after each next square make up the list before it.
func checkPrefixes(t testing.TB, client emergov1.RulesServiceClient, game *emergov1.Game, listed *emergov1.LegalMovesResponse, prefix string) {
	t.Helper()
	if !slices.IsSorted(notations(listed.GetMoves())) || !slices.IsSorted(listed.GetNextSquares()) {
		t.Fatalf("%v, prefix %q: out of order: %v, %v", game, prefix, notations(listed.GetMoves()), listed.GetNextSquares())
	}
	if len(listed.GetNextSquares()) == 0 {
		return
	}
	var together []string
	for _, square := range listed.GetNextSquares() {
		together = append(together, notations(legalMoves(t, client, game, prefix+square).GetMoves())...)
	}
	if !slices.Equal(together, notations(listed.GetMoves())) {
		t.Fatalf("%v, prefix %q: the moves by next square are %v, want %v", game, prefix, together, notations(listed.GetMoves()))
	}
}

func TestPrefix(t *testing.T) {
	client := newClient(t)
	for _, c := range []struct {
		position, prefix string
		moves, next      []string
	}{
		{diagram, "", []string{"d4xb6xd8xf6xd4xb6"}, []string{"d4"}},
		{diagram, "d4", []string{"d4xb6xd8xf6xd4xb6"}, []string{"b6"}},
		{diagram, " D4X ", []string{"d4xb6xd8xf6xd4xb6"}, []string{"b6"}},
		{diagram, "d4xb6xd8xf6xd4xb6", []string{"d4xb6xd8xf6xd4xb6"}, nil},
		{diagram, "d4xf6", nil, nil}, // a capture, but not the longest
		{diagram, "c3", nil, nil},
		{rounds, "d4", []string{"d4xb6xd8xf6xd4", "d4xf6xd8xb6xd4"}, []string{"b6", "f6"}},
		{shadowpiece, "e5", []string{"e5*11"}, nil},
		{shadowpiece, "e5*11", []string{"e5*11"}, nil},
		{shadowpiece, "e5*3", nil, nil},
		{shadowpiece, "b2", nil, nil},
		{moving, "e1", []string{"e1-d2", "e1-f2"}, []string{"d2", "f2"}},
		{moving, "i9", nil, nil},
		// c3 takes five, but not by an entry.
		{"9/9/9/9/9/9/9/9/8a@ w 0 0,0", "a1", nil, nil},
	} {
		listed := legalMoves(t, client, at(c.position), c.prefix)
		if got := notations(listed.GetMoves()); !slices.Equal(got, c.moves) || !slices.Equal(listed.GetNextSquares(), c.next) {
			t.Errorf("%s, prefix %q: %v, next %v; want %v, next %v", c.position, c.prefix, got, listed.GetNextSquares(), c.moves, c.next)
		}
	}
}

// A move may be written in several ways; the answer has the canonical one.
func TestNotations(t *testing.T) {
	client := newClient(t)
	for _, c := range []struct{ position, move, canonical string }{
		{"", " C3\n", "c3"},
		{shadowpiece, "e5", "e5*11"},
		{shadowpiece, "E5*11", "e5*11"},
		{moving, "e1f2", "e1-f2"},
		{moving, "E1-F2", "e1-f2"},
		{majority, "a1:c3:e5", "a1xc3xe5"},
		{majority, "A1XC3XE5", "a1xc3xe5"},
		{majority, "a1xe5", "a1xc3xe5"},
		{diagram, "d4:b6", "d4xb6xd8xf6xd4xb6"},
	} {
		applied, err := client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Game: at(c.position), Move: c.move})
		if err != nil || applied.GetMove().GetNotation() != c.canonical {
			t.Errorf("%q is understood as %q (%v), want %q", c.move, applied.GetMove().GetNotation(), err, c.canonical)
		}
	}
}

func TestEvaluate(t *testing.T) {
	// Straight into the service: what it counts does not depend on how it is called.
	service := open(t)
	evaluated, err := service.Evaluate(context.Background(), &emergov1.EvaluateRequest{
		Game: at("4A@1a@2/3A@3a@1/aa8/1a@1a@1a@1A@1/A@7A@/1a@1aa3A@1/6A@2/9/A@1a@3A@2 w 22 1,3")})
	if err != nil {
		t.Fatal(err)
	}
	white := &emergov1.Tally{Pieces: 9, Caps: 9, HeldPrisoner: 2, InHand: 1, LegalMoves: 4}
	black := &emergov1.Tally{Pieces: 9, Caps: 9, HeldPrisoner: 0, InHand: 3, LegalMoves: evaluated.GetBlack().GetLegalMoves()}
	if diff := cmp.Diff([]*emergov1.Tally{white, black}, []*emergov1.Tally{evaluated.GetWhite(), evaluated.GetBlack()}, protocmp.Transform()); diff != "" {
		t.Errorf("the tallies differ (-want +got):\n%s", diff)
	}
	// Black's legal moves are those it has if it is to move.
	turned, err := service.LegalMoves(context.Background(), &emergov1.LegalMovesRequest{
		Game: at("4A@1a@2/3A@3a@1/aa8/1a@1a@1a@1A@1/A@7A@/1a@1aa3A@1/6A@2/9/A@1a@3A@2 b 22 1,3")})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := int(black.GetLegalMoves()), len(turned.GetMoves()); got != want {
		t.Errorf("Black has %d legal moves, want %d", got, want)
	}
}
