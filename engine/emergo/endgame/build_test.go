package endgame

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

func TestTheEmbeddedTablesAreThoseThatAreBuilt(t *testing.T) {
	built, err := smallBoard()
	if err != nil {
		t.Fatal(err)
	}
	large, err := Build(context.Background(), emergo.Board9x9, 2, func(Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range append(large, built...) {
		got := Embedded().boards[table.Board()].values[table.Pieces()]
		if table.Pieces() > FewestPieces {
			table = table.WithoutDistances()
		}
		if got.bits != table.bits || !bytes.Equal(got.data, table.data) {
			t.Errorf("the embedded table %v is not %v as it is built: run go generate here", got, table)
		}
	}
}

func TestBuildReportsEachStageToItsEnd(t *testing.T) {
	ended := map[Stage]int{}
	_, err := Build(context.Background(), emergo.Board7x7, 2, func(p Progress) {
		if p.Done > p.Total {
			t.Errorf("%+v: more is done than there is", p)
		}
		ended[p.Stage] = p.Done
	})
	if err != nil {
		t.Fatal(err)
	}
	all := int(indexOf(emergo.Board7x7, 2).size)
	// No ending of two pieces is a draw, so all positions are decided.
	for _, stage := range []Stage{Counting, Linking, Deciding} {
		if ended[stage] != all {
			t.Errorf("%v ended at %d of %d", stage, ended[stage], all)
		}
	}
}

func TestBuildStopsWhenItIsCancelled(t *testing.T) {
	for _, stop := range []Stage{Counting, Linking, Deciding} {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := Build(ctx, emergo.Board7x7, 2, func(p Progress) {
			if p.Stage == stop {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled while %v: %v", stop, err)
		}
		cancel()
	}
}

func TestBuildRefusesWhatNoTableHas(t *testing.T) {
	for _, c := range []struct {
		board  emergo.Board
		pieces int
	}{{emergo.Board9x9, 1}, {emergo.Board9x9, 4}, {emergo.Board7x7, 5}, {emergo.Board7x7, -1}} {
		if _, err := Build(context.Background(), c.board, c.pieces, func(Progress) {}); err == nil {
			t.Errorf("%d pieces on board %d are built", c.pieces, c.board)
		}
	}
}
