// Package fit finds the weights of the search's evaluation from games: those by which the logistic
// function of a position's evaluation comes closest to how the games that went through it ended
// (Texel's tuning method, Österlund, 2014).
package fit

import (
	"context"
	"errors"
	"math"
	"sync"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// A Sample is a position of a game, as the evaluation sees it, and what became of it.
type Sample struct {
	traits []trait
	stages [search.Stages]float64 // how far the weights of each count
	result float64                // of the side to move: 1 won, 0.5 drawn, 0 lost
	held   bool                   // kept out of the fit, to judge it by
}

type trait struct {
	index uint16
	count int16
}

// DefaultSteps is after how many steps little changes any more.
const DefaultSteps = 400

// smooth is how strongly weights that should be alike are held together.
const smooth = 1e-5

// A Fit is the outcome.
type Fit struct {
	Weights *search.Weights
	Samples int     // that were fitted to
	Held    int     // that were held out, which the fit has not seen
	Before  float64 // mean cross-entropy of the held-out samples by the built-in weights; 0 if there are none
	After   float64 // by the fitted ones
	Scale   float64 // the score in hundredths of a man at which the odds of winning are e to 1
}

// Weights fits the weights of board b to samples of that board, in so many steps. It descends by Adam
// (Kingma and Ba, 2015) from nothing, on all samples at once, so it gives the same result every time. The
// error is that the samples do not tell what a man is worth, or that of ctx if it ends.
func Weights(ctx context.Context, b emergo.Board, samples []Sample, steps int) (Fit, error) {
	old := search.Built(b).Vector(b)
	n := len(old)
	d := newDescent(b, samples)
	w, mean, square := make([]float64, n), make([]float64, n), make([]float64, n)
	for step := 1; step <= steps; step++ {
		if ctx.Err() != nil {
			return Fit{}, ctx.Err()
		}
		gradient := d.gradient(w)
		rate := 0.05 * (1 - 0.95*float64(step)/float64(steps))
		for i, g := range gradient {
			mean[i] += 0.1 * (g - mean[i])
			square[i] += 0.001 * (g*g - square[i])
			m := mean[i] / (1 - math.Pow(0.9, float64(step)))
			s := square[i] / (1 - math.Pow(0.999, float64(step)))
			w[i] -= rate * m / (math.Sqrt(s) + 1e-9)
		}
	}
	d.centre(w)
	unit := d.man(w)
	if !(unit > 0) { // nor a number, if nobody had all men entered
		return Fit{}, errors.New("the games are too few to tell what a man is worth")
	}
	scaled := make([]float64, n)
	for i := range w {
		scaled[i] = 100 * w[i] / unit
	}
	fit := Fit{Weights: search.FromVector(b, scaled), Samples: len(d.samples), Held: len(d.held), Scale: 100 / unit}
	fit.Before, fit.After = loss(d.held, old, d.bestScale(old)), loss(d.held, w, 1)
	return fit, nil
}

// A descent is a fit at work.
type descent struct {
	board   emergo.Board
	samples []*Sample // to fit to
	held    []*Sample // to judge by
	pairs   [][2]int  // of traits that should be alike
}

func newDescent(b emergo.Board, samples []Sample) *descent {
	d := &descent{board: b, pairs: search.Neighbours(b)}
	for i := range samples {
		if s := &samples[i]; s.held {
			d.held = append(d.held, s)
		} else {
			d.samples = append(d.samples, s)
		}
	}
	return d
}

const shards = 16 // whatever the number of processors, so that sums come out the same

func (d *descent) gradient(w []float64) []float64 {
	var parts [shards][]float64
	var wait sync.WaitGroup
	for k := range parts {
		wait.Go(func() {
			g := make([]float64, len(w))
			for i := k; i < len(d.samples); i += shards {
				s := d.samples[i]
				miss := logistic(s.evaluate(w)) - s.result
				for _, t := range s.traits {
					x := miss * float64(t.count)
					for stage, share := range s.stages {
						g[search.Stages*int(t.index)+stage] += x * share
					}
				}
			}
			parts[k] = g
		})
	}
	wait.Wait()
	sum := make([]float64, len(w))
	for _, g := range parts {
		for i := range sum {
			sum[i] += g[i] / float64(len(d.samples))
		}
	}
	for i := range sum {
		sum[i] += smooth * w[i]
	}
	pull := func(i, j int, strength float64) {
		x := strength * smooth * (w[i] - w[j])
		sum[i] += x
		sum[j] -= x
	}
	for i := 0; i < len(sum); i += search.Stages { // what is worth something in one stage is so in the next
		for stage := 1; stage < search.Stages; stage++ {
			pull(i+stage-1, i+stage, 5)
		}
	}
	for _, p := range d.pairs {
		for stage := range search.Stages {
			pull(search.Stages*p[0]+stage, search.Stages*p[1]+stage, 20)
		}
	}
	return sum
}

// loss returns the mean cross-entropy of samples by weights w times a scale.
func loss(samples []*Sample, w []float64, scale float64) float64 {
	sum := 0.0
	for _, s := range samples {
		x := scale * s.evaluate(w)
		sum -= s.result*math.Log(logistic(x)+1e-12) + (1-s.result)*math.Log(1-logistic(x)+1e-12)
	}
	return sum / float64(max(len(samples), 1))
}

// bestScale returns the scale by which weights that were fitted elsewhere do best. The held-out samples
// have no say in it, as they have none in the fit that the weights are compared with.
func (d *descent) bestScale(w []float64) float64 {
	best, least := 0.0, math.Inf(1)
	for scale := 1e-4; scale < 1; scale *= 1.1 {
		if loss := loss(d.samples, w, scale); loss < least {
			best, least = scale, loss
		}
	}
	return best
}

// centre moves what places are worth on the average to the pieces that stand on them, which changes
// no evaluation but can be read.
func (d *descent) centre(w []float64) {
	for _, g := range search.PlaceGroups(d.board) {
		for stage := range search.Stages {
			mean := 0.0
			for _, i := range g.Places {
				mean += w[search.Stages*i+stage] / float64(len(g.Places))
			}
			for _, i := range g.Places {
				w[search.Stages*i+stage] -= mean
			}
			for _, i := range g.Stacks {
				w[search.Stages*i+stage] += mean
			}
		}
	}
}

// man returns what one more free man is worth in the movement stage: the slope of evaluations over the
// difference in free men (least squares).
func (d *descent) man(w []float64) float64 {
	free := search.FreeMen(d.board)
	var product, square float64
	for _, s := range d.samples {
		men := 0
		for _, t := range s.traits {
			men += int(t.count) * free[t.index]
		}
		if s.stages[0] == 0 {
			product += float64(men) * s.evaluate(w)
			square += float64(men * men)
		}
	}
	return product / square
}

func (s *Sample) evaluate(w []float64) (sum float64) {
	for _, t := range s.traits {
		for stage, share := range s.stages {
			sum += float64(t.count) * w[search.Stages*int(t.index)+stage] * share
		}
	}
	return sum
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
