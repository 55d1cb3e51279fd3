package endgame

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// Environment variables for longer tests.
const (
	samplesVariable = "EMERGO_ENDGAME_SAMPLES" // positions of each table to compare with their moves
	fileVariable    = "EMERGO_ENDGAME_FILE"    // a file of tables to test too
)

func samples(t *testing.T) int {
	text := os.Getenv(samplesVariable)
	if text == "" {
		return fewerIfShort(20_000)
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", samplesVariable, err)
	}
	return n
}

// fewerIfShort returns n, or a twentieth of it if tests are to be short.
func fewerIfShort(n int) int {
	if testing.Short() {
		return n / 20
	}
	return n
}

// smallBoard builds the tables of 7x7: of two and three pieces, or of two if tests are to be short.
var smallBoard = sync.OnceValues(func() ([]*Table, error) {
	pieces := 3
	if testing.Short() {
		pieces = 2
	}
	return Build(context.Background(), emergo.Board7x7, pieces, func(Progress) {})
})

// withDistances returns tables that know distances of three pieces: those of 7x7, which are built,
// and what is in the file that the environment names.
func withDistances(t *testing.T) *Tables {
	t.Helper()
	built, err := smallBoard()
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	if file := os.Getenv(fileVariable); file != "" {
		files = []string{file}
	}
	tables, err := Open(files...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tables.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, table := range built {
		tables.add(table)
	}
	return tables
}

// Together with what the moves are, this is the proof: every win comes nearer to the end by a move,
// every loss by all moves, and no draw is left by the side that would lose.
func TestValuesFollowFromTheMoves(t *testing.T) {
	tables := withDistances(t)
	for _, table := range tables.all() {
		t.Run(table.String(), func(t *testing.T) {
			most := samples(t)
			if table.Pieces() == FewestPieces {
				most = int(table.index.size)
			}
			sample(table.index, most, func(i uint32, p *emergo.Position) {
				if err := tables.check(p); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// What holds for a position holds for its images: the tables are asked for them as the engine has
// them, and so are the positions that their moves lead to.
func TestImagesShareAValue(t *testing.T) {
	tables := withDistances(t)
	for _, table := range tables.all() {
		t.Run(table.String(), func(t *testing.T) {
			most := samples(t) / 8
			if table.Pieces() == FewestPieces {
				most = fewerIfShort(int(table.index.size))
			}
			sample(table.index, most, func(i uint32, p *emergo.Position) {
				value, _ := tables.Probe(p)
				_, plies, known := tables.ProbeDistance(p)
				for symmetry := range 8 {
					q := image(t, p, symmetry, symmetry%3 == 1)
					if err := tables.check(&q); err != nil {
						t.Fatal(err)
					}
					v, ok := tables.Probe(&q)
					_, n, ok2 := tables.ProbeDistance(&q)
					if v != value || !ok || n != plies || ok2 != known {
						t.Fatalf("%v is a %v in %d, its image %v a %v in %d (%v, %v)", p, value, plies, &q, v, n, ok, ok2)
					}
				}
			})
		})
	}
}

func TestPlayLastsAsLongAsTheDistance(t *testing.T) {
	tables := withDistances(t)
	for _, table := range tables.all() {
		if tables.boards[table.Board()].distances[table.Pieces()] == nil {
			continue
		}
		t.Run(table.String(), func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			sample(table.index, fewerIfShort(2000), func(i uint32, p *emergo.Position) {
				if value, plies, _ := tables.ProbeDistance(p); value != Draw {
					playOut(t, tables, *p, plies, random)
				}
			})
		})
	}
}

// playOut plays the shortest win against the longest defence, of equal moves any.
func playOut(t *testing.T, tables *Tables, start emergo.Position, plies int, random *rand.Rand) {
	p := start
	for left := plies; ; left-- {
		if p.Outcome(emergo.Rules{}).End == emergo.NoPieces {
			if left != 0 {
				t.Fatalf("%v ends %d plies too early", &start, left)
			}
			return
		}
		if left == 0 {
			t.Fatalf("%v has not ended after %d plies", &start, plies)
		}
		value, _, _ := tables.ProbeDistance(&p)
		best, chosen, equals := -1, p, 0
		for _, m := range p.AppendMoves(nil) {
			next := p.Play(m)
			v, n, ok := tables.ProbeDistance(&next)
			if !ok {
				t.Fatalf("%v is not found", &next)
			}
			if v != -value {
				continue
			}
			better := best < 0 || value == Win && n < best || value == Loss && n > best
			switch {
			case better:
				best, chosen, equals = n, next, 1
			case n == best:
				if equals++; random.IntN(equals) == 0 {
					chosen = next
				}
			}
		}
		p = chosen
	}
}

// wins reports whether the side to move can make the other side lose within so many plies.
func wins(p *emergo.Position, plies int) bool {
	if plies == 0 {
		return false
	}
	for _, m := range p.AppendMoves(nil) {
		if next := p.Play(m); loses(&next, plies-1) {
			return true
		}
	}
	return false
}

// loses reports whether the side to move loses within so many plies whatever it does.
func loses(p *emergo.Position, plies int) bool {
	if p.Outcome(emergo.Rules{}).End == emergo.NoPieces {
		return true
	}
	moves := p.AppendMoves(nil)
	if plies == 0 || len(moves) == 0 {
		return false
	}
	for _, m := range moves {
		if next := p.Play(m); !wins(&next, plies-1) {
			return false
		}
	}
	return true
}

// A plain search of all moves, which knows nothing of tables, finds each end that is near, and no
// nearer one.
func TestPlainSearchFindsTheSameEnds(t *testing.T) {
	const far = 6
	tables := withDistances(t)
	for _, table := range tables.all() {
		if tables.boards[table.Board()].distances[table.Pieces()] == nil {
			continue
		}
		t.Run(table.String(), func(t *testing.T) {
			near, tried := 0, fewerIfShort(8000)
			sample(table.index, tried, func(i uint32, p *emergo.Position) {
				value, plies, _ := tables.ProbeDistance(p)
				if value == Draw || plies > far {
					if wins(p, far-1) || loses(p, far) {
						t.Fatalf("%v is said to be a %v in %d, but a search sees an end within %d plies", p, value, plies, far)
					}
					return
				}
				near++
				search := wins
				if value == Loss {
					search = loses
				}
				if !search(p, plies) || plies > 1 && search(p, plies-2) {
					t.Fatalf("%v is said to be a %v in %d, but a search sees something else", p, value, plies)
				}
			})
			if near < tried/80 {
				t.Errorf("only %d ends were near of %d", near, tried)
			}
		})
	}
}
