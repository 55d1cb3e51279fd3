package match

import (
	"math"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

func near(got, want, tolerance float64) bool {
	return got == want || math.Abs(got-want) <= tolerance
}

func TestEstimates(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		name  string
		pairs Pentanomial
		score float64
		elo   Interval
		los   float64
	}{
		// By hand: variance (1·¼ + 2·1/16 + 2·1/16 + 1·¼)/10 = 0.075, standard error √0.0075,
		// bounds ½ ± 0.169738, which are ±122.82 Elo.
		{"even", Pentanomial{1, 2, 4, 2, 1}, 0.5, Interval{-122.82, 0, 122.82}, 0.5},
		// By hand: mean 5/8, variance 1/64, standard error 1/16, so ⅛ is two of them.
		{"one step better", Pentanomial{0, 0, 2, 2, 0}, 0.625, Interval{1.74, 88.74, 188.54}, 0.97725},
		{"no pairs", Pentanomial{}, 0.5, Interval{-inf, 0, inf}, 0.5},
		// 0.95 = 1 - q³⁰ for q = 0.904966, the least share of pairs won that may give thirty wins.
		{"all won", Pentanomial{0, 0, 0, 0, 30}, 1, Interval{391.50, inf, inf}, 1},
		{"all lost", Pentanomial{30, 0, 0, 0, 0}, 0, Interval{-inf, -inf, -391.50}, 0},
		{"every pair split", Pentanomial{0, 0, 30, 0, 0}, 0.5, Interval{-66.85, 0, 66.85}, 0.5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			elo := test.pairs.Elo()
			if !near(test.pairs.Score(), test.score, 1e-12) || !near(test.pairs.LikelihoodOfSuperiority(), test.los, 1e-5) ||
				!near(elo.Low, test.elo.Low, 0.01) || !near(elo.Estimate, test.elo.Estimate, 0.01) || !near(elo.High, test.elo.High, 0.01) {
				t.Errorf("score %v, Elo %+v, superiority %v; want %+v", test.pairs.Score(), elo, test.pairs.LikelihoodOfSuperiority(), test)
			}
		})
	}
}

// Pairs tell more than their games would if these were independent: when the openings are unfair,
// every pair is split and the variance is none.
func TestUnfairOpeningsDoNotWidenTheError(t *testing.T) {
	fair, unfair := Pentanomial{10, 20, 40, 20, 10}, Pentanomial{0, 10, 80, 10, 0}
	if f, u := fair.Elo(), unfair.Elo(); u.High >= f.High {
		t.Errorf("split pairs give %v, others %v", u, f)
	}
}

func TestIntervalInWords(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		interval Interval
		want     string
	}{
		{Interval{-10, 0, 10}, "+0.0 ±10.0"},
		{Interval{5.25, 12.5, 20.75}, "+12.5 ±7.8"},
		{Interval{-30, -20, -10}, "-20.0 ±10.0"},
		{Interval{381.7, inf, inf}, "above +382"},
		{Interval{-inf, -inf, -381.7}, "below -382"},
		{Interval{500, 700, inf}, "+700.0, at least +500.0"},
		{Interval{-inf, -700, -500}, "-700.0, at most -500.0"},
	}
	for _, test := range tests {
		if got := test.interval.String(); got != test.want {
			t.Errorf("%+v is %q, want %q", test.interval, got, test.want)
		}
	}
}

func TestPairsCountForPlayer0(t *testing.T) {
	tests := []struct {
		first, second emergo.Result
		halfPoints    int
		games, white  [3]int // lost, drawn, won
	}{
		{emergo.WhiteWins, emergo.BlackWins, 4, [3]int{0, 0, 2}, [3]int{1, 0, 1}},
		{emergo.WhiteWins, emergo.Draw, 3, [3]int{0, 1, 1}, [3]int{0, 1, 1}},
		{emergo.Draw, emergo.BlackWins, 3, [3]int{0, 1, 1}, [3]int{1, 1, 0}},
		{emergo.WhiteWins, emergo.WhiteWins, 2, [3]int{1, 0, 1}, [3]int{0, 0, 2}},
		{emergo.BlackWins, emergo.BlackWins, 2, [3]int{1, 0, 1}, [3]int{2, 0, 0}},
		{emergo.Draw, emergo.Draw, 2, [3]int{0, 2, 0}, [3]int{0, 2, 0}},
		{emergo.Draw, emergo.WhiteWins, 1, [3]int{1, 1, 0}, [3]int{0, 1, 1}},
		{emergo.BlackWins, emergo.WhiteWins, 0, [3]int{2, 0, 0}, [3]int{1, 0, 1}},
	}
	for _, test := range tests {
		pair := Pair{
			{Result: test.first, Spent: [2]Spent{{Nodes: 1}, {Nodes: 10}}},
			{Result: test.second, Spent: [2]Spent{{Nodes: 100}, {Nodes: 1000}}},
		}
		var tally Tally
		tally.Add(pair)
		if tally.Pairs[test.halfPoints] != 1 || tally.Games != test.games || tally.WhiteGames != test.white {
			t.Errorf("%v, %v: %+v, want %+v", test.first, test.second, tally, test)
		}
		if tally.Spent[0].Nodes != 1001 || tally.Spent[1].Nodes != 110 {
			t.Errorf("nodes of %+v, want 1001 and 110", tally.Spent)
		}
	}
}
