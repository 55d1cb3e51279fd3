package prove_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/prove"
)

// smallPosition returns a position with one to three pieces a side on a random place of the board, and
// sometimes men in hand.
func smallPosition(rng *rand.Rand, most int) emergo.Position {
	board := emergo.Board(rng.IntN(2))
	setup := emergo.Setup{Board: board, Turn: emergo.Color(rng.IntN(2))}
	if rng.IntN(3) == 0 {
		setup.InHand = [2]int{rng.IntN(2), rng.IntN(3)}
	}
	squares := board.Squares()
	rng.Shuffle(len(squares), func(i, j int) { squares[i], squares[j] = squares[j], squares[i] })
	for c := range emergo.Color(2) {
		for range 1 + rng.IntN(most) {
			piece := emergo.Piece{Owner: c, Cap: 1 + rng.IntN(3)/2, Prisoners: rng.IntN(2)}
			setup.Pieces = append(setup.Pieces, emergo.PlacedPiece{Square: squares[len(setup.Pieces)], Piece: piece})
		}
	}
	p, err := setup.Position()
	if err != nil {
		panic(err)
	}
	return p
}

// smallGame returns a game that is not over, from a small position by random rules. Often two pieces have
// gone back and forth in it, so that positions have occurred twice.
func smallGame(rng *rand.Rand) *emergo.Game {
	rules := emergo.Rules{BlockedLoses: rng.IntN(2) == 0}
	if rng.IntN(3) == 0 {
		rules.NoProgressLimit = 1 + rng.IntN(12)
	}
	for {
		g := emergo.NewGame(smallPosition(rng, 2), rules)
		for range rng.IntN(8) {
			moves := g.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			if n := len(g.Moves()); n >= 2 {
				last := g.Moves()[n-2]
				if i := slices.IndexFunc(moves, func(m emergo.Move) bool { return m.From() == last.To() && m.To() == last.From() }); i >= 0 {
					m = moves[i]
				}
			}
			g.Play(m)
		}
		if !g.Outcome().Over() {
			return g
		}
	}
}

// played returns the game after m, with all its history.
func played(g *emergo.Game, m emergo.Move) *emergo.Game {
	next := emergo.NewGame(*g.Anchor(), g.Rules())
	for _, before := range g.Moves() {
		next.Play(before)
	}
	next.Play(m)
	return next
}

// winsPlainly reports whether a side can force a win within n plies, as the rules say it: with
// the whole game at hand, and no memory.
func winsPlainly(g *emergo.Game, side emergo.Color, n int) bool {
	if o := g.Outcome(); o.Over() {
		return o.Result == emergo.WhiteWins && side == emergo.White || o.Result == emergo.BlackWins && side == emergo.Black
	}
	if n == 0 {
		return false
	}
	choosing := g.Position().Turn() == side
	for _, m := range g.AppendMoves(nil) {
		if winsPlainly(played(g, m), side, n-1) == choosing {
			return choosing
		}
	}
	return !choosing
}

// plainly returns what plain minimax finds within a number of plies.
func plainly(g *emergo.Game, plies int) prove.Finding {
	turn := g.Position().Turn()
	for n := 1; n <= plies; n++ {
		if winsPlainly(g, turn, n) {
			return prove.Finding{Least: prove.Win, Most: prove.Win, Plies: n, Searched: n - 1}
		}
		if winsPlainly(g, turn.Other(), n) {
			return prove.Finding{Least: prove.Loss, Most: prove.Loss, Plies: n, Searched: n - 1}
		}
	}
	return prove.Finding{Least: prove.Loss, Most: prove.Win, Searched: plies}
}

func TestWinsAreThoseOfPlainMinimax(t *testing.T) {
	const plies = 4
	rng := rand.New(rand.NewPCG(1, 1))
	prover := prove.New(1 << 20)
	won, repeated := 0, 0
	for range 2000 {
		g := smallGame(rng)
		want := plainly(g, plies)
		if got := prover.Prove(context.Background(), g, prove.Limits{Plies: plies}); got != want {
			t.Errorf("%v with %v after %v: got %+v, want %+v", g.Anchor(), g.Rules(), g.Moves(), got, want)
		}
		if want.Plies > 1 {
			won++
			if len(g.Moves()) == 7 {
				repeated++
			}
		}
	}
	if won < 20 || repeated < 3 {
		t.Errorf("%d games were decided, %d of them with a history: too few to show anything", won, repeated)
	}
}

func TestLimitsOfPliesWithoutProgressAreKept(t *testing.T) {
	const plies = 8
	rng := rand.New(rand.NewPCG(5, 5))
	prover := prove.New(1 << 20)
	hindered := 0
	for range 300 {
		p := smallPosition(rng, 1)
		free := emergo.NewGame(p, emergo.Rules{})
		f := prover.Prove(context.Background(), free, prove.Limits{Plies: plies})
		if f.Plies < 4 {
			continue
		}
		for limit := 2; limit <= f.Plies; limit++ {
			g := emergo.NewGame(p, emergo.Rules{NoProgressLimit: limit})
			want := plainly(g, plies)
			if got := prover.Prove(context.Background(), g, prove.Limits{Plies: plies}); got != want {
				t.Errorf("%v with limit %d: got %+v, want %+v", &p, limit, got, want)
			}
			if want != f {
				hindered++
			}
		}
	}
	if hindered < 10 {
		t.Errorf("%d wins were hindered by a limit: too few to show anything", hindered)
	}
}
