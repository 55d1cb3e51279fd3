package match

import (
	"math"
	"math/rand/v2"
	"testing"
)

// What fishtest says: as its LLRcalc.py computes, and as two tests of Stockfish were reported in
// December 2020, when its Elo was logistic.
func TestLogLikelihoodRatioIsThatOfFishtest(t *testing.T) {
	tests := []struct {
		elo0, elo1 float64
		pairs      Pentanomial
		want       float64
		tolerance  float64
	}{
		{0, 2, Pentanomial{461, 16726, 36723, 16920, 514}, -2.421220130461109, 1e-9},
		{0, 2, Pentanomial{82, 2646, 5623, 2507, 70}, -4.9326113547089845, 1e-9},
		{0, 5, Pentanomial{0, 10, 30, 12, 0}, 0.085226848211516, 1e-9},
		{0, 20, Pentanomial{12, 40, 60, 30, 8}, -2.9973011351582723, 1e-9},
		{-10, 10, Pentanomial{12, 40, 60, 30, 8}, -2.0579732004260216, 1e-9},
		{-0.25, 1.25, Pentanomial{292, 5905, 28939, 6129, 299}, 2.95, 0.005},
		{0.25, 1.25, Pentanomial{5, 418, 6043, 506, 12}, 2.92, 0.005},
		{0, 5, Pentanomial{}, 0, 0},
	}
	for _, test := range tests {
		s := SPRT{test.elo0, test.elo1, DefaultError, DefaultError}
		if got := s.LogLikelihoodRatio(test.pairs); !near(got, test.want, test.tolerance) {
			t.Errorf("%v, %v to %v: %v, want %v", test.pairs, test.elo0, test.elo1, got, test.want)
		}
	}
}

func TestBoundsAreWalds(t *testing.T) {
	low, high := (&SPRT{0, 5, 0.05, 0.05}).Bounds()
	if !near(low, -math.Log(19), 1e-12) || !near(high, math.Log(19), 1e-12) {
		t.Errorf("bounds %v and %v, want ±ln 19", low, high)
	}
	low, high = (&SPRT{0, 5, 0.01, 0.1}).Bounds()
	if !near(low, math.Log(0.1/0.99), 1e-12) || !near(high, math.Log(90), 1e-12) {
		t.Errorf("bounds %v and %v, want %v and %v", low, high, math.Log(0.1/0.99), math.Log(90))
	}
}

// A test that is repeated errs as seldom as it promises: with the true difference at either
// hypothesis, and once beyond each.
func TestErrorRates(t *testing.T) {
	const tests = 300
	s := SPRT{0, 50, 0.05, 0.05}
	for _, c := range []struct {
		elo         float64
		wrong       Verdict
		least, most int // wrong verdicts
	}{
		// 15 are expected of 300 at most; 28 are 3.4 standard deviations more.
		{0, AcceptsElo1, 1, 28},
		{50, AcceptsElo0, 1, 28},
		{-40, AcceptsElo1, 0, 2},
		{90, AcceptsElo0, 0, 2},
	} {
		chance := rand.New(rand.NewPCG(1, uint64(c.elo+100)))
		wrong := 0
		for range tests {
			var pairs Pentanomial
			verdict := Undecided
			for verdict == Undecided {
				pairs[simulatedPair(chance, scoreOf(c.elo))]++
				verdict = s.Verdict(pairs)
			}
			if verdict == c.wrong {
				wrong++
			}
		}
		if wrong < c.least || wrong > c.most {
			t.Errorf("at %v Elo %d of %d tests are wrong, want %d to %d", c.elo, wrong, tests, c.least, c.most)
		}
	}
}

// simulatedPair returns the half points of two games of which a third is drawn.
func simulatedPair(chance *rand.Rand, score float64) (halfPoints int) {
	const draws = 1.0 / 3
	for range 2 {
		switch x := chance.Float64(); {
		case x < draws:
			halfPoints++
		case x < draws/2+score:
			halfPoints += 2
		}
	}
	return halfPoints
}
