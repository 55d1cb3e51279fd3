package match

import (
	"context"
	"slices"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// begun returns a player at the beginning of g.
func begun(t testing.TB, spec string, g *emergo.Game, seed uint64) Player {
	t.Helper()
	player, err := mustParse(t, spec).New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { player.Close() })
	if err := player.Begin(context.Background(), g, seed); err != nil {
		t.Fatal(err)
	}
	return player
}

func choose(t testing.TB, player Player, g *emergo.Game) Choice {
	t.Helper()
	c, err := player.Choose(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func gameAt(t testing.TB, position string) *emergo.Game {
	t.Helper()
	p, err := emergo.ParsePosition(position)
	if err != nil {
		t.Fatal(err)
	}
	return emergo.NewGame(p, emergo.Rules{})
}

// Every player plays legal moves to the end of a game on either board, by any rules, and the same
// moves again from the same seed.
func TestPlayersPlayLegalMovesAndTheSameAgain(t *testing.T) {
	for _, spec := range []string{"random", "greedy", "alphabeta:2", "uct:20", "search:nodes=200", "search:depth=1"} {
		t.Run(spec, func(t *testing.T) {
			for _, b := range []emergo.Board{emergo.Board9x9, emergo.Board7x7} {
				for _, rules := range []emergo.Rules{{NoProgressLimit: 50}, {NoProgressLimit: 50, BlockedLoses: true}} {
					first := playAlone(t, spec, b, rules)
					if again := playAlone(t, spec, b, rules); !slices.Equal(first, again) {
						t.Errorf("%v, %+v: %v, then %v", b, rules, first, again)
					}
				}
			}
		})
	}
}

func playAlone(t *testing.T, spec string, b emergo.Board, rules emergo.Rules) (moves []emergo.Move) {
	t.Helper()
	g := emergo.NewGame(emergo.StartPosition(b), rules)
	player := begun(t, spec, g, 7)
	for !g.Outcome().Over() && len(moves) < 200 {
		c := choose(t, player, g)
		if !slices.Contains(g.AppendMoves(nil), c.Move) {
			t.Fatalf("%v is not legal in %v", c.Move, g.Position())
		}
		g.Play(c.Move)
		moves = append(moves, c.Move)
	}
	return moves
}

// alphabeta finds the value of plain minimax, and a move of that value.
func TestAlphaBetaIsMinimax(t *testing.T) {
	chance := newChance(3)
	for n := range 40 {
		g := emergo.NewGame(emergo.StartPosition(emergo.Board7x7), emergo.Rules{})
		for range 6 + 2*n {
			if moves := g.AppendMoves(nil); len(moves) > 0 {
				g.Play(moves[chance.IntN(len(moves))])
			}
		}
		if g.Outcome().Over() {
			continue
		}
		c := choose(t, begun(t, "alphabeta:3", g, uint64(n)), g)
		after := g.Position().Play(c.Move)
		want := minimax(g.Position(), 3)
		if got := -minimax(&after, 2); got != want {
			t.Errorf("%v: %v is worth %d, the best move %d", g.Position(), c.Move, got, want)
		}
		if c.Scored && int(c.Score) != 100*want {
			t.Errorf("%v: score %v, want %d men", g.Position(), c.Score, want)
		}
	}
}

func minimax(p *emergo.Position, depth int) int {
	if o := p.Outcome(emergo.Rules{}); o.Over() {
		return ending(p, o, depth)
	}
	if depth == 0 {
		return material(p)
	}
	best := 2 * lost
	for _, m := range p.AppendMoves(nil) {
		next := p.Play(m)
		best = max(best, -minimax(&next, depth-1))
	}
	return best
}

func TestMaterialIsFreeMen(t *testing.T) {
	tests := []struct {
		position string
		want     int
	}{
		{"9/9/9/9/9/9/9/9/9 w 0 12,12", 0},
		{"9/9/9/9/9/9/9/9/9 w 0 12,10", 2},
		{"9/9/2a@1a@4/9/4a@4/3D@5/9/5A@3/6b@2 b 0 0,0", 0}, // 1+1+1+2 against 4+1
		{"9/9/2a@1a@4/9/2bb1a@4/3C@5/9/9/9 w 1 0,0", -2},   // 3 against 1+1+2+1, two prisoners aside
	}
	for _, test := range tests {
		if got := material(gameAt(t, test.position).Position()); got != test.want {
			t.Errorf("%s: %d, want %d", test.position, got, test.want)
		}
	}
}

func TestPlayoutsDoNotAllocate(t *testing.T) {
	g := emergo.NewGame(emergo.StartPosition(emergo.Board9x9), emergo.Rules{})
	u := begun(t, "uct:5000", g, 1).(*uct)
	choose(t, u, g) // which makes room for the tree
	u.playouts = 500
	if n := testing.AllocsPerRun(5, func() { choose(t, u, g) }); n > 0 {
		t.Errorf("%v allocations for 500 playouts", n)
	}
}

// Nodes are positions, for every player that counts them, not playouts: each here visits the end of
// the game by the only move.
func TestPlayoutsCountPositions(t *testing.T) {
	g := gameAt(t, "9/9/2a@1a@4/9/2bb1a@4/3C@5/9/9/9 w 1 0,0")
	if c := choose(t, begun(t, "uct:10", g, 1), g); c.Nodes != 11 {
		t.Errorf("%d nodes, want 11", c.Nodes)
	}
	g = gameAt(t, "9/9/9/9/9/9/9/9/9 w 0 12,12")
	if c := choose(t, begun(t, "uct:10", g, 1), g); c.Nodes < 10*24 { // all men are entered before the end
		t.Errorf("%d nodes from the start in 10 playouts", c.Nodes)
	}
}

// However many playouts there were, the next one counts.
func TestPlayoutsAreNotLost(t *testing.T) {
	for _, test := range []struct {
		position string
		points   int32
	}{
		{"9/9/9/9/4A@4/9/9/9/9 b 9 0,0", 2},
		{"7/7/7/7/a@1a@4/1a@5/A@6 w 30 0,0", 1},
	} {
		for _, visits := range []int32{1, 1 << 24, mostPlayouts} {
			g := gameAt(t, test.position)
			u := begun(t, "uct", g, 1).(*uct)
			u.tree = []treeNode{{visits: visits, points: 2 * visits}}
			u.visit(*g.Position())
			if got := u.tree[0]; got.visits != visits+1 || got.points != 2*visits+test.points {
				t.Errorf("%s: after %d visits and %d half points they are %d and %d", test.position, visits, 2*visits, got.visits, got.points)
			}
		}
	}
}

// Each position has one move that wins by force within three plies, among six to seventeen.
func TestPlayersFindAWin(t *testing.T) {
	tests := []struct{ position, win string }{
		{"2b@4/7/2ag4/3e@3/7/3A@3/7 b 105 0,0", "d4-e3"},
		{"AA6/7/6a@/3ba3/a@1ad4/1ab5/6a@ b 29 0,0", "d4-c5"},
		{"AB3ac1AC/7/7/1A@5/7/5AB1/4A@2 w 84 0,0", "b4-c5"},
		{"2AB3ab/3ba3/cc6/7/4A@2/7/7 b 73 0,0", "a5-b4"},
		{"be1b@1bb2/7/4b@2/7/2A@4/7/7 b 91 0,0", "e5-d4"},
		{"2aa3AB/3AA3/6B@/7/6BB/7/AB6 w 50 0,0", "d6-c5"},
	}
	for _, test := range tests {
		for _, spec := range []string{"alphabeta:3", "uct:2000", "search:depth=3"} {
			g := gameAt(t, test.position)
			if c := choose(t, begun(t, spec, g, 1), g); c.Move.String() != test.win {
				t.Errorf("%s: %s plays %v, not %s", test.position, spec, c.Move, test.win)
			}
		}
	}
}
