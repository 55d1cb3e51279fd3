package emergo_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// TestAgreement compares the engine with the oracle, one half in the positions of random games and one half in
// arbitrary ones. EMERGO_AGREEMENT_POSITIONS asks for another number of positions, EMERGO_AGREEMENT_SEED for others.
func TestAgreement(t *testing.T) {
	positions := 250_000
	if testing.Short() {
		positions = 25_000
	}
	positions = numberFromEnv(t, "EMERGO_AGREEMENT_POSITIONS", positions)
	seed := numberFromEnv(t, "EMERGO_AGREEMENT_SEED", 1986)

	const shards = 8 // of each half, so that all processors have work
	share := (positions + 2*shards - 1) / (2 * shards)
	var mu sync.Mutex
	total := tally{}
	t.Run("in", func(t *testing.T) {
		for half, compare := range map[string]func(*comparison, int) error{
			"random games":        (*comparison).games,
			"arbitrary positions": (*comparison).arbitrary,
		} {
			for shard := range shards {
				t.Run(fmt.Sprintf("%s/%d", half, shard), func(t *testing.T) {
					t.Parallel()
					c := comparison{random: rand.New(rand.NewPCG(uint64(seed), uint64(shard))), tally: tally{}}
					if err := compare(&c, share); err != nil {
						t.Errorf("EMERGO_AGREEMENT_SEED=%d: %v", seed, err)
					}
					mu.Lock()
					defer mu.Unlock()
					total.add(c.tally)
				})
			}
		}
	})

	t.Logf("compared:%v", total)
	if total["positions"] < positions {
		t.Errorf("compared %d positions, want %d", total["positions"], positions)
	}
	for _, kind := range kinds {
		if total[kind] == 0 {
			t.Errorf("no %s among them", kind)
		}
	}
}

func numberFromEnv(t *testing.T, name string, otherwise int) int {
	text, ok := os.LookupEnv(name)
	if !ok {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// A tally counts what was compared.
type tally map[string]int

// kinds are all that a tally counts: what is compared must have some of each.
var kinds = []string{
	"positions", "on 9x9", "on 7x7", "with captures", "with captures of several men", "with entries",
	"with a shadowpiece", "with steps", "lost", "blocked", "moves played",
	"games", "plies in games", "second occurrences", "repetitions", "draws by no progress", "games replayed from their anchor",
}

func (t tally) add(u tally) {
	for kind, n := range u {
		t[kind] += n
	}
}

func (t tally) String() string {
	var b strings.Builder
	for _, kind := range kinds {
		fmt.Fprintf(&b, "\n%8d %s", t[kind], kind)
	}
	return b.String()
}

// A comparison is one random walk through positions that both implementations judge.
type comparison struct {
	random *rand.Rand
	tally  tally
}

// arbitrary compares a number of positions that need not ever occur in a game.
func (c *comparison) arbitrary(share int) error {
	for range share {
		oracle := oracleRandomPosition(c.random, 9-2*c.random.IntN(2))
		p, err := emergo.ParsePosition(oracle.String())
		if err != nil {
			return fmt.Errorf("position %q: %w", oracle, err)
		}
		if err := c.position(&p, oracle); err != nil {
			return fmt.Errorf("position %q: %w", oracle, err)
		}
	}
	return nil
}

// games compares all positions of random games, as many as it takes.
func (c *comparison) games(share int) error {
	for c.tally["positions"] < share {
		if err := c.game(); err != nil {
			return err
		}
		c.tally["games"]++
	}
	return nil
}

// game plays one random game from the empty board. Every other one is lengthened: whoever is to move prefers to leave
// no capture, and likes to go back where it came from.
func (c *comparison) game() error {
	ranks := 9 - 2*c.random.IntN(2)
	long := c.random.IntN(2) == 0
	rules := emergo.Rules{BlockedLoses: c.random.IntN(2) == 0}
	if c.random.IntN(3) == 0 {
		rules.NoProgressLimit = 1 + c.random.IntN(40)
	}
	start := emergo.StartPosition(boards[ranks])
	g := emergo.NewGame(start, rules)
	oracle := oracleNewGame(oraclePosition{
		size: ranks, side: oracleWhite, whiteHand: oracleMenOfSize[ranks], blackHand: oracleMenOfSize[ranks],
	})
	oracle.blockedLoses, oracle.noProgressLimit = rules.BlockedLoses, rules.NoProgressLimit

	var played []string
	for {
		if err := c.ply(g, oracle); err != nil {
			return fmt.Errorf("position %q, in the game from %q under %+v after %q: %w",
				oracle.position(), start.String(), rules, strings.Join(played, " "), err)
		}
		if g.Outcome().Over() {
			return nil
		}
		move := c.choose(oracle, played, long)
		if _, err := g.PlayText(move); err != nil {
			return fmt.Errorf("position %q: %s: %w", oracle.position(), move, err)
		}
		oracle.play(move)
		played = append(played, move)
	}
}

// choose picks a legal move.
func (c *comparison) choose(g *oracleGame, played []string, long bool) string {
	p := g.position()
	moves := p.legal()
	move := moves[c.random.IntN(len(moves))]
	if !long {
		return move
	}
	if len(played) >= 2 && c.random.IntN(3) == 0 {
		from, to, _ := strings.Cut(played[len(played)-2], "-")
		if back := to + "-" + from; slices.Contains(moves, back) {
			return back
		}
	}
	for range 3 {
		if !p.play(move).canCapture(oracleOpponent(p.side)) {
			break
		}
		move = moves[c.random.IntN(len(moves))]
	}
	return move
}

// ply compares one position of a game and the game up to it.
func (c *comparison) ply(g *emergo.Game, oracle *oracleGame) error {
	if err := c.position(g.Position(), oracle.position()); err != nil {
		return err
	}
	if got, want := g.Occurrences(), oracle.occurrences(); got != want {
		return fmt.Errorf("%d occurrences, want %d", got, want)
	}
	wantResult, wantEnd := oracle.outcome()
	if result, end := words(g.Outcome()); result != wantResult || end != wantEnd {
		return fmt.Errorf("the game's outcome is %q %q, want %q %q", result, end, wantResult, wantEnd)
	}
	if got, want := g.CaptureObligatory(), wantEnd == "" && oracle.position().canCapture(oracle.position().side); got != want {
		return fmt.Errorf("capture obligatory: %v, want %v", got, want)
	}
	if got, want := len(g.Moves()), oracle.pliesWithoutProgress(); got != want {
		return fmt.Errorf("%d moves since the anchor, want %d", got, want)
	}
	c.count("plies in games", true)
	c.count("second occurrences", g.Occurrences() == 2)
	c.count("repetitions", wantEnd == "repetition")
	c.count("draws by no progress", wantEnd == "no progress")
	if g.Outcome().Over() || c.random.IntN(32) == 0 {
		c.count("games replayed from their anchor", true)
		return sameFromAnchor(g)
	}
	return nil
}

// sameFromAnchor compares the game with the one that its Anchor and Moves make: they are all of its history that matters.
func sameFromAnchor(g *emergo.Game) error {
	again := emergo.NewGame(*g.Anchor(), g.Rules())
	for _, m := range g.Moves() {
		if _, err := again.PlayText(m.String()); err != nil {
			return fmt.Errorf("replayed from %q: %s: %w", g.Anchor(), m, err)
		}
	}
	if *again.Position() != *g.Position() || *again.Anchor() != *g.Anchor() || !slices.Equal(again.Moves(), g.Moves()) ||
		again.Occurrences() != g.Occurrences() || again.Outcome() != g.Outcome() {
		return fmt.Errorf("replayed from %q with %q it is another game: %d occurrences, outcome %v; want %d, %v", g.Anchor(),
			strings.Join(canonical(g.Moves()), " "), again.Occurrences(), again.Outcome(), g.Occurrences(), g.Outcome())
	}
	return nil
}

// position compares all that one position says, and what comes of some of its moves.
func (c *comparison) position(p *emergo.Position, oracle oraclePosition) error {
	if got, want := p.String(), oracle.String(); got != want {
		return fmt.Errorf("the position is written %q", got)
	}
	moves, want := p.AppendMoves(nil), oracle.legal()
	if got := canonical(moves); !slices.Equal(got, want) {
		return fmt.Errorf("legal moves\n got %v\nwant %v", got, want)
	}
	if got := p.CountMoves(); got != len(want) {
		return fmt.Errorf("CountMoves() = %d, want %d", got, len(want))
	}
	if got := p.HasMoves(); got != (len(want) > 0) {
		return fmt.Errorf("HasMoves() = %v with %d legal moves", got, len(want))
	}
	for color, word := range oracleColors {
		color := emergo.Color(color)
		if got, want := p.CanCapture(color), oracle.canCapture(word); got != want {
			return fmt.Errorf("CanCapture(%v) = %v, want %v", color, got, want)
		}
		toMove := oracle
		toMove.side = word
		if c.random.IntN(8) > 0 {
			continue // what follows takes long
		}
		if got, want := p.CountMovesOf(color), len(toMove.legal()); got != want {
			return fmt.Errorf("CountMovesOf(%v) = %d, want %d", color, got, want)
		}
	}
	if got, want := p.PieceCount(emergo.White)+p.PieceCount(emergo.Black), oracle.pieceCount(); got != want {
		return fmt.Errorf("%d pieces, want %d", got, want)
	}
	for _, blockedLoses := range []bool{false, true} {
		result := "*"
		if len(want) == 0 {
			result = oracle.result(blockedLoses)
		}
		if got, _ := words(p.Outcome(emergo.Rules{BlockedLoses: blockedLoses})); got != result {
			return fmt.Errorf("outcome (blocked loses: %v) is %s, want %s", blockedLoses, got, result)
		}
	}
	c.countPosition(p, moves)
	return c.someMoves(p, oracle, moves)
}

// someMoves compares the positions that three of the moves lead to.
func (c *comparison) someMoves(p *emergo.Position, oracle oraclePosition, moves []emergo.Move) error {
	for range min(3, len(moves)) {
		m := moves[c.random.IntN(len(moves))]
		after := p.Play(m)
		if got, want := after.String(), oracle.play(m.String()).String(); got != want {
			return fmt.Errorf("after %s\n got %s\nwant %s", m, got, want)
		}
		again, err := emergo.ParsePosition(after.String())
		if err != nil || again != after {
			return fmt.Errorf("after %s it is not the position that %q is read as (%v)", m, after.String(), err)
		}
		c.count("moves played", true)
	}
	return nil
}

func (c *comparison) count(kind string, is bool) {
	if is {
		c.tally[kind]++
	}
}

func (c *comparison) countPosition(p *emergo.Position, moves []emergo.Move) {
	kind, men := emergo.MoveKind(0), 0
	if len(moves) > 0 {
		kind, men = moves[0].Kind(), moves[0].Men()
	}
	c.count("positions", true)
	c.count("on 9x9", p.Board() == emergo.Board9x9)
	c.count("on 7x7", p.Board() == emergo.Board7x7)
	c.count("with captures", kind == emergo.Capture)
	c.count("with captures of several men", kind == emergo.Capture && men > 1)
	c.count("with entries", kind == emergo.Entry)
	c.count("with a shadowpiece", kind == emergo.Entry && men > 1)
	c.count("with steps", kind == emergo.Step)
	c.count("lost", p.Outcome(emergo.Rules{}).End == emergo.NoPieces)
	c.count("blocked", p.Outcome(emergo.Rules{}).End == emergo.Blocked)
}
