package prove

import (
	"math/rand/v2"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

func TestNoWinTakesFewerPliesThanTheDefenderNeeds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	exact := map[string]int{} // wins that take as few plies as they can, by what the defender had to do
	for range 25_000 {
		p := scattered(t, rng)
		line := []emergo.Position{p}
		for len(line) < 16 {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			p = p.Play(moves[rng.IntN(len(moves))])
			line = append(line, p)
		}
		if p.Outcome(emergo.Rules{}).End != emergo.NoPieces {
			continue
		}
		defender := p.Turn()
		a := attack{attacker: defender.Other()}
		for i, at := range line[:len(line)-1] {
			left := len(line) - 1 - i
			few := a.fewest(&at)
			edge := at.Owned(defender)&sorts[at.Board()].edge != 0
			switch {
			case few > left:
				t.Errorf("%v is won in %d plies, not at least %d", &at, left, few)
			case few < left:
			case at.InHand(defender) > 0 && edge:
				exact["enter and leave the edge"]++
			case at.InHand(defender) > 0:
				exact["enter"]++
			case edge:
				exact["leave the edge"]++
			case few > 2:
				exact["part"]++
			}
		}
	}
	for _, what := range []string{"enter and leave the edge", "enter", "leave the edge", "part"} {
		if exact[what] < 20 {
			t.Errorf("%d wins took as few plies as it takes to %s: too few to show anything", exact[what], what)
		}
	}
}

// scattered returns a position with one to six small pieces on a random place of either board, and
// often men in hand.
func scattered(t *testing.T, rng *rand.Rand) emergo.Position {
	t.Helper()
	setup := emergo.Setup{Board: emergo.Board(rng.IntN(2)), Turn: emergo.Color(rng.IntN(2))}
	if rng.IntN(3) > 0 {
		setup.InHand = [2]int{rng.IntN(3), rng.IntN(3)}
	}
	squares := setup.Board.Squares()
	rng.Shuffle(len(squares), func(i, j int) { squares[i], squares[j] = squares[j], squares[i] })
	for i := range 1 + rng.IntN(6) {
		piece := emergo.Piece{Owner: emergo.Color(i % 2), Cap: 1, Prisoners: rng.IntN(4) / 3}
		setup.Pieces = append(setup.Pieces, emergo.PlacedPiece{Square: squares[i], Piece: piece})
	}
	p, err := setup.Position()
	if err != nil {
		t.Fatal(err)
	}
	return p
}
