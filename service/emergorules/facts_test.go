package emergorules_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// readFacts reads a file of the engine's testdata, one JSON object a line.
func readFacts[T any](t testing.TB, name string) (facts []T) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "engine", "emergo", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for decoder := json.NewDecoder(f); ; {
		var fact T
		err := decoder.Decode(&fact)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		facts = append(facts, fact)
	}
	if len(facts) == 0 {
		t.Fatalf("%s holds no facts", name)
	}
	return facts
}

// A fact is a position with what is known of it.
type fact struct {
	Fen                 string
	Legal               []string // a shadowpiece entry without its number
	Men                 int      // that an entry enters
	Banned              []string
	After               map[string]string
	Outcome             string
	OutcomeBlockedLoses string
}

var resultOf = map[string]emergov1.Result{
	"*":   emergov1.Result_RESULT_ONGOING,
	"1-0": emergov1.Result_RESULT_WHITE_WINS,
	"0-1": emergov1.Result_RESULT_BLACK_WINS,
	"1/2": emergov1.Result_RESULT_DRAW,
}

func TestVerifiedPositions(t *testing.T) {
	client := newClient(t)
	facts := append(readFacts[fact](t, "cases.jsonl"), readFacts[fact](t, "worst.jsonl")...)
	for _, fact := range facts {
		game := &emergov1.Game{Position: fact.Fen}
		listed, err := client.LegalMoves(t.Context(), &emergov1.LegalMovesRequest{Game: game})
		if err != nil {
			t.Errorf("%s: %v", fact.Fen, err)
			continue
		}
		var notations []string
		for _, m := range listed.GetMoves() {
			notation, _, _ := strings.Cut(m.GetNotation(), "*")
			notations = append(notations, notation)
			checkMove(t, m)
			if entry := m.GetEntry(); entry != nil && int(entry.GetMen()) != fact.Men {
				t.Errorf("%s: %s enters %d men, want %d", fact.Fen, m.GetNotation(), entry.GetMen(), fact.Men)
			}
		}
		if !slices.Equal(notations, fact.Legal) {
			t.Errorf("%s: legal moves are %v, want %v", fact.Fen, notations, fact.Legal)
		}
		if got := listed.GetState().GetPosition(); got != fact.Fen {
			t.Errorf("%s: the state has position %s", fact.Fen, got)
		}
		if len(fact.Legal) > 0 {
			if got, want := listed.GetState().GetCaptureObligatory(), strings.Contains(fact.Legal[0], "x"); got != want {
				t.Errorf("%s: capture_obligatory is %v", fact.Fen, got)
			}
		}
		for _, square := range fact.Banned {
			_, err := client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Game: game, Move: square})
			if got := reasonOf(t, err); got != "ENTRY_FEEDS" && got != "ENTRY_ON_CENTRE" {
				t.Errorf("%s: %s is refused as %s", fact.Fen, square, got)
			}
		}
		for move, want := range fact.After {
			applied, err := client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Game: game, Move: move})
			if err != nil || applied.GetState().GetPosition() != want {
				t.Errorf("%s: %s leads to %s (%v), want %s", fact.Fen, move, applied.GetState().GetPosition(), err, want)
			}
		}
		if fact.Outcome == "" {
			continue
		}
		for blocked, want := range map[emergov1.BlockedResult]string{
			emergov1.BlockedResult_BLOCKED_RESULT_UNSPECIFIED: fact.Outcome,
			emergov1.BlockedResult_BLOCKED_RESULT_DRAW:        fact.Outcome,
			emergov1.BlockedResult_BLOCKED_RESULT_LOSS:        fact.OutcomeBlockedLoses,
		} {
			game := &emergov1.Game{Position: fact.Fen, Ruleset: &emergov1.Ruleset{Blocked: blocked}}
			evaluated, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{Game: game})
			if err != nil || evaluated.GetState().GetOutcome().GetResult() != resultOf[want] {
				t.Errorf("%s: with %v the outcome is %v (%v), want %s", fact.Fen, blocked, evaluated.GetState().GetOutcome(), err, want)
			}
		}
	}
}

// checkMove checks that the typed move says the same as its notation.
func checkMove(t *testing.T, m *emergov1.Move) {
	t.Helper()
	var want string
	switch kind := m.GetKind().(type) {
	case *emergov1.Move_Entry:
		want = kind.Entry.GetSquare()
		if kind.Entry.GetMen() > 1 {
			want, _, _ = strings.Cut(m.GetNotation(), "*")
		}
	case *emergov1.Move_Step:
		want = kind.Step.GetFrom() + "-" + kind.Step.GetTo()
	case *emergov1.Move_Capture:
		want = strings.Join(kind.Capture.GetPath(), "x")
		if len(kind.Capture.GetJumped()) != len(kind.Capture.GetPath())-1 {
			t.Errorf("%s jumps %v along %v", m.GetNotation(), kind.Capture.GetJumped(), kind.Capture.GetPath())
		}
		for i, over := range kind.Capture.GetJumped() {
			from, to := kind.Capture.GetPath()[i], kind.Capture.GetPath()[i+1]
			if over[0] != (from[0]+to[0])/2 || over[1] != (from[1]+to[1])/2 {
				t.Errorf("%s: the jump from %s to %s is over %s", m.GetNotation(), from, to, over)
			}
		}
	}
	if notation, _, _ := strings.Cut(m.GetNotation(), "*"); notation != want {
		t.Errorf("%s is typed as %v", m.GetNotation(), m)
	}
}

// Play that comes back to the same position through captures, sent back and forth as a client does.
func TestRepetitionThroughCaptures(t *testing.T) {
	client := newClient(t)
	type cycle struct {
		Fen   string
		Moves []string
	}
	for _, cycle := range readFacts[cycle](t, "cycles.jsonl") {
		game := &emergov1.Game{Position: cycle.Fen}
		var all []string
		plies := 2 * len(cycle.Moves)
		for ply := range plies {
			move := cycle.Moves[ply%len(cycle.Moves)]
			all = append(all, move)
			applied, err := client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Game: game, Move: move})
			if err != nil {
				t.Fatalf("%s: ply %d, %s: %v", cycle.Fen, ply+1, move, err)
			}
			game = applied.GetGame()
			state := applied.GetState()
			last := ply == plies-1
			if over := state.GetOutcome().GetResult() != emergov1.Result_RESULT_ONGOING; over != last {
				t.Fatalf("%s: after ply %d of %d the outcome is %v", cycle.Fen, ply+1, plies, state.GetOutcome())
			}
			if last && (state.GetOccurrences() != 3 || state.GetOutcome().GetReason() != emergov1.Reason_REASON_REPETITION ||
				state.GetOutcome().GetResult() != emergov1.Result_RESULT_DRAW) {
				t.Errorf("%s: at the third occurrence the state is %v", cycle.Fen, state)
			}
		}
		if game.GetPosition() != cycle.Fen || !slices.Equal(game.GetMoves(), all) {
			t.Errorf("%s: the history was cut: %v", cycle.Fen, game)
		}
		_, err := client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Game: game, Move: cycle.Moves[0]})
		checkStatus(t, err, codes.FailedPrecondition, "GAME_OVER", "move")
	}
}
