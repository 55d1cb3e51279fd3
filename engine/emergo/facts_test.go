package emergo_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// readFacts reads a file of testdata that holds one JSON object a line. A field that T lacks is an error, so no fact
// is left untested unseen.
func readFacts[T any](tb testing.TB, name string) []T {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var facts []T
	for {
		var fact T
		err := decoder.Decode(&fact)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			tb.Fatalf("%s: object %d: %v", name, len(facts)+1, err)
		}
		facts = append(facts, fact)
	}
	if len(facts) == 0 {
		tb.Fatalf("%s holds no facts", name)
	}
	return facts
}

// caseFact is a line of cases.jsonl.
type caseFact struct {
	Fen                 string            `json:"fen"`
	Legal               []string          `json:"legal"` // a shadowpiece entry without its number
	After               map[string]string `json:"after"`
	Outcome             string            `json:"outcome"`
	OutcomeBlockedLoses string            `json:"outcomeBlockedLoses"`
	Tags                []string          `json:"tags"`
	Note                string            `json:"note"`

	// Of positions in which men can be entered.
	Men                int      `json:"men"`
	Banned             []string `json:"banned"`
	OpponentCanCapture *bool    `json:"opponentCanCapture"`
}

func TestCases(t *testing.T) {
	for _, c := range readFacts[caseFact](t, "cases.jsonl") {
		t.Run(c.Note, func(t *testing.T) {
			p := position(t, c.Fen)
			if got := p.String(); got != c.Fen {
				t.Errorf("written %q, read %q", got, c.Fen)
			}
			moves := p.AppendMoves(nil)
			if got := withoutNumbers(canonical(moves)); !slices.Equal(got, c.Legal) {
				t.Errorf("legal moves\n got %v\nwant %v", got, c.Legal)
			}
			if got := p.CountMoves(); got != len(c.Legal) {
				t.Errorf("CountMoves() = %d, want %d", got, len(c.Legal))
			}
			for text, want := range c.After {
				checkAfter(t, &p, text, want)
			}
			checkOutcome(t, &p, emergo.Rules{}, c.Outcome)
			checkOutcome(t, &p, emergo.Rules{BlockedLoses: true}, c.OutcomeBlockedLoses)
			if c.OpponentCanCapture != nil {
				checkEntering(t, &p, moves, c)
			}
		})
	}
}

// withoutNumbers cuts the *n off shadowpiece entries.
func withoutNumbers(moves []string) []string {
	for i, m := range moves {
		moves[i], _, _ = strings.Cut(m, "*")
	}
	return moves
}

func checkAfter(t *testing.T, p *emergo.Position, text, want string) {
	t.Helper()
	m, err := p.ParseMove(text)
	if err != nil {
		t.Errorf("ParseMove(%q): %v", text, err)
		return
	}
	after := p.Play(m)
	if got := after.String(); got != want {
		t.Errorf("after %s\n got %s\nwant %s", text, got, want)
	}
}

func checkOutcome(t *testing.T, p *emergo.Position, r emergo.Rules, want string) {
	t.Helper()
	if got, _ := words(p.Outcome(r)); got != want {
		t.Errorf("outcome under %+v is %s, want %s", r, got, want)
	}
}

// checkEntering checks how many men are entered, and that a banned square is refused for the right reason.
func checkEntering(t *testing.T, p *emergo.Position, moves []emergo.Move, c caseFact) {
	t.Helper()
	for _, m := range moves {
		if m.Kind() != emergo.Entry || m.Men() != c.Men {
			t.Errorf("%s is a move of kind %d with %d men, want an entry of %d", m, m.Kind(), m.Men(), c.Men)
		}
	}
	if got := p.CanCapture(p.Turn().Other()); got != *c.OpponentCanCapture {
		t.Errorf("the opponent can capture: %v, want %v", got, *c.OpponentCanCapture)
	}
	for _, banned := range c.Banned {
		want := emergo.EntryFeeds
		if p.Board().Centre().String() == banned && p.Ply() == 0 {
			want = emergo.EntryOnCentre
		}
		_, err := p.ParseMove(banned)
		if refusal, ok := errors.AsType[*emergo.Refusal](err); !ok || refusal.Reason != want {
			t.Errorf("entry on %s: %v, want %v", banned, err, want)
		}
	}
}

// perftFact is a line of perft.jsonl.
type perftFact struct {
	Fen   string   `json:"fen"`
	Perft []uint64 `json:"perft"`
	Note  string   `json:"note"`
}

func TestPerft(t *testing.T) {
	bulk, played := uint64(100_000_000), uint64(5_000_000) // the most nodes counted
	if testing.Short() {
		bulk, played = 200_000, 200_000
	}
	for _, c := range readFacts[perftFact](t, "perft.jsonl") {
		t.Run(c.Note, func(t *testing.T) {
			p := position(t, c.Fen)
			for i, want := range c.Perft {
				depth := i + 1
				if want <= bulk {
					if got := emergo.Perft(&p, depth); got != want {
						t.Errorf("Perft(%d) = %d, want %d", depth, got, want)
					}
				}
				if want <= played {
					if got := emergo.PerftPlayed(&p, depth); got != want {
						t.Errorf("PerftPlayed(%d) = %d, want %d", depth, got, want)
					}
				}
			}
		})
	}
}

// worstFact is a line of worst.jsonl.
type worstFact struct {
	Fen   string   `json:"fen"`
	Legal []string `json:"legal"`
	Note  string   `json:"note"`
}

func TestWorstCaptures(t *testing.T) {
	for _, c := range readFacts[worstFact](t, "worst.jsonl") {
		t.Run(c.Note, func(t *testing.T) {
			p := position(t, c.Fen)
			if got := legal(&p); !slices.Equal(got, c.Legal) {
				t.Errorf("legal moves\n got %v\nwant %v", got, c.Legal)
			}
			if got := p.CountMoves(); got != len(c.Legal) {
				t.Errorf("CountMoves() = %d, want %d", got, len(c.Legal))
			}
		})
	}
}

// cycleFact is a line of cycles.jsonl.
type cycleFact struct {
	Fen      string   `json:"fen"`
	Moves    []string `json:"moves"` // one round
	Captures int      `json:"captures"`
	Note     string   `json:"note"`
}

// Captures can be undone: two rounds bring the third occurrence, and the game holds all of them, as none of the moves
// is irreversible.
func TestRepetitionThroughCaptures(t *testing.T) {
	for _, c := range readFacts[cycleFact](t, "cycles.jsonl") {
		t.Run(c.Note, func(t *testing.T) {
			start := position(t, c.Fen)
			g := emergo.NewGame(start, emergo.Rules{})
			captures, last := 0, 2*len(c.Moves)
			for ply := 1; ply <= last; ply++ {
				m, err := g.PlayText(c.Moves[(ply-1)%len(c.Moves)])
				if err != nil {
					t.Fatalf("ply %d: %v", ply, err)
				}
				if m.Kind() == emergo.Capture {
					captures++
				}
				if *g.Anchor() != start || len(g.Moves()) != ply {
					t.Fatalf("ply %d: %d moves since %s, want all since %s", ply, len(g.Moves()), g.Anchor(), c.Fen)
				}
				wantResult, wantEnd, wantOccurrences := "*", "", 1+ply/len(c.Moves)
				if ply == last {
					wantResult, wantEnd = "1/2", "repetition"
				}
				if result, end := words(g.Outcome()); result != wantResult || end != wantEnd {
					t.Fatalf("ply %d: outcome %q %q, want %q %q", ply, result, end, wantResult, wantEnd)
				}
				if got := g.Occurrences(); got != wantOccurrences {
					t.Fatalf("ply %d: %d occurrences, want %d", ply, got, wantOccurrences)
				}
			}
			if captures != 2*c.Captures {
				t.Errorf("%d captures in two rounds, want %d in each", captures, c.Captures)
			}
		})
	}
}
