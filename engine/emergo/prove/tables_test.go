package prove_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
	"github.com/luctor-et-emergo/emergod/engine/emergo/prove"
)

// ending returns a position of a few pieces that hold all men of the game.
func ending(rng *rand.Rand, board emergo.Board, pieces int) emergo.Position {
	setup := emergo.Setup{Board: board, Turn: emergo.Color(rng.IntN(2))}
	squares := board.Squares()
	var left [2]int
	for i := range pieces {
		owner := emergo.Color(i % 2)
		j := i + rng.IntN(len(squares)-i)
		squares[i], squares[j] = squares[j], squares[i]
		setup.Pieces = append(setup.Pieces, emergo.PlacedPiece{Square: squares[i], Piece: emergo.Piece{Owner: owner, Cap: 1}})
		left[owner]++
	}
	for c := range emergo.Color(2) {
		for range board.Men() - left[c] {
			piece := &setup.Pieces[rng.IntN(pieces)].Piece
			if piece.Owner == c {
				piece.Cap++
			} else {
				piece.Prisoners++
			}
		}
	}
	p, err := setup.Position()
	if err != nil {
		panic(err)
	}
	return p
}

func TestDistancesAreThoseOfTheEndgameTables(t *testing.T) {
	const plies = 13
	tables := endgame.Embedded()
	rng := rand.New(rand.NewPCG(3, 3))
	prover := prove.New(16 << 20)
	found := 0
	for range 2000 {
		p := ending(rng, emergo.Board(rng.IntN(2)), 2)
		value, distance, ok := tables.ProbeDistance(&p)
		if !ok {
			t.Fatalf("no table knows %v", &p)
		}
		want := prove.Finding{Least: prove.Loss, Most: prove.Win, Searched: plies}
		if value != endgame.Draw && distance <= plies {
			v := prove.Value(value)
			want = prove.Finding{Least: v, Most: v, Plies: distance, Searched: distance - 1}
			found++
		}
		got := prover.Prove(context.Background(), emergo.NewGame(p, emergo.Rules{}), prove.Limits{Plies: plies})
		if got != want {
			t.Errorf("%v: got %+v, want %+v", &p, got, want)
		}
	}
	if found < 50 {
		t.Errorf("%d of 2000 positions end within %d plies: too few to show anything", found, plies)
	}
}

func TestValuesAreThoseOfTheEndgameTables(t *testing.T) {
	tables := endgame.Embedded()
	rng := rand.New(rand.NewPCG(4, 4))
	prover := prove.New(16 << 20)
	proven := 0
	for range 60 {
		p := ending(rng, emergo.Board7x7, 3)
		value, ok := tables.Probe(&p)
		if !ok {
			t.Fatalf("no table knows %v", &p)
		}
		g := emergo.NewGame(p, emergo.Rules{})
		f := prover.Prove(context.Background(), g, prove.Limits{Plies: 9, Closed: 2_000})
		if v := prove.Value(value); v < f.Least || v > f.Most {
			t.Errorf("%v: a table says %v, the prover %v", &p, v, f)
		}
		if f.Proven() {
			proven++
		}
	}
	if proven < 5 {
		t.Errorf("%d of 60 values were proven: too few to show anything", proven)
	}
}
