package emergo_test

import (
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// What is done millions of times allocates nothing, whatever the turn asks for.
func TestHotPathDoesNotAllocate(t *testing.T) {
	for name, fen := range map[string]string{
		"entry":       start9x9,
		"shadowpiece": "9/9/9/9/9/9/9/9/a@1A@6 w 13 11,0",
		"step":        "a@8/3AA1AA3/9/1AA1AA1AA3/9/1AA1AA1AA3/9/1AA1AA1AA1A@1/9 w 40 0,0",
		"capture":     "A@7A@/1aa1a@1a@1aa1/9/1aa1a@1aa1a@1/9/1a@1a@1a@1aa1/A@7A@/9/2C@6 w 24 0,0",
		"blocked":     "8a@/7A@1/6AA2/9/9/9/9/9/9 b 31 4,0",
	} {
		p := position(t, fen)
		moves := p.AppendMoves(make([]emergo.Move, 0, 64))
		text := make([]byte, 0, emergo.MaxPositionLen)
		for what, run := range map[string]func(){
			"AppendMoves": func() { moves = p.AppendMoves(moves[:0]) },
			"CountMoves":  func() { p.CountMoves() },
			"HasMoves":    func() { p.HasMoves() },
			"CanCapture":  func() { p.CanCapture(emergo.White) },
			"Outcome":     func() { p.Outcome(emergo.Rules{}) },
			"Key":         func() { p.Key() },
			"Repeats":     func() { p.Repeats(&p) },
			"Play": func() {
				for _, m := range moves {
					p.Play(m)
				}
			},
			"AppendText": func() {
				text, _ = p.AppendText(text[:0])
				for _, m := range moves {
					text, _ = m.AppendText(text[:0])
				}
			},
		} {
			if allocs := testing.AllocsPerRun(100, run); allocs != 0 {
				t.Errorf("%s: %s allocates %v times", name, what, allocs)
			}
		}
	}
}

// Grow makes room for as many moves as it is told, and changes nothing else.
func TestGrow(t *testing.T) {
	start := position(t, "8a@/9/9/9/9/9/9/9/A@8 w 30 0,0")
	var shuffle []emergo.Move
	g := emergo.NewGame(start, emergo.Rules{})
	for _, text := range []string{"a1-b2", "i9-h8", "b2-a1", "h8-i9", "a1-b2", "i9-h8", "b2-a1", "h8-i9"} {
		m, err := g.PlayText(text)
		if err != nil {
			t.Fatal(err)
		}
		shuffle = append(shuffle, m)
	}

	grown := emergo.NewGame(start, emergo.Rules{})
	allocsAfterGrowing := func(moves []emergo.Move) float64 {
		return testing.AllocsPerRun(100, func() {
			grown = emergo.NewGame(start, emergo.Rules{})
			grown.Grow(len(shuffle))
			for _, m := range moves {
				grown.Play(m)
			}
		})
	}
	if without, with := allocsAfterGrowing(nil), allocsAfterGrowing(shuffle); with != without {
		t.Errorf("%v allocations with the moves, %v without", with, without)
	}
	if got, want := factsOf(grown), factsOf(g); got != want {
		t.Errorf("after Grow the game is %+v, want %+v", got, want)
	}
}
