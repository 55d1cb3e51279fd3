package search_test

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
	"github.com/luctor-et-emergo/emergod/engine/emergo/prove"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// claimRules returns the rules of a game: often those of other rulesets, and limits so near that they
// are reached.
func claimRules(rng *rand.Rand) emergo.Rules {
	r := emergo.Rules{BlockedLoses: rng.IntN(3) == 0}
	if rng.IntN(3) == 0 {
		r.NoProgressLimit = 2 + rng.IntN(30)
	}
	return r
}

// goBack returns the move that takes back the mover's step before, if there is one.
func goBack(g *emergo.Game, moves []emergo.Move) (emergo.Move, bool) {
	n := len(g.Moves())
	if n < 2 {
		return 0, false
	}
	last := g.Moves()[n-2]
	i := slices.IndexFunc(moves, func(m emergo.Move) bool {
		return m.Kind() == emergo.Step && m.From() == last.To() && m.To() == last.From()
	})
	if i < 0 {
		return 0, false
	}
	return moves[i], true
}

// fewPieces returns a position of few pieces on the 7x7 board, by chance: of three to seven with few men in
// them or, for the endgame tables to be in sight, of three or four with all men.
func fewPieces(t testing.TB, rng *rand.Rand) emergo.Position {
	squares := emergo.Board7x7.Squares()
	at := rng.Perm(len(squares))
	setup := emergo.Setup{Board: emergo.Board7x7, Turn: emergo.Color(rng.IntN(2))}
	var men [2]int
	all := rng.IntN(2) == 0
	pieces := 3 + rng.IntN(5)
	if all {
		pieces = 3 + rng.IntN(2)
	}
	for i := range pieces {
		owner := emergo.Color(i % 2)
		piece := emergo.Piece{Owner: owner, Cap: 1 + rng.IntN(2), Prisoners: rng.IntN(1 + rng.IntN(3))}
		if men[owner]+piece.Cap > 8 || men[owner.Other()]+piece.Prisoners > 8 {
			break
		}
		men[owner] += piece.Cap
		men[owner.Other()] += piece.Prisoners
		setup.Pieces = append(setup.Pieces, emergo.PlacedPiece{Square: squares[at[i]], Piece: piece})
	}
	if all {
		setup.Pieces[0].Piece.Cap += 8 - men[emergo.White]
		setup.Pieces[1].Piece.Cap += 8 - men[emergo.Black]
	}
	p, err := setup.Position()
	if err != nil {
		t.Fatal(err)
	}
	if p.Outcome(emergo.Rules{}).Over() {
		return fewPieces(t, rng)
	}
	return p
}

// TestWinsAreTrue plays games by chance and by search, on both boards and by all rules, from the start and
// from positions of few pieces, in some of which pieces go back and forth; and whenever the search, with
// endgame tables or without, says that a side wins, in some number of plies or sometime, the prover must
// agree. EMERGO_CLAIMS is how many positions are searched.
func TestWinsAreTrue(t *testing.T) {
	positions, seed := 2_000, uint64(1)
	if testing.Short() {
		positions = 500
	}
	if n, err := strconv.Atoi(os.Getenv("EMERGO_CLAIMS")); err == nil {
		positions, seed = n, rand.Uint64()
		t.Logf("seed %d", seed)
	}
	const searchNodes, proofNodes, closed = 2_000, 1_000_000, 2_000
	rng := rand.New(rand.NewPCG(seed, 1))
	searchers := map[string]*search.Searcher{
		"without tables": search.New(4<<20, nil),
		"with tables":    search.New(4<<20, endgame.Embedded()),
	}
	prover := prove.New(64 << 20)
	ctx := context.Background()
	counted, sometime := map[string]map[prove.Verdict]int{}, 0
	for name := range searchers {
		counted[name] = map[prove.Verdict]int{}
	}
	for left := positions; left > 0; {
		first, opening := emergo.StartPosition(emergo.Board(rng.IntN(2))), 10
		if rng.IntN(4) > 0 {
			first, opening = fewPieces(t, rng), 0
		}
		g := emergo.NewGame(first, claimRules(rng))
		chance := []float64{0.05, 0.3, 0.7, 1}[rng.IntN(4)]
		shuffles := rng.IntN(2) == 0
		for ply := 0; !g.Outcome().Over() && ply < 100 && left > 0; ply++ {
			moves := g.AppendMoves(nil)
			m := moves[rng.IntN(len(moves))]
			if ply >= opening {
				left--
				name := []string{"without tables", "with tables"}[rng.IntN(2)]
				l := searchers[name].Search(ctx, g, search.Limits{Nodes: searchNodes}, nil).Lines[0]
				wrong := false
				if n, known := l.Score.Plies(); known {
					verdict := isTrue(ctx, prover, g, l.Score.Won(), n, proofNodes)
					counted[name][verdict]++
					wrong = verdict == prove.Refuted
				} else if l.Score.Won() || l.Score.Lost() {
					sometime++
					loser := g.Position().Turn()
					if l.Score.Won() {
						loser = loser.Other()
					}
					wrong = prover.Holds(ctx, g, loser, closed) == prove.Proven
				}
				if wrong {
					t.Errorf("%s, %v is false after %v of %v by %+v", name, l.Score, g.Moves(), g.Anchor(), g.Rules())
				}
				if rng.Float64() > chance {
					m = l.Moves[0]
				}
			}
			if back, ok := goBack(g, moves); ok && shuffles && rng.IntN(3) > 0 {
				m = back
			}
			g.Play(m)
		}
	}
	t.Logf("claims of wins and losses: %v in a number of plies (unknown: not within %d nodes), %d sometime", counted, proofNodes, sometime)
	for name, verdicts := range counted {
		if verdicts[prove.Proven] < positions/25 {
			t.Errorf("%s, %d claims in %d positions are proven: too few to show anything", name, verdicts[prove.Proven], positions)
		}
	}
	if sometime < positions/200 {
		t.Errorf("%d wins and losses in an unknown number of plies: too few to show anything", sometime)
	}
}

// isTrue says whether the side to move wins, or else loses, within n plies.
func isTrue(ctx context.Context, p *prove.Prover, g *emergo.Game, wins bool, n int, nodes uint64) prove.Verdict {
	if wins {
		return p.WinsWithin(ctx, g, n, nodes)
	}
	return p.LosesWithin(ctx, g, n, nodes)
}

// TestEveryLineIsTrueWhenPositionsRepeat goes back and forth in endings that the tables know, and asks for
// several lines: every win or loss said to take some number of plies must be so with all that was played
// before, and every line must be playable. EMERGO_CLAIMS is how many positions are asked about.
func TestEveryLineIsTrueWhenPositionsRepeat(t *testing.T) {
	questions, seed := 1_500, uint64(7)
	if testing.Short() {
		questions = 300
	}
	if n, err := strconv.Atoi(os.Getenv("EMERGO_CLAIMS")); err == nil {
		questions, seed = n, rand.Uint64()
		t.Logf("seed %d", seed)
	}
	const proofNodes = 200_000
	rng := rand.New(rand.NewPCG(seed, 7))
	searcher, prover := search.New(1<<20, endgame.Embedded()), prove.New(16<<20)
	ctx := context.Background()
	claims, repeated := 0, 0
	for asked := 0; asked < questions; {
		g := emergo.NewGame(tableEnding(t, rng), emergo.Rules{NoProgressLimit: []int{0, 0, 40}[rng.IntN(3)]})
		for ply := 0; !g.Outcome().Over() && ply < 14; ply++ {
			moves := g.AppendMoves(nil)
			m := moves[rng.IntN(len(moves))]
			if back, ok := goBack(g, moves); ok && rng.IntN(5) > 0 {
				m = back
			}
			g.Play(m)
			if g.Outcome().Over() || ply < 3 {
				continue
			}
			asked++
			if g.Occurrences() > 1 {
				repeated++
			}
			for _, l := range searcher.Search(ctx, g, search.Limits{Nodes: 2_000, Lines: 5}, nil).Lines {
				claims += checkLine(t, prover, g, l, proofNodes)
			}
		}
	}
	if claims < questions/3 || repeated < questions/8 {
		t.Errorf("%d claims, %d positions that have occurred before: too few to show anything", claims, repeated)
	}
}

// tableEnding returns a position of two or three pieces on the 7x7 board, by chance, with all men on it.
func tableEnding(t testing.TB, rng *rand.Rand) emergo.Position {
	squares := emergo.Board7x7.Squares()
	at := rng.Perm(len(squares))
	a, b, held := 1+rng.IntN(7), rng.IntN(2), rng.IntN(7)
	if a+b > 7 {
		b = 0
	}
	setup := emergo.Setup{Board: emergo.Board7x7, Turn: emergo.Color(rng.IntN(2)), Pieces: []emergo.PlacedPiece{
		{Square: squares[at[0]], Piece: emergo.Piece{Owner: emergo.White, Cap: a, Prisoners: held}},
		{Square: squares[at[1]], Piece: emergo.Piece{Owner: emergo.Black, Cap: 8 - held, Prisoners: 8 - a - b}},
	}}
	if b > 0 {
		setup.Pieces = append(setup.Pieces, emergo.PlacedPiece{Square: squares[at[2]], Piece: emergo.Piece{Owner: emergo.White, Cap: b}})
	}
	p, err := setup.Position()
	if err != nil {
		t.Fatal(err)
	}
	if p.Outcome(emergo.Rules{}).Over() {
		return tableEnding(t, rng)
	}
	return p
}

// checkLine replays l from g and has the prover check what it claims, if that is a number of plies. It
// returns the number of claims that were checked.
func checkLine(t *testing.T, p *prove.Prover, g *emergo.Game, l search.Line, nodes uint64) int {
	t.Helper()
	tell := func(what string) {
		t.Errorf("%v, %v, after %v of %v by %+v: %s", l.Score, l.Moves, g.Moves(), g.Anchor(), g.Rules(), what)
	}
	played := replay(g)
	for i, m := range l.Moves {
		if played.Outcome().Over() || !slices.Contains(played.AppendMoves(nil), m) {
			tell("move " + strconv.Itoa(i+1) + " is not legal")
			return 0
		}
		played.Play(m)
	}
	n, known := l.Score.Plies()
	if !known || !l.Exact || len(l.Moves) == 0 {
		return 0
	}
	next := replay(g)
	next.Play(l.Moves[0])
	if isTrue(context.Background(), p, next, l.Score.Lost(), n-1, nodes) == prove.Refuted {
		tell("it is false")
	}
	return 1
}

// replay returns a game that has gone as g.
func replay(g *emergo.Game) *emergo.Game {
	again := emergo.NewGame(*g.Anchor(), g.Rules())
	for _, m := range g.Moves() {
		again.Play(m)
	}
	return again
}
