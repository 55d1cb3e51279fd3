package endgame

import (
	"math/rand/v2"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// eachIndex calls test for the index of each table that is embedded.
func eachIndex(t *testing.T, test func(t *testing.T, x *index)) {
	for _, table := range Embedded().all() {
		t.Run(table.String(), func(t *testing.T) { test(t, table.index) })
	}
}

// all returns the tables that values are read from.
func (t *Tables) all() (list []*Table) {
	for b := range t.boards {
		for _, table := range t.boards[b].values {
			if table != nil {
				list = append(list, table)
			}
		}
	}
	return list
}

// sample calls visit with all positions of an index, or with so many at random if it has more.
func sample(x *index, most int, visit func(i uint32, p *emergo.Position)) {
	random := rand.New(rand.NewPCG(uint64(x.board), uint64(x.pieces)))
	n := min(most, int(x.size))
	for k := range n {
		i := uint32(k)
		if n < int(x.size) {
			i = random.Uint32N(x.size)
		}
		p := x.at(i)
		visit(i, &p)
	}
}

func TestEveryNumberIsThatOfItsPosition(t *testing.T) {
	eachIndex(t, func(t *testing.T, x *index) {
		sample(x, fewerIfShort(50_000), func(i uint32, p *emergo.Position) {
			if got, ok := x.find(p); !ok || got != i {
				t.Fatalf("position %d, %v, has number %d, %v", i, p, got, ok)
			}
		})
	})
}

func TestRunsHoldAllPositionsInOrder(t *testing.T) {
	x := indexOf(emergo.Board7x7, 3)
	next := uint32(0)
	for _, r := range x.runs() {
		x.positions(r, func(i uint32, p *emergo.Position) {
			if i != next {
				t.Fatalf("position %d follows %d", i, int(next)-1)
			}
			if at := x.at(i); i%101 == 0 && at != *p {
				t.Fatalf("position %d is %v in its run, else %v", i, p, &at)
			}
			next++
		})
	}
	if next != x.size {
		t.Errorf("the runs hold %d positions of %d", next, x.size)
	}
}

// An image has the number of its original, unless the squares are symmetric: then the two share a
// value, which other tests compare.
func TestImagesShareANumber(t *testing.T) {
	eachIndex(t, func(t *testing.T, x *index) {
		sample(x, fewerIfShort(5_000), func(i uint32, p *emergo.Position) {
			for symmetry := range 8 {
				for _, swapped := range []bool{false, true} {
					q := image(t, p, symmetry, swapped)
					j, ok := x.find(&q)
					if !ok {
						t.Fatalf("%v is not found, but its image %v is", &q, p)
					}
					if r, s := runOf(x, i), runOf(x, j); r.first != s.first || i != j && r.class.images == 8 {
						t.Fatalf("%v has number %d, its image %v has %d", p, i, &q, j)
					}
				}
			}
		})
	})
}

func runOf(x *index, i uint32) run {
	b := len(x.blocks) - 1
	for x.blocks[b].base > i {
		b--
	}
	bl := &x.blocks[b]
	n := uint32(len(bl.own) * len(bl.enemy))
	c := (i - bl.base) / n
	return run{bl, &bl.classes[c], bl.base + c*n}
}

// The classes hold each placement once: as many as there are ways to choose the squares.
func TestClassesHoldEachPlacementOnce(t *testing.T) {
	for _, b := range boards {
		for pieces := FewestPieces; pieces <= mostTabled[b]; pieces++ {
			for _, bl := range indexOf(b, pieces).blocks {
				got, squares := uint32(0), len(b.Squares())
				for _, c := range bl.classes {
					got += uint32(c.images)
				}
				own, enemy := bl.ownPieces, pieces-bl.ownPieces
				if want := choose[squares][own] * choose[squares-own][enemy]; got != want {
					t.Errorf("%v, %d against %d: %d placements, want %d", b, own, enemy, got, want)
				}
			}
		}
	}
}

// image returns what a symmetry of the board turns p into, if asked with the colours swapped.
func image(t *testing.T, p *emergo.Position, symmetry int, swapped bool) emergo.Position {
	swap := func(c emergo.Color) emergo.Color {
		if swapped {
			return c.Other()
		}
		return c
	}
	set := emergo.Setup{Board: p.Board(), Turn: swap(p.Turn())}
	for s, piece := range p.Pieces {
		piece.Owner = swap(piece.Owner)
		set.Pieces = append(set.Pieces, emergo.PlacedPiece{Square: imageOf(p.Board(), s, symmetry), Piece: piece})
	}
	q, err := set.Position()
	if err != nil {
		t.Fatal(err)
	}
	return q
}
