package fit

import (
	"context"
	"errors"
	"fmt"
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
	fit, err := Weights(t.Context(), emergo.Board7x7, samples, steps)
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
	best := loss(newDescent(board, samples).held, truth, 0.01)
	if fit.After > best+0.01 || fit.After > math.Ln2-0.02 {
		t.Errorf("the fit's loss is %.4f, that of the weights which the results were drawn from %.4f", fit.After, best)
	}
}

func TestFitIsDeterministic(t *testing.T) {
	const board = emergo.Board7x7
	samples := chanceSamples(3_000, search.Built(board).Vector(board))
	if !reflect.DeepEqual(fitted(t, samples, 20), fitted(t, samples, 20)) {
		t.Error("the same samples were fitted otherwise")
	}
}

func TestManIsAHundred(t *testing.T) {
	const board = emergo.Board7x7
	samples := chanceSamples(5_000, search.Built(board).Vector(board))
	fit := fitted(t, samples, 50)
	d := newDescent(board, samples)
	if man := d.man(fit.Weights.Vector(board)); math.Abs(man-100) > 2 {
		t.Errorf("one more man is worth %.1f", man)
	}
}

func TestTooFewGamesAreNotFitted(t *testing.T) {
	samples, err := ReadGames(strings.NewReader(short), emergo.Board7x7)
	if err != nil {
		t.Fatal(err)
	}
	if fit, err := Weights(t.Context(), emergo.Board7x7, samples, 5); err == nil {
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
		"a game":                            {short, 2, ""},
		"of the other board":                {strings.Replace(short, "7x7", "9x9", 1), 0, ""},
		"of the other board by other rules": {strings.Replace(short, `"7x7"`, `"9x9","blockedLoses":true`, 1), 0, ""},
		"with the usual limit":              {strings.Replace(short, `"7x7"`, `"7x7","noProgressLimit":200`, 1), 2, ""},
		"with a low limit":                  {strings.Replace(short, `"7x7"`, `"7x7","noProgressLimit":199`, 1), 0, "line 1: its rules are not the usual ones"},
		"where who is blocked loses":        {short + "\n" + strings.Replace(short, `"7x7"`, `"7x7","blockedLoses":true`, 1), 0, "line 2: its rules are not the usual ones"},
		"broken off":                        {strings.Replace(short, "no pieces", "too long", 1), 0, ""},
		"an opening below none":             {short + "\n" + strings.Replace(short, `"opening":`, `"opening":-`, 1), 0, "line 2: neither opening, -"},
		"plies below none":                  {strings.Replace(short, `"7x7"`, `"7x7","plies":-1`, 1), 0, "line 1: neither opening, 1, nor plies, -1, can be less than 0"},
		"a line without end":                {short + "\n" + strings.Repeat(" ", longestLine+1), 0, "line 2 is longer than 1048576 bytes, so it is no game"},
		"no JSON":                           {short + "\n{", 0, "line 2 is no game as emergo match --games writes it: "},
		"no result":                         {strings.Replace(short, "white", "?", 1), 0, `line 1: the result is "?", want white, black or draw`},
		"a move against the rules":          {strings.Replace(short, "c1", "a1", 1), 0, "line 1, move 2: "},
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

// A fit that knows one game of a pair knows much of the other, which has the same opening.
func TestPairsAreHeldOutTogether(t *testing.T) {
	var games strings.Builder
	const pairs = 500
	for pair := range pairs {
		for range 2 {
			fmt.Fprintf(&games, `{"pair":%d,"seed":7,%s`+"\n", pair, short[1:])
		}
	}
	samples, err := ReadGames(strings.NewReader(games.String()), emergo.Board7x7)
	if err != nil {
		t.Fatal(err)
	}
	perPair := len(samples) / pairs
	held := 0
	for i, s := range samples {
		if first := samples[i-i%perPair]; s.held != first.held {
			t.Fatalf("of pair %d one sample is held out and another is not", i/perPair)
		}
		if s.held && i%perPair == 0 {
			held++
		}
	}
	if held < pairs/20 || held > pairs/5 {
		t.Errorf("%d of %d pairs are held out, want a tenth", held, pairs)
	}
}

// What is held out changes nothing but the losses, and they are of it alone.
func TestHeldOutSamplesHaveNoSay(t *testing.T) {
	const board = emergo.Board7x7
	samples := chanceSamples(3_000, search.Built(board).Vector(board))
	var known []Sample
	for _, s := range samples {
		if !s.held {
			known = append(known, s)
		}
	}
	all, without := fitted(t, samples, 30), fitted(t, known, 30)
	if !reflect.DeepEqual(all.Weights, without.Weights) || all.Scale != without.Scale {
		t.Error("other weights are fitted where some samples are held out")
	}
	if all.Samples != len(known) || all.Held != len(samples)-len(known) || without.Held != 0 {
		t.Errorf("%d samples and %d held out are counted, of %d and %d", all.Samples, all.Held, len(known), len(samples)-len(known))
	}
	// However the held-out games ended, the built-in weights are scaled by the others.
	scale := newDescent(board, samples).bestScale(search.Built(board).Vector(board))
	for i := range samples {
		if samples[i].held {
			samples[i].result = 1 - samples[i].result
		}
	}
	turned := newDescent(board, samples)
	if got := turned.bestScale(search.Built(board).Vector(board)); got != scale {
		t.Errorf("the scale is %v, and %v if the held-out games end otherwise", scale, got)
	}
	if fit := fitted(t, samples, 30); fit.Before <= all.Before || fit.Before != loss(turned.held, search.Built(board).Vector(board), scale) {
		t.Errorf("the loss is %v, and %v if all held-out games end the other way", all.Before, fit.Before)
	}
}

func TestFitEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Weights(ctx, emergo.Board7x7, nil, DefaultSteps); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
