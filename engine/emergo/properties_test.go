package emergo_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"pgregory.net/rapid"
)

// playedPosition draws a position of a random game.
var playedPosition = rapid.Custom(func(t *rapid.T) emergo.Position {
	p := emergo.StartPosition(rapid.SampledFrom([]emergo.Board{emergo.Board9x9, emergo.Board7x7}).Draw(t, "board"))
	for range rapid.IntRange(0, 120).Draw(t, "plies") {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			break
		}
		p = p.Play(rapid.SampledFrom(moves).Draw(t, "move"))
	}
	return p
})

// arbitraryPosition draws a position that need not ever occur in a game.
var arbitraryPosition = rapid.Custom(func(t *rapid.T) emergo.Position {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	return position(t, oracleRandomPosition(r, rapid.SampledFrom([]int{9, 7}).Draw(t, "ranks")).String())
})

var anyPosition = rapid.OneOf(playedPosition, arbitraryPosition)

// checkPlay checks something of each move of random play.
func checkPlay(t *testing.T, check func(t *rapid.T, before emergo.Position, m emergo.Move, after emergo.Position)) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPosition.Draw(t, "position")
		for range 40 {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				return
			}
			m := rapid.SampledFrom(moves).Draw(t, "move")
			after := p.Play(m)
			check(t, p, m, after)
			p = after
		}
	})
}

// men counts the men of a colour: in hand, in caps and as prisoners.
func men(p *emergo.Position, c emergo.Color) int {
	n := p.InHand(c)
	for _, piece := range p.Pieces {
		if piece.Owner == c {
			n += piece.Cap
		} else {
			n += piece.Prisoners
		}
	}
	return n
}

func TestMenNeverLeaveTheGame(t *testing.T) {
	checkPlay(t, func(t *rapid.T, before emergo.Position, m emergo.Move, after emergo.Position) {
		for _, c := range []emergo.Color{emergo.White, emergo.Black} {
			if got, want := men(&after, c), men(&before, c); got != want {
				t.Fatalf("%s: %v has %d men after %s, before it %d", &before, c, got, m, want)
			}
		}
	})
}

// The owner of a piece is who has the man on top, so no cap is empty.
func TestEveryPieceHasACap(t *testing.T) {
	checkPlay(t, func(t *rapid.T, before emergo.Position, m emergo.Move, after emergo.Position) {
		for s, piece := range after.Pieces {
			if piece.Cap < 1 || piece.Prisoners < 0 {
				t.Fatalf("%s: after %s there is %+v on %s", &before, m, piece, s)
			}
		}
	})
}

// The key that Play keeps up to date is the key from scratch, and so is all else that a position holds.
func TestPlayedPositionIsThePositionRead(t *testing.T) {
	checkPlay(t, func(t *rapid.T, before emergo.Position, m emergo.Move, after emergo.Position) {
		again := position(t, after.String())
		if after.Key() != again.Key() {
			t.Fatalf("%s: key %x after %s, %x from scratch", &before, after.Key(), m, again.Key())
		}
		if after != again {
			t.Fatalf("%s: after %s it differs from %s as it is read", &before, m, &again)
		}
	})
}

// Two different positions may share a key, but none of a few thousand should.
func TestKeysTellPositionsApart(t *testing.T) {
	positions := map[uint64]emergo.Position{}
	checkPlay(t, func(t *rapid.T, _ emergo.Position, _ emergo.Move, p emergo.Position) {
		if other, ok := positions[p.Key()]; ok && !other.Repeats(&p) {
			t.Fatalf("%s and %s share the key %x", &other, &p, p.Key())
		}
		positions[p.Key()] = p
	})
}

func TestPlayTurnsTheMoveOver(t *testing.T) {
	checkPlay(t, func(t *rapid.T, before emergo.Position, m emergo.Move, after emergo.Position) {
		if after.Turn() != before.Turn().Other() || after.Ply() != before.Ply()+1 || after.Board() != before.Board() {
			t.Fatalf("%s: after %s it is %s", &before, m, &after)
		}
	})
}

func TestWrittenPositionsAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPosition.Draw(t, "position")
		text := p.String()
		if again := position(t, text); again != p || again.String() != text {
			t.Fatalf("%s is read as %s", text, &again)
		}
		if len(text) > 150 {
			t.Fatalf("%s has %d bytes, more than 150", text, len(text))
		}
	})
}

func TestNoMoveIsListedTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPosition.Draw(t, "position")
		moves, texts := p.AppendMoves(nil), legal(&p)
		for i := range len(moves) - 1 {
			if moves[i] >= moves[i+1] || texts[i] >= texts[i+1] {
				t.Fatalf("%s: %s is listed before %s", &p, texts[i], texts[i+1])
			}
		}
	})
}

func TestAppendMovesKeepsWhatIsThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPosition.Draw(t, "position")
		before := rapid.SliceOfN(rapid.Map(rapid.Uint64(), func(n uint64) emergo.Move { return emergo.Move(n) }), 0, 3).Draw(t, "before")
		if got, want := p.AppendMoves(slices.Clone(before)), slices.Concat(before, p.AppendMoves(nil)); !slices.Equal(got, want) {
			t.Fatalf("%s: AppendMoves to %v gives %v, want %v", &p, before, got, want)
		}
	})
}

// symmetries are the eight ways to lay a board on itself, for n ranks.
var symmetries = []func(s oracleSquare, n int) oracleSquare{
	func(s oracleSquare, n int) oracleSquare { return oracleSquare{s.file, s.rank} },
	func(s oracleSquare, n int) oracleSquare { return oracleSquare{n + 1 - s.file, s.rank} },
	func(s oracleSquare, n int) oracleSquare { return oracleSquare{s.file, n + 1 - s.rank} },
	func(s oracleSquare, n int) oracleSquare { return oracleSquare{n + 1 - s.file, n + 1 - s.rank} },
	func(s oracleSquare, n int) oracleSquare { return oracleSquare{s.rank, s.file} },
	func(s oracleSquare, n int) oracleSquare { return oracleSquare{n + 1 - s.rank, s.file} },
	func(s oracleSquare, n int) oracleSquare { return oracleSquare{s.rank, n + 1 - s.file} },
	func(s oracleSquare, n int) oracleSquare { return oracleSquare{n + 1 - s.rank, n + 1 - s.file} },
}

// turned is a position with every piece moved to another square.
func turned(t failer, p *emergo.Position, symmetry func(oracleSquare, int) oracleSquare) emergo.Position {
	before, err := oracleParse(p.String())
	if err != nil {
		t.Fatalf("%s: %v", p, err)
	}
	after := before
	for _, s := range oracleSquares[before.size] {
		after.put(symmetry(s, before.size), before.at(s))
	}
	return position(t, after.String())
}

var squareName = regexp.MustCompile(`[a-i][1-9]`)

// turnedMoves names other squares in each move.
func turnedMoves(moves []string, ranks int, symmetry func(oracleSquare, int) oracleSquare) []string {
	var after []string
	for _, m := range moves {
		after = append(after, squareName.ReplaceAllStringFunc(m, func(name string) string {
			return symmetry(oracleReadSquare(name), ranks).String()
		}))
	}
	return after
}

// "There is no forward direction": the rules look the same from all sides of the board.
func TestBoardIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPosition.Draw(t, "position")
		moves := legal(&p)
		for _, symmetry := range symmetries {
			q := turned(t, &p, symmetry)
			turnedLegal := turnedMoves(moves, p.Board().Ranks(), symmetry)
			if got, want := legal(&q), sorted(turnedLegal); !slices.Equal(got, want) {
				t.Fatalf("legal moves of %s\n got %v\nwant %v\nas in %s", &q, got, want, &p)
			}
			for i, m := range moves {
				want := play(t, &p, m)
				if got := play(t, &q, turnedLegal[i]); got != turned(t, &want, symmetry) {
					t.Fatalf("%s: %s leads to %s, but in %s %s to %s", &q, turnedLegal[i], &got, &p, m, &want)
				}
			}
		}
	})
}

func sorted(moves []string) []string { return slices.Sorted(slices.Values(moves)) }

func play(t failer, p *emergo.Position, text string) emergo.Position {
	m, err := p.ParseMove(text)
	if err != nil {
		t.Fatalf("%s: %s: %v", p, text, err)
	}
	return p.Play(m)
}

// recolored is a position with all men and the move changing sides.
func recolored(t failer, p *emergo.Position) emergo.Position {
	f := strings.Fields(p.String())
	rows := strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		}
		return r
	}, f[0])
	side := map[string]string{"w": "b", "b": "w"}[f[1]]
	white, black, _ := strings.Cut(f[3], ",")
	return position(t, strings.Join([]string{rows, side, f[2], black + "," + white}, " "))
}

// The two sides play by the same rules, but for White's very first entry.
func TestColorsAreAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPosition.Draw(t, "position")
		q := recolored(t, &p)
		common := func(moves []string) []string {
			if men(&p, p.Turn()) == p.InHand(p.Turn()) { // its very first entry
				return slices.DeleteFunc(moves, func(m string) bool { return strings.HasPrefix(m, p.Board().Centre().String()) })
			}
			return moves
		}
		moves := common(legal(&p))
		if got := common(legal(&q)); !slices.Equal(got, moves) {
			t.Fatalf("legal moves of %s\n got %v\nwant %v\nas in %s", &q, got, moves, &p)
		}
		for _, m := range moves {
			want := play(t, &p, m)
			if got := play(t, &q, m); got != recolored(t, &want) {
				t.Fatalf("%s leads to %s in %s, but to %s in %s", m, &got, &q, &want, &p)
			}
		}
	})
}

// anyGame draws a game some plies after a drawn position.
var anyGame = rapid.Custom(func(t *rapid.T) *emergo.Game {
	g := emergo.NewGame(anyPosition.Draw(t, "start"), emergo.Rules{
		BlockedLoses:    rapid.Bool().Draw(t, "blocked loses"),
		NoProgressLimit: rapid.IntRange(0, 30).Draw(t, "no-progress limit"),
	})
	for range rapid.IntRange(0, 40).Draw(t, "plies") {
		moves := g.AppendMoves(nil)
		if len(moves) == 0 {
			break
		}
		g.Play(rapid.SampledFrom(moves).Draw(t, "move"))
	}
	return g
})

// gameFacts are all that a Game tells of itself.
type gameFacts struct {
	position, anchor emergo.Position
	moves            string
	occurrences      int
	outcome          emergo.Outcome
	legal            string
}

func factsOf(g *emergo.Game) gameFacts {
	return gameFacts{*g.Position(), *g.Anchor(), strings.Join(canonical(g.Moves()), " "), g.Occurrences(), g.Outcome(),
		strings.Join(canonical(g.AppendMoves(nil)), " ")}
}

func TestRefusedMoveLeavesTheGameUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGame.Draw(t, "game")
		before := factsOf(g)
		refused := 0
		for refused < 20 {
			text := rapid.StringMatching(`[a-i][1-9]([-x][a-i][1-9]){0,3}`).Draw(t, "move")
			if _, err := g.Position().ParseMove(text); err == nil && !g.Outcome().Over() {
				continue
			}
			if m, err := g.PlayText(text); err == nil || m != 0 {
				t.Fatalf("%s: PlayText(%q) = %v, %v, want it refused", g.Position(), text, m, err)
			}
			refused++
			if after := factsOf(g); after != before {
				t.Fatalf("refusing %q changed the game from %+v to %+v", text, before, after)
			}
		}
	})
}

// A finished game has no legal move.
func TestOnlyGoingGamesHaveMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGame.Draw(t, "game")
		moves := g.AppendMoves(nil)
		if g.Outcome().Over() == (len(moves) > 0) {
			t.Fatalf("%s: outcome %v, legal moves %v", g.Position(), g.Outcome(), moves)
		}
	})
}
