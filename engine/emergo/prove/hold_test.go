package prove_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/prove"
)

// A web is all positions that can be reached from one, with the moves between them.
type web struct {
	positions []emergo.Position
	next      [][]int
}

// spin returns the web of p, or ok = false if it holds more than so many positions.
func spin(p emergo.Position, most int) (w web, ok bool) {
	places := map[uint64]int{p.Key(): 0}
	w.positions = []emergo.Position{p}
	for i := 0; i < len(w.positions); i++ {
		if len(w.positions) > most {
			return web{}, false
		}
		at := w.positions[i]
		w.next = append(w.next, nil)
		for _, m := range at.AppendMoves(nil) {
			q := at.Play(m)
			j, seen := places[q.Key()]
			if !seen {
				j = len(w.positions)
				places[q.Key()] = j
				w.positions = append(w.positions, q)
			}
			w.next[i] = append(w.next[i], j)
		}
	}
	return w, true
}

// lost returns the places of a web at which a side loses by force, in however many plies.
func (w *web) lost(side emergo.Color, r emergo.Rules) []bool {
	lost := make([]bool, len(w.positions))
	for changed := true; changed; {
		changed = false
		for i := range w.positions {
			if lost[i] {
				continue
			}
			p := &w.positions[i]
			if o := p.Outcome(r); o.Over() {
				lost[i] = o.Result == emergo.WhiteWins && side == emergo.Black || o.Result == emergo.BlackWins && side == emergo.White
			} else {
				// To lose, the side must have only losing moves, its opponent one.
				chooses := p.Turn() == side
				lost[i] = chooses
				for _, j := range w.next[i] {
					if lost[j] != chooses {
						lost[i] = !chooses
						break
					}
				}
			}
			changed = changed || lost[i]
		}
	}
	return lost
}

func TestClosedSetsHoldWhereNoLossIsForced(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	prover := prove.New(1 << 20)
	count := map[prove.Verdict]int{}
	for count[prove.Proven]+count[prove.Refuted] < 120 {
		r := emergo.Rules{BlockedLoses: rng.IntN(2) == 0}
		g := emergo.NewGame(smallPosition(rng, 2), r)
		w, ok := spin(*g.Position(), 4000)
		if !ok {
			continue
		}
		for side := range emergo.Color(2) {
			want := prove.Proven
			if w.lost(side, r)[0] {
				want = prove.Refuted
			}
			if got := prover.Holds(context.Background(), g, side, 8000); got != want {
				t.Errorf("%v with %v: that %v holds out is %v, want %v", g.Position(), r, side, got, want)
			}
			count[want]++
		}
	}
	if count[prove.Refuted] < 20 {
		t.Errorf("%d of 120 were lost: too few to show anything", count[prove.Refuted])
	}
}
