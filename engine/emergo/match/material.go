package match

import "github.com/luctor-et-emergo/emergod/engine/emergo"

// lost is worth less than any material; a loss with plies to go, which comes sooner, even less.
const lost = -1000

// material returns how many free men the side to move has more than the opponent: men in caps and in
// hand. Prisoners are nobody's.
func material(p *emergo.Position) int {
	return freeMen(p, p.Turn()) - freeMen(p, p.Turn().Other())
}

func freeMen(p *emergo.Position, c emergo.Color) int {
	n := p.InHand(c)
	for rest := p.Owned(c); rest != 0; rest = rest.Rest() {
		n += p.StackAt(rest.First()).Cap()
	}
	return n
}

// ending returns what a position that ends the game is worth to the side to move when the search
// would have gone on for a number of plies.
func ending(p *emergo.Position, o emergo.Outcome, togo int) int {
	return (1 - halfPoints(o.Result, p.Turn())) * (lost - togo)
}

// halfPoints returns what a game brings side c: 2 for a win, 1 for a draw and for a game that was
// broken off, 0 for a loss.
func halfPoints(r emergo.Result, c emergo.Color) int {
	switch {
	case r == emergo.Draw || r == emergo.Ongoing:
		return 1
	case (r == emergo.WhiteWins) == (c == emergo.White):
		return 2
	}
	return 0
}
