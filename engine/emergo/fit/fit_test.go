package fit

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// chanceSamples returns samples of random positions whose results are drawn by lot from what weights
// say: by a logistic function of the evaluation with a scale of 100.
func chanceSamples(n int, w []float64) (samples []Sample) {
	rng := rand.New(rand.NewPCG(1, 2))
	for len(samples) < n {
		p := emergo.StartPosition(emergo.Board7x7)
		for range 60 {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			if !p.CanCapture(p.Turn()) {
				s := sample(&p, 0, rng.IntN(10) == 0)
				s.result = 0
				if rng.Float64() < logistic(s.evaluate(w)/100) {
					s.result = 1
				}
				samples = append(samples, s)
			}
			p = p.Play(moves[rng.IntN(len(moves))])
		}
	}
	return samples
}

func fitted(t *testing.T, samples []Sample, steps int) Fit {
	t.Helper()
	fit, err := Weights(t.Context(), emergo.Board7x7, samples, Options{Steps: steps})
	if err != nil {
		t.Fatal(err)
	}
	return fit
}

// TestFitFindsTheWeights draws results from known weights and fits to them.
func TestFitFindsTheWeights(t *testing.T) {
	const board = emergo.Board7x7
	truth := search.Built(board).Vector(board)
	samples := chanceSamples(30_000, truth)
	fit := fitted(t, samples, 150)
	best := (&descent{board: board, samples: samples}).loss(truth, 0.01)
	if fit.After > best+0.01 || fit.After > math.Ln2-0.02 {
		t.Errorf("the fit's loss is %.4f, that of the weights which the results were drawn from %.4f", fit.After, best)
	}
	if again := fitted(t, samples, 150); !reflect.DeepEqual(fit, again) {
		t.Error("the same samples were fitted otherwise")
	}
}

func TestManIsAHundred(t *testing.T) {
	const board = emergo.Board7x7
	samples := chanceSamples(5_000, search.Built(board).Vector(board))
	fit := fitted(t, samples, 50)
	d := descent{board: board, samples: samples}
	if man := d.man(fit.Weights.Vector(board)); math.Abs(man-100) > 2 {
		t.Errorf("one more man is worth %.1f", man)
	}
}

func TestTooFewGamesAreNotFitted(t *testing.T) {
	samples, err := ReadGames(strings.NewReader(short), emergo.Board7x7)
	if err != nil {
		t.Fatal(err)
	}
	if fit, err := Weights(t.Context(), emergo.Board7x7, samples, Options{Steps: 5}); err == nil {
		t.Errorf("two positions were fitted by %v", fit.Weights)
	}
}

const short = `{"board":"7x7","opening":1,"moves":["a1","c1","e1"],"result":"white","reason":"no pieces"}`

func TestReadGames(t *testing.T) {
	for name, c := range map[string]struct {
		games   string
		samples int
		problem string
	}{
		"a game":                   {short, 2, ""},
		"of the other board":       {strings.Replace(short, "7x7", "9x9", 1), 0, ""},
		"broken off":               {strings.Replace(short, "no pieces", "too long", 1), 0, ""},
		"no JSON":                  {short + "\n{", 0, "line 2 is no game as emergo match --games writes it: "},
		"no result":                {strings.Replace(short, "white", "?", 1), 0, `line 1: the result is "?", want white, black or draw`},
		"a move against the rules": {strings.Replace(short, "c1", "a1", 1), 0, "line 1, move 2: "},
	} {
		samples, err := ReadGames(strings.NewReader(c.games), emergo.Board7x7)
		if c.problem == "" && err != nil || c.problem != "" && (err == nil || !strings.HasPrefix(err.Error(), c.problem)) {
			t.Errorf("%s: error %v, want %q", name, err, c.problem)
		}
		if err == nil && len(samples) != c.samples {
			t.Errorf("%s: %d samples, want %d", name, len(samples), c.samples)
		}
		for i, s := range samples {
			// White has won; Black is to move first after the opening.
			if want := float64(i % 2); s.result != want {
				t.Errorf("%s: sample %d has result %v, want %v", name, i, s.result, want)
			}
		}
	}
}

func TestFitEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Weights(ctx, emergo.Board7x7, nil, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
