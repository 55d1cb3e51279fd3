package emergo_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

var update = flag.Bool("update", false, "write the golden games anew")

// A goldenGame is a complete game in testdata/games, with every position as the oracle has played it. The oracle finds
// most of them among random games. For a rare ending the file's own moves are kept, and only played anew.
type goldenGame struct {
	name            string
	shows           string
	start           string
	blockedLoses    bool
	noProgressLimit int
	result, end     string

	plan plan                   // of the random games; nil keeps the moves of the file
	seed uint64                 // of the first of them
	also func(*oracleGame) bool // what else the game must be, if anything
}

var goldenGames = []goldenGame{
	{
		name: "no-pieces-9x9", start: start9x9, result: "1-0", end: "no pieces", plan: anyMove, seed: 488,
		shows: "White takes all.",
	},
	{
		name: "no-pieces-7x7", start: start7x7, result: "0-1", end: "no pieces", plan: anyMove, seed: 25, also: longerThan(60),
		shows: "Black takes all.",
	},
	{
		name: "no-pieces-winner-holds-men-9x9", start: start9x9, result: "1-0", end: "no pieces", plan: blackGivesAway, seed: 5006,
		also: opponentHoldsMen, shows: "White takes all, and still holds men.",
	},
	{
		name: "no-pieces-winner-holds-men-7x7", start: start7x7, result: "1-0", end: "no pieces", plan: blackGivesAway, seed: 1760,
		also: opponentHoldsMen, shows: "White takes all, and still holds men.",
	},
	{
		name: "blocked-no-entry-draw-9x9", start: start9x9, result: "1/2", end: "blocked",
		also: moverHoldsMen, shows: "Wherever Black's last man would be entered, it would feed.",
	},
	{
		name: "blocked-no-entry-loss-7x7", start: start7x7, blockedLoses: true, result: "1-0", end: "blocked",
		also: moverHoldsMen, shows: "Wherever Black's last man would be entered, it would feed.",
	},
	{
		name: "blocked-shut-in-draw-9x9", start: start9x9, result: "1/2", end: "blocked", plan: anyMove, seed: 753,
		also: moverHoldsNone, shows: "The last pieces are shut in.",
	},
	{
		name: "blocked-shut-in-loss-7x7", start: start7x7, blockedLoses: true, result: "1-0", end: "blocked", plan: anyMove, seed: 7741,
		also: moverHoldsNone, shows: "The last pieces are shut in.",
	},
	{
		name: "blocked-opponent-holds-men-9x9", start: start9x9, result: "1/2", end: "blocked", plan: blackGivesAway, seed: 1164,
		also:  func(g *oracleGame) bool { return moverHoldsNone(g) && opponentHoldsMen(g) },
		shows: "The last pieces are shut in while the opponent still holds men.",
	},
	{
		name: "repetition-by-steps-9x9", start: start9x9, result: "1/2", end: "repetition", plan: backAndForth, seed: 442,
		also: func(g *oracleGame) bool { return !repeatsByCaptures(g) }, shows: "A position occurs for the third time, by steps alone.",
	},
	{
		name: "repetition-by-captures-7x7", start: start7x7, result: "1/2", end: "repetition",
		also: repeatsByCaptures, shows: "A position occurs for the third time, each time after captures.",
	},
	{
		name: "no-progress-9x9", start: start9x9, noProgressLimit: 12, result: "1/2", end: "no progress", plan: anyMove, seed: 2716,
		also: longerThan(60), shows: "The limit of twelve plies is reached.",
	},
	{
		name: "no-progress-with-captures-7x7", start: start7x7, noProgressLimit: 10, result: "1/2", end: "no progress", plan: anyMove, seed: 487,
		also: capturesAtTheEnd, shows: "The limit of ten plies is reached though there are captures among them.",
	},
}

func TestGoldenGames(t *testing.T) {
	files, err := filepath.Glob("testdata/games/*.txt")
	if err != nil || len(files) != len(goldenGames) && !*update {
		t.Errorf("%d files in testdata/games, want %d (%v)", len(files), len(goldenGames), err)
	}
	for _, c := range goldenGames {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join("testdata", "games", c.name+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(c.text(t, c.find(t, file))), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			text, plies := readGame(t, file)
			if text != c.text(t, movesOf(plies)) {
				t.Errorf("%s is not what the oracle makes of its moves", file)
			}
			c.replay(t, plies)
		})
	}
}

// replay plays the game of a file and compares each of its lines.
func (c goldenGame) replay(t *testing.T, plies []string) {
	g := emergo.NewGame(position(t, c.start), emergo.Rules{BlockedLoses: c.blockedLoses, NoProgressLimit: c.noProgressLimit})
	for i, text := range movesOf(plies) {
		if g.Outcome().Over() {
			t.Fatalf("before ply %d the game is over: %v", i+1, g.Outcome())
		}
		m, err := g.PlayText(text)
		if err != nil {
			t.Fatalf("ply %d: %s: %v", i+1, text, err)
		}
		if got := plyLine(g.Occurrences(), m.String(), g.Position().String()); got != plies[i] {
			t.Fatalf("ply %d\n got %s\nwant %s", i+1, got, plies[i])
		}
	}
	if result, end := words(g.Outcome()); result != c.result || end != c.end {
		t.Errorf("the game ends %s, %s, want %s, %s", result, end, c.result, c.end)
	}
}

// readGame reads a file and its lines below the header.
func readGame(t *testing.T, file string) (text string, plies []string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(data), "\n\n")
	return string(data), strings.Split(strings.TrimSpace(body), "\n")
}

// plyLine is one line: how often the position after the move has occurred, the move, the position.
func plyLine(occurrences int, move, position string) string {
	return strconv.Itoa(occurrences) + " " + move + " " + position
}

func movesOf(plies []string) (moves []string) {
	for _, line := range plies {
		moves = append(moves, strings.Fields(line)[1])
	}
	return moves
}

// text is the file that the oracle makes of the moves.
func (c goldenGame) text(t *testing.T, moves []string) string {
	t.Helper()
	blocked := "draw"
	if c.blockedLoses {
		blocked = "loss"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\nstart: %s\nblocked: %s\nno-progress limit: %d\nend: %s %s\n\n",
		c.shows, c.start, blocked, c.noProgressLimit, c.result, c.end)
	g := c.newGame(t)
	for _, move := range moves {
		if result, _ := g.outcome(); result != "*" || !slices.Contains(g.position().legal(), move) {
			t.Fatalf("%s is not legal in %s", move, g.position())
		}
		g.play(move)
		b.WriteString(plyLine(g.occurrences(), move, g.position().String()) + "\n")
	}
	if !c.isShown(g) {
		result, end := g.outcome()
		t.Fatalf("the game ends %s, %s, and is not what it should be", result, end)
	}
	return b.String()
}

func (c goldenGame) newGame(t *testing.T) *oracleGame {
	start, err := oracleParse(c.start)
	if err != nil {
		t.Fatal(err)
	}
	g := oracleNewGame(start)
	g.blockedLoses, g.noProgressLimit = c.blockedLoses, c.noProgressLimit
	return g
}

// isShown tells whether the game ends as it should, and is what else it must be.
func (c goldenGame) isShown(g *oracleGame) bool {
	result, end := g.outcome()
	return result == c.result && end == c.end && (c.also == nil || c.also(g))
}

// find returns the file's own moves or, of the random games that begin with seed, those of the first that is what it
// should be.
func (c goldenGame) find(t *testing.T, file string) []string {
	if c.plan == nil {
		_, plies := readGame(t, file)
		return movesOf(plies)
	}
	for seed := c.seed; ; seed++ {
		g, moves := c.random(t, seed)
		if c.isShown(g) {
			return moves
		}
	}
}

// random plays a random game, but no longer than 600 plies.
func (c goldenGame) random(t *testing.T, seed uint64) (*oracleGame, []string) {
	r := rand.New(rand.NewPCG(seed, 0))
	g := c.newGame(t)
	var moves []string
	for len(moves) < 600 {
		if result, _ := g.outcome(); result != "*" {
			break
		}
		move := c.plan.choose(r, g)
		g.play(move)
		moves = append(moves, move)
	}
	return g, moves
}

// A plan scores a legal move; the higher, the rather it is played.
type plan func(g *oracleGame, move string, after oraclePosition) int

func anyMove(*oracleGame, string, oraclePosition) int { return 0 }

// blackGivesAway lets White capture as much as it can.
func blackGivesAway(g *oracleGame, move string, after oraclePosition) int {
	if g.position().side == oracleBlack {
		if after.canCapture(oracleWhite) {
			return after.majority()
		}
		return 0
	}
	return strings.Count(move, "x")
}

// backAndForth likes positions that have been.
func backAndForth(g *oracleGame, _ string, after oraclePosition) int {
	return len(g.seen(after))
}

// seen lists the plies at which a position has been.
func (g *oracleGame) seen(p oraclePosition) []int {
	var plies []int
	for i, earlier := range g.history {
		if earlier.same(p) {
			plies = append(plies, i)
		}
	}
	return plies
}

func moverHoldsMen(g *oracleGame) bool { p := g.position(); return p.inHand(p.side) > 0 }

func moverHoldsNone(g *oracleGame) bool { return !moverHoldsMen(g) }

func opponentHoldsMen(g *oracleGame) bool {
	p := g.position()
	return p.inHand(oracleOpponent(p.side)) > 0
}

func longerThan(plies int) func(*oracleGame) bool {
	return func(g *oracleGame) bool { return len(g.history) > plies }
}

// menTaken tells whether men were taken since a ply.
func menTaken(g *oracleGame, since int) bool {
	for i := since + 1; i < len(g.history); i++ {
		if g.history[i-1].canCapture(g.history[i-1].side) {
			return true
		}
	}
	return false
}

func repeatsByCaptures(g *oracleGame) bool {
	plies := g.seen(g.position())
	return menTaken(g, plies[0]) && menTaken(g, plies[1])
}

func capturesAtTheEnd(g *oracleGame) bool { return menTaken(g, len(g.history)-1-g.noProgressLimit) }

// choose picks one of six legal moves that the plan likes best.
func (like plan) choose(r *rand.Rand, g *oracleGame) string {
	p := g.position()
	legal := p.legal()
	best, most := "", -1
	for range 6 {
		move := legal[r.IntN(len(legal))]
		if score := like(g, move, p.play(move)); score > most {
			best, most = move, score
		}
	}
	return best
}
