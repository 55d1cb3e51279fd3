package prove

import (
	"fmt"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// A Value is what a game is worth to the side to move, if both sides play perfectly.
type Value int8

// The values.
const (
	Loss Value = -1
	Draw Value = 0
	Win  Value = 1
)

// String returns "loss", "draw" or "win".
func (v Value) String() string { return [...]string{"loss", "draw", "win"}[v+1] }

// A Verdict is the answer to a question that has one, within limits.
type Verdict uint8

// The verdicts.
const (
	Unknown Verdict = iota // a limit was reached first
	Proven
	Refuted
)

// String returns "unknown", "proven" or "refuted".
func (v Verdict) String() string { return [...]string{"unknown", "proven", "refuted"}[v] }

// A Finding is what has been proven of the value of a game to the side to move.
type Finding struct {
	// Least and Most bound the value. It is proven if they are equal.
	Least, Most Value
	// Over tells that the game is over, so that a loss is one in 0 plies.
	Over bool
	// Plies is how many plies a win or a loss takes if the winner hurries and the loser delays. 0 if
	// that is not known, or if the game is over.
	Plies int
	// Searched is a number of plies within which neither side can force a win, if none is found.
	Searched int
}

// Proven reports whether the value is known.
func (f Finding) Proven() bool { return f.Least == f.Most }

// String returns the finding in words, such as "win in 7", "loss", "draw", "no loss" or "unknown
// beyond 9 plies". A finished game is a "loss in 0", a "win in 0" or a "draw".
func (f Finding) String() string {
	switch {
	case f.decided():
		return fmt.Sprintf("%v in %d", f.Least, f.Plies)
	case f.Proven():
		return f.Least.String()
	case f.Least == Draw:
		return "no loss"
	case f.Most == Draw:
		return "no win"
	}
	return fmt.Sprintf("unknown beyond %d plies", f.Searched)
}

// decided reports whether the value is a win or a loss and its plies are known.
func (f Finding) decided() bool { return f.Plies > 0 || f.Over && f.Least != Draw }

// before returns the finding for the side that moved, given that for the side to move after it.
func (f Finding) before() Finding {
	b := Finding{Least: -f.Most, Most: -f.Least, Plies: f.Plies, Searched: f.Searched + 1}
	if f.decided() {
		b.Plies++
	}
	return b
}

// over returns the finding for a finished game.
func over(turn emergo.Color, o emergo.Outcome) Finding {
	v := Draw
	switch {
	case o.Result == emergo.Draw:
	case (o.Result == emergo.WhiteWins) == (turn == emergo.White):
		v = Win
	default:
		v = Loss
	}
	return Finding{Least: v, Most: v, Over: true}
}
