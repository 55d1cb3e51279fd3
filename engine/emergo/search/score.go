package search

import "fmt"

// A Score is what a position is worth to the side to move. Estimates are in hundredths of a man: over
// the games that the weights were fitted to they rise by 100 with each free man more. Beyond ±Decided the game is won or lost
// by force, and the score tells in how many plies if that is known.
type Score int32

const (
	// Decided bounds estimates: a score beyond it, in either direction, is a proven win or loss.
	Decided Score = 20_000

	endless     Score = 32_000 // no score is as high
	wonNow      Score = 31_000 // less one for each ply to the end
	wonSometime Score = 29_000 // won, but nobody has counted in how many plies; less one for each ply to where that is known

	longestWin = 1_500 // plies, over which a win's length is not counted
)

// winIn returns the score of a win in a number of plies.
func winIn(plies int) Score { return wonNow - Score(plies) }

// Won reports whether the side to move wins by force.
func (s Score) Won() bool { return s > Decided }

// Lost reports whether the side to move loses by force.
func (s Score) Lost() bool { return s < -Decided }

// Plies returns how many plies a win or a loss takes if the winner hurries and the loser delays. It
// is not known, ok = false, of a win that was read from a table without distances, nor of estimates.
func (s Score) Plies() (n int, ok bool) {
	if s < 0 {
		s = -s
	}
	if s < wonNow-longestWin {
		return 0, false
	}
	return int(wonNow - s), true
}

// uncounted reports whether s is a win or a loss in a number of plies that is not known.
func (s Score) uncounted() bool {
	_, counted := s.Plies()
	return !counted && (s.Won() || s.Lost())
}

// String returns the score in words that a program can read too: "+1.50" (men), "win in 7", "loss in 4",
// "win" or "loss".
func (s Score) String() string {
	word := "win"
	switch {
	case s.Lost():
		word = "loss"
	case !s.Won():
		return fmt.Sprintf("%+.2f", float64(s)/100)
	}
	if n, ok := s.Plies(); ok {
		return fmt.Sprintf("%s in %d", word, n)
	}
	return word
}
