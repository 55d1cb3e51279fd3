package match

import (
	"fmt"
	"math"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// A Pentanomial counts pairs of games by the half points that player 0 made of them, 0 to 4. The two
// games of a pair share their opening, so they are not independent and only the pairs are what
// statistics may count.
type Pentanomial [5]int

// A Tally is the result of a match from the side of player 0.
type Tally struct {
	Pairs Pentanomial
	// Games counts the games that player 0 lost, drew and won.
	Games [3]int
	// WhiteGames counts the games that White lost, drew and won.
	WhiteGames [3]int
	// Plies counts those of all games.
	Plies int
	// Spent is what players 0 and 1 have spent.
	Spent [2]Spent
}

// Add counts a pair.
func (t *Tally) Add(p Pair) {
	t.Pairs[p.HalfPoints()]++
	for i, r := range p {
		first := emergo.Color(i) // the colour of player 0
		t.Games[halfPoints(r.Result, first)]++
		t.WhiteGames[halfPoints(r.Result, emergo.White)]++
		t.Plies += len(r.Moves)
		for player, c := range [2]emergo.Color{first, first.Other()} {
			t.Spent[player].Nodes += r.Spent[c].Nodes
			t.Spent[player].Time += r.Spent[c].Time
		}
	}
}

// Count returns the number of pairs.
func (p Pentanomial) Count() (n int) {
	for _, pairs := range p {
		n += pairs
	}
	return n
}

// Score returns the share of points that player 0 made, from 0 to 1. Of no pairs it is ½.
func (p Pentanomial) Score() float64 {
	mean, _ := p.moments()
	return mean
}

// DrawRatio returns the share of games that were drawn.
func (t *Tally) DrawRatio() float64 {
	return float64(t.Games[1]) / float64(max(1, t.Games[0]+t.Games[1]+t.Games[2]))
}

// moments returns mean and variance of a pair's share of points.
func (p Pentanomial) moments() (mean, variance float64) {
	n := float64(p.Count())
	if n == 0 {
		return 0.5, 0
	}
	for i, pairs := range p {
		mean += float64(pairs) / n * float64(i) / 4
	}
	for i, pairs := range p {
		d := float64(i)/4 - mean
		variance += float64(pairs) / n * d * d
	}
	return mean, variance
}

// An Interval is an estimate with the bounds between which the truth lies with a confidence of 95%.
type Interval struct{ Low, Estimate, High float64 }

// z95 is how many standard errors make 95%.
const z95 = 1.959963984540054

// ScoreInterval returns the score with its bounds: the normal approximation from the variance of the
// pairs. If all pairs ended the same way there is none; then the bound is how often another end may be
// due that has not been seen in so many pairs (Clopper and Pearson 1934).
func (p Pentanomial) ScoreInterval() Interval {
	mean, variance := p.moments()
	n := float64(p.Count())
	if n == 0 {
		return Interval{0, mean, 1}
	}
	margin := z95 * math.Sqrt(variance/n)
	if variance == 0 {
		margin = 1 - math.Pow(0.05, 1/n)
	}
	return Interval{max(0, mean-margin), mean, min(1, mean+margin)}
}

// Elo returns the difference in strength, that of player 0 less that of player 1, in logistic Elo. It
// or its bounds are infinite where all points were made by one side.
func (p Pentanomial) Elo() Interval {
	s := p.ScoreInterval()
	return Interval{eloOf(s.Low), eloOf(s.Estimate), eloOf(s.High)}
}

// LikelihoodOfSuperiority returns how likely it is that player 0 is the stronger one: the normal
// approximation of the chance that the true score exceeds ½.
func (p Pentanomial) LikelihoodOfSuperiority() float64 {
	mean, variance := p.moments()
	switch {
	case variance > 0:
	case mean > 0.5:
		return 1
	case mean < 0.5:
		return 0
	default:
		return 0.5
	}
	deviations := (mean - 0.5) / math.Sqrt(variance/float64(p.Count()))
	return math.Erfc(-deviations/math.Sqrt2) / 2
}

// eloOf returns the Elo difference at which a score is expected.
func eloOf(score float64) float64 { return 400 * math.Log10(score/(1-score)) }

// scoreOf returns the score that is expected at an Elo difference.
func scoreOf(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// String returns the estimate and its margin in Elo, as in "+12.3 ±4.5", or the bound that is known of
// a difference that is not: "above +310".
func (e Interval) String() string {
	switch {
	case math.IsInf(e.Estimate, 1):
		return fmt.Sprintf("above %+.0f", e.Low)
	case math.IsInf(e.Estimate, -1):
		return fmt.Sprintf("below %+.0f", e.High)
	case math.IsInf(e.High, 1):
		return fmt.Sprintf("%+.1f, at least %+.1f", e.Estimate, e.Low)
	case math.IsInf(e.Low, -1):
		return fmt.Sprintf("%+.1f, at most %+.1f", e.Estimate, e.High)
	}
	return fmt.Sprintf("%+.1f ±%.1f", e.Estimate, (e.High-e.Low)/2)
}
