package emergorules_test

import (
	"context"
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/emergorules"
)

// FuzzRequest decodes bytes as a request and answers it. Whatever they are, the answer is an *Error
// of documented size, or a game that can be sent back and stands where its state says.
func FuzzRequest(f *testing.F) {
	for _, c := range errorCases {
		if len(c.game.GetMoves()) > 10 {
			continue // bounds have their own tests
		}
		seed, err := proto.Marshal(&emergov1.ApplyMoveRequest{Game: c.game, Move: c.move})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed)
	}
	service := open(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var apply emergov1.ApplyMoveRequest
		if proto.Unmarshal(data, &apply) != nil {
			return
		}
		checkError := func(err error) {
			t.Helper()
			var known *emergorules.Error
			if !errors.As(err, &known) {
				t.Fatalf("%v: the error is a %T: %v", &apply, err, err)
			}
			checkErrorSize(t, err, apply.String())
		}
		listed, err := service.LegalMoves(context.Background(), &emergov1.LegalMovesRequest{Game: apply.GetGame(), Prefix: apply.GetMove()})
		if err != nil {
			checkError(err)
		}
		applied, err := service.ApplyMove(context.Background(), &apply)
		if err != nil {
			checkError(err)
			return
		}
		again, err := service.LegalMoves(context.Background(), &emergov1.LegalMovesRequest{Game: applied.GetGame()})
		if err != nil {
			t.Fatalf("%v: the game after the move is refused: %v", &apply, err)
		}
		if !proto.Equal(again.GetState(), applied.GetState()) {
			t.Fatalf("%v: the game sent back has state %v, want %v", &apply, again.GetState(), applied.GetState())
		}
		if listed == nil {
			return // what is a move need not be a prefix: its first and last square only
		}
		for _, m := range listed.GetMoves() {
			if m.GetNotation() == applied.GetMove().GetNotation() {
				return
			}
		}
		if applied.GetMove().GetCapture() == nil {
			t.Fatalf("%v: the move played is not listed: %v", &apply, listed.GetMoves())
		}
	})
}
