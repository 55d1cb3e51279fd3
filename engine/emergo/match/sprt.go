package match

import (
	"errors"
	"math"
)

// An SPRT is a sequential probability ratio test (Wald 1945) of two hypotheses: that player 0 is
// better by Elo0, and that it is by Elo1, both in logistic Elo. Among tests with the same chances to
// err it needs the fewest games.
type SPRT struct {
	Elo0, Elo1 float64 // Elo0 < Elo1
	// Alpha is the chance to accept Elo1 when Elo0 is true, Beta that to accept Elo0 when Elo1 is.
	Alpha, Beta float64
}

// DefaultError is the usual Alpha and Beta.
const DefaultError = 0.05

// A Verdict is what an SPRT has found.
type Verdict int

// The verdicts.
const (
	Undecided Verdict = iota
	AcceptsElo0
	AcceptsElo1
)

func (t *SPRT) check() error {
	switch {
	case !(t.Elo0 < t.Elo1) || math.IsInf(t.Elo0, 0) || math.IsInf(t.Elo1, 0):
		return errors.New("the first Elo of an SPRT must be less than the second, as in 0,5")
	case !(t.Alpha > 0 && t.Alpha < 0.5 && t.Beta > 0 && t.Beta < 0.5):
		return errors.New("the chances of error of an SPRT must be between 0 and 0.5")
	}
	return nil
}

// Bounds returns the log-likelihood ratios at which the test accepts Elo0 and Elo1.
func (t *SPRT) Bounds() (low, high float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// Verdict returns what the test says after some pairs.
func (t *SPRT) Verdict(p Pentanomial) Verdict {
	low, high := t.Bounds()
	switch ratio := t.LogLikelihoodRatio(p); {
	case ratio <= low:
		return AcceptsElo0
	case ratio >= high:
		return AcceptsElo1
	}
	return Undecided
}

// LogLikelihoodRatio returns the logarithm of how much more likely the results are by Elo1 than by
// Elo0. An Elo fixes only the mean of the pairs' points, so each hypothesis is given the most likely
// distribution with its mean: the generalized SPRT, as fishtest computes it (Van den Bergh,
// "A practical introduction to the GSPRT"; fishtest, stats/LLRcalc.py, LLR_logistic). A result that
// has not occurred yet counts as a thousandth of a pair.
func (t *SPRT) LogLikelihoodRatio(p Pentanomial) float64 {
	if p.Count() == 0 {
		return 0
	}
	var weights [5]float64
	for i, pairs := range p {
		weights[i] = max(float64(pairs), 1e-3)
	}
	s0, s1 := scoreOf(t.Elo0), scoreOf(t.Elo1)
	x0, x1 := tilt(weights, s0), tilt(weights, s1)
	ratio := 0.0
	for i, w := range weights {
		points := float64(i) / 4
		ratio += w * (math.Log1p(x0*(points-s0)) - math.Log1p(x1*(points-s1)))
	}
	return ratio
}

// tilt returns the x for which the distribution weight/(1 + x·(points - mean)) has that mean. It is
// the most likely one (Van den Bergh, "Maximum likelihood estimation for multinomial distributions",
// Proposition 1.1). The sum falls as x grows, so x is found by bisection.
func tilt(weights [5]float64, mean float64) float64 {
	low, high := -1/(1-mean), 1/mean
	for range 100 {
		x := (low + high) / 2
		sum := 0.0
		for i, w := range weights {
			d := float64(i)/4 - mean
			sum += w * d / (1 + x*d)
		}
		if sum > 0 {
			low = x
		} else {
			high = x
		}
	}
	return (low + high) / 2
}
