package prove

import (
	"math/rand/v2"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

func TestNoWinTakesFewerPliesThanTheMenInHandNeed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	exact := 0
	for range 30_000 {
		setup := emergo.Setup{Board: emergo.Board7x7, Turn: emergo.Color(rng.IntN(2)), InHand: [2]int{rng.IntN(4), rng.IntN(4)}}
		squares := setup.Board.Squares()
		rng.Shuffle(len(squares), func(i, j int) { squares[i], squares[j] = squares[j], squares[i] })
		for i := range 1 + rng.IntN(6) {
			piece := emergo.Piece{Owner: emergo.Color(i % 2), Cap: 1}
			setup.Pieces = append(setup.Pieces, emergo.PlacedPiece{Square: squares[i], Piece: piece})
		}
		p, err := setup.Position()
		if err != nil {
			t.Fatal(err)
		}
		line := []emergo.Position{p}
		for len(line) < 16 {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			p = p.Play(moves[rng.IntN(len(moves))])
			line = append(line, p)
		}
		o := p.Outcome(emergo.Rules{})
		if o.End != emergo.NoPieces {
			continue
		}
		a := attack{attacker: p.Turn().Other()}
		for i, at := range line[:len(line)-1] {
			left := len(line) - 1 - i
			switch few := a.fewest(&at); {
			case few > left:
				t.Errorf("%v is won in %d plies, not at least %d", &at, left, few)
			case few == left && at.InHand(p.Turn()) > 0:
				exact++
			}
		}
	}
	if exact < 50 {
		t.Errorf("%d wins took as few plies as they can: too few to show anything", exact)
	}
}
