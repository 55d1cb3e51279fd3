package search

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// quietPositions calls yield with n positions of random games in which the side to move can capture
// nothing, on both boards.
func quietPositions(n int, yield func(*emergo.Position)) {
	rng := rand.New(rand.NewPCG(3, 3))
	for n > 0 {
		p := emergo.StartPosition(emergo.Board(rng.IntN(2)))
		for ply := 0; ply < 150 && n > 0; ply++ {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			if !p.CanCapture(p.Turn()) {
				yield(&p)
				n--
			}
			p = p.Play(moves[rng.IntN(len(moves))])
		}
	}
}

// mapped returns p with its squares moved by f and, if so wanted, its colours swapped.
func mapped(t *testing.T, p *emergo.Position, f func(file, rank, last int) (int, int), swap bool) emergo.Position {
	t.Helper()
	color := func(c emergo.Color) emergo.Color {
		if swap {
			return c.Other()
		}
		return c
	}
	setup := emergo.Setup{Board: p.Board(), Turn: color(p.Turn()), Ply: p.Ply()}
	for _, c := range []emergo.Color{emergo.White, emergo.Black} {
		setup.InHand[color(c)] = p.InHand(c)
	}
	for s, piece := range p.Pieces {
		file, rank := f(s.File(), s.Rank(), p.Board().Ranks()-1)
		square, err := emergo.ParseSquare(string([]byte{'a' + byte(file), '1' + byte(rank)}))
		if err != nil {
			t.Fatal(err)
		}
		piece.Owner = color(piece.Owner)
		setup.Pieces = append(setup.Pieces, emergo.PlacedPiece{Square: square, Piece: piece})
	}
	image, err := setup.Position()
	if err != nil {
		t.Fatal(err)
	}
	return image
}

func same(file, rank, _ int) (int, int)      { return file, rank }
func turned(file, rank, last int) (int, int) { return rank, last - file }
func mirrored(file, rank, _ int) (int, int)  { return rank, file }
func evaluation(p *emergo.Position) Score    { return fitted[p.Board()].evaluate(p) }
func times(n int, f func(file, rank, last int) (int, int)) func(file, rank, last int) (int, int) {
	return func(file, rank, last int) (int, int) {
		for range n {
			file, rank = f(file, rank, last)
		}
		return file, rank
	}
}

func TestEvaluationSwapsWithColours(t *testing.T) {
	quietPositions(20_000, func(p *emergo.Position) {
		swapped := mapped(t, p, same, true)
		if got, want := evaluation(&swapped), evaluation(p); got != want {
			t.Fatalf("%v is worth %v to the side to move, with colours swapped %v", p, want, got)
		}
	})
}

func TestEvaluationHasTheBoardsSymmetries(t *testing.T) {
	quietPositions(2_000, func(p *emergo.Position) {
		for turns := range 4 {
			image := mapped(t, p, times(turns, turned), false)
			reflected := mapped(t, &image, mirrored, false)
			if a, b, want := evaluation(&image), evaluation(&reflected), evaluation(p); a != want || b != want {
				t.Fatalf("%v is worth %v, turned %d times %v, and then reflected %v", p, want, turns, a, b)
			}
		}
	})
}

// TestEvaluationIsTheSumOfTraits computes evaluations from the plain list of traits that weights are
// fitted by.
func TestEvaluationIsTheSumOfTraits(t *testing.T) {
	quietPositions(20_000, func(p *emergo.Position) {
		weights := fitted[p.Board()].Vector(p.Board())
		sum, shares := 0.0, StageShares(p)
		for _, trait := range Traits(p) {
			for i, share := range shares {
				sum += float64(trait.Count) * weights[Stages*trait.Index+i] * share
			}
		}
		want := Score(math.Trunc(math.Round(sum*1e6) / 1e6)) // the sum of an exact evaluation is a fraction of small numbers
		if got := evaluation(p); got != want {
			t.Fatalf("%v is evaluated at %d, its traits add up to %d", p, got, want)
		}
	})
}

func TestEvaluationIsNeverAWin(t *testing.T) {
	heavy := new(Weights)
	for _, n := range heavy.all(emergo.Board9x9) {
		*n.weight = newWeight([Stages]int{MaxWeight, MaxWeight, MaxWeight})
	}
	heavy.combine()
	quietPositions(2_000, func(p *emergo.Position) {
		if s := heavy.evaluate(p); s.Won() || s.Lost() {
			t.Fatalf("%v is estimated at %d, beyond estimates", p, s)
		}
	})
}

func TestWeightsReadBack(t *testing.T) {
	for _, b := range []emergo.Board{emergo.Board9x9, emergo.Board7x7} {
		text := fitted[b].AppendText(nil, b)
		w, err := ParseWeights(text, b)
		if err != nil {
			t.Fatal(err)
		}
		if *w != *fitted[b] || *FromVector(b, w.Vector(b)) != *w {
			t.Errorf("the weights of %v are not what was written", b)
		}
	}
}

func TestWrongWeightsAreRefused(t *testing.T) {
	good := string(fitted[emergo.Board7x7].AppendText(nil, emergo.Board7x7))
	rest := good[strings.IndexByte(good, '\n'):]
	for name, c := range map[string]struct{ text, problem string }{
		"empty":         {"", `a file of weights begins with "stack cap=1 prisoners=0: ", this one with ""`},
		"no weights":    {"{\"board\":\"7x7\"}\n", `a file of weights begins with "stack cap=1 prisoners=0: ", this one with "{\"board\":\"7x7\"}"`},
		"another board": {string(weights9x9), "329 weights, want 209 for board 7x7"},
		"another name":  {strings.Replace(good, "stack cap=1 prisoners=1:", "hand:", 1), `line 2 is about "hand", want "stack cap=1 prisoners=1"`},
		"two stages":    {"stack cap=1 prisoners=0: 1 2" + rest, `line 1: stack cap=1 prisoners=0 has 2 weights, want 3, one for each stage`},
		"no number":     {"stack cap=1 prisoners=0: x 1 2" + rest, `line 1: stack cap=1 prisoners=0 has a weight of "x", want a number from -3000 to 3000`},
		"too large":     {"stack cap=1 prisoners=0: 1 3001 2" + rest, `line 1: stack cap=1 prisoners=0 has a weight of "3001", want a number from -3000 to 3000`},
	} {
		if _, err := ParseWeights([]byte(c.text), emergo.Board7x7); err == nil || err.Error() != c.problem {
			t.Errorf("%s: error %v, want %s", name, err, c.problem)
		}
	}
}
