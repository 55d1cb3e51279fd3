package endgame

import (
	"sync"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

func position(t testing.TB, s string) *emergo.Position {
	t.Helper()
	p, err := emergo.ParsePosition(s)
	if err != nil {
		t.Fatal(err)
	}
	return &p
}

func TestProbe(t *testing.T) {
	found := func(v Value) func(*testing.T, Value, bool) {
		return func(t *testing.T, got Value, ok bool) {
			if !ok || got != v {
				t.Errorf("it is a %v, %v; want a %v", got, ok, v)
			}
		}
	}
	notFound := func(t *testing.T, got Value, ok bool) {
		if ok {
			t.Errorf("it is a %v, but the tables cannot know", got)
		}
	}
	for _, test := range []struct {
		name, position string
		check          func(*testing.T, Value, bool)
	}{
		{"two pieces", "7/7/7/1h@5/7/7/H@6 w 0 0,0", found(Win)},
		{"the ply does not matter", "7/7/7/1h@5/7/7/H@6 w 99 0,0", found(Win)},
		{"Black to move", "7/7/7/1h@5/7/7/H@6 b 0 0,0", found(Win)},
		{"every move loses", "7/7/7/7/2h@4/7/H@6 w 0 0,0", found(Loss)},
		{"three pieces", "8la/9/9/9/9/9/9/1I@7/B@8 w 0 0,0", found(Win)},
		{"blocked", "9/9/9/9/9/9/2k@6/1a@7/L@8 w 0 0,0", found(Draw)},
		{"no piece to move, all men on the board", "9/9/9/9/9/9/9/9/LL8 b 0 0,0", found(Loss)},
		{"no piece to move, many enemies", "9/9/9/9/9/9/4A@4/1AA1A@5/DD1A@1A@1A@1A@ b 0 0,0", found(Loss)},
		{"no piece, but men in hand", "9/9/9/9/9/9/9/9/L@8 b 0 0,12", notFound},
		{"the other side has no piece", "9/9/9/9/9/9/9/9/LL8 w 0 0,0", notFound},
		{"men in hand", "9/9/9/9/9/9/2k@6/9/L@8 w 0 0,1", notFound},
		{"too few men", "9/9/9/9/9/9/2k@6/9/L@8 w 0 0,0", notFound},
		{"four pieces on 9x9", "9/9/9/9/9/9/2j@6/1a@7/L@7a@ w 0 0,0", notFound},
		{"four pieces on 7x7 without a file", "7/7/7/7/2f@4/1a@5/H@5a@ w 0 0,0", notFound},
		{"the start", "9/9/9/9/9/9/9/9/9 w 0 12,12", notFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := position(t, test.position)
			v, ok := Embedded().Probe(p)
			test.check(t, v, ok)
			if v, ok := (*Tables)(nil).Probe(p); ok {
				t.Errorf("it is a %v without any tables", v)
			}
		})
	}
}

func TestProbeDistance(t *testing.T) {
	for _, test := range []struct {
		name, position string
		value          Value
		plies          int
		ok             bool
	}{
		{"two pieces", "9/9/9/9/9/1l@7/9/9/L@8 w 0 0,0", Win, 79, true},
		{"two pieces on 7x7", "7/7/7/1h@5/7/7/H@6 w 0 0,0", Win, 51, true},
		{"no piece to move", "9/9/9/9/9/9/9/9/LL8 b 0 0,0", Loss, 0, true},
		{"no piece, but men in hand", "9/9/9/9/9/9/9/9/L@8 b 0 0,12", 0, 0, false},
		{"three pieces without a file", "8la/9/9/9/9/9/9/1I@7/B@8 w 0 0,0", 0, 0, false},
		{"four pieces", "9/9/9/9/9/9/2j@6/1a@7/L@7a@ w 0 0,0", 0, 0, false},
		{"the start", "9/9/9/9/9/9/9/9/9 w 0 12,12", 0, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := position(t, test.position)
			v, plies, ok := Embedded().ProbeDistance(p)
			if v != test.value || plies != test.plies || ok != test.ok {
				t.Errorf("it is a %v in %d, %v; want a %v in %d, %v", v, plies, ok, test.value, test.plies, test.ok)
			}
			if _, _, ok := (*Tables)(nil).ProbeDistance(p); ok {
				t.Error("its distance is known without any tables")
			}
		})
	}
}

func TestProbeOfGamesFromTheStart(t *testing.T) {
	// Whatever comes up in a game, the tables have it when it has few enough pieces, and only then.
	tables := Embedded()
	for _, b := range boards {
		p := emergo.StartPosition(b)
		for ply := range 1000 {
			moves := p.AppendMoves(nil)
			n := p.PieceCount(emergo.White) + p.PieceCount(emergo.Black)
			few := n <= tables.MaxPieces(b) && p.InHand(emergo.White)+p.InHand(emergo.Black) == 0 || p.Outcome(emergo.Rules{}).End == emergo.NoPieces
			if _, ok := tables.Probe(&p); ok != few {
				t.Fatalf("%v: found: %v", &p, ok)
			}
			if len(moves) == 0 {
				break
			}
			p = p.Play(moves[ply*31%len(moves)])
		}
	}
}

func TestNoTables(t *testing.T) {
	var none *Tables
	if none.MaxPieces(emergo.Board9x9) != 0 || none.MemoryBytes() != 0 {
		t.Error("no tables have something")
	}
}

func TestMaxPieces(t *testing.T) {
	for _, b := range boards {
		if got := Embedded().MaxPieces(b); got != 3 {
			t.Errorf("%v: %d, want 3", b, got)
		}
	}
}

func TestManyMayProbeAtOnce(t *testing.T) {
	p := position(t, "8la/9/9/9/9/9/9/1I@7/B@8 w 0 0,0")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if v, ok := Embedded().Probe(p); v != Win || !ok {
				t.Errorf("it is a %v, %v", v, ok)
			}
		})
	}
	group.Wait()
}

func TestProbeDoesNotAllocate(t *testing.T) {
	p := position(t, "8la/9/9/9/9/9/9/1I@7/B@8 w 0 0,0")
	tables := Embedded()
	if n := testing.AllocsPerRun(100, func() { tables.Probe(p); tables.ProbeDistance(p) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
