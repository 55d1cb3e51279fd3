package emergorules_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

var reasonNamed = map[string]emergov1.Reason{
	"no pieces":   emergov1.Reason_REASON_NO_PIECES,
	"blocked":     emergov1.Reason_REASON_BLOCKED,
	"repetition":  emergov1.Reason_REASON_REPETITION,
	"no progress": emergov1.Reason_REASON_NO_PROGRESS,
}

// The engine's golden games, played call by call over TCP: every position, and every ending.
func TestGoldenGames(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "engine", "emergo", "testdata", "games", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden games: %v", err)
	}
	client := newClient(t)
	ended := map[emergov1.Reason]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			ended[playGolden(t, client, file)] = true
		})
	}
	for name, reason := range reasonNamed {
		if !ended[reason] {
			t.Errorf("no golden game ends by %s", name)
		}
	}
}

// playGolden plays the game in a file: a header of "key: value" lines, an empty line, then for each ply
// the occurrences of the position, the move to it and the position.
func playGolden(t *testing.T, client emergov1.RulesServiceClient, file string) emergov1.Reason {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	header := map[string]string{}
	for lines.Scan() && lines.Text() != "" {
		key, value, _ := strings.Cut(lines.Text(), ": ")
		header[key] = value
	}
	ruleset := &emergov1.Ruleset{}
	if header["blocked"] == "loss" {
		ruleset.Blocked = emergov1.BlockedResult_BLOCKED_RESULT_LOSS
	}
	limit, err := strconv.Atoi(header["no-progress limit"])
	if err != nil {
		t.Fatal(err)
	}
	ruleset.NoProgressLimit = int32(limit)

	game := &emergov1.Game{Ruleset: ruleset, Position: header["start"]}
	outcome := &emergov1.Outcome{Result: emergov1.Result_RESULT_ONGOING}
	for lines.Scan() {
		var occurrences int32
		var move string
		if _, err := fmt.Sscan(lines.Text(), &occurrences, &move); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		position := strings.SplitN(lines.Text(), " ", 3)[2]
		if outcome.GetResult() != emergov1.Result_RESULT_ONGOING {
			t.Fatalf("the game ended before %q: %v", lines.Text(), outcome)
		}
		applied, err := client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Game: game, Move: move})
		if err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		state := applied.GetState()
		if state.GetPosition() != position || state.GetOccurrences() != occurrences || applied.GetMove().GetNotation() != move {
			t.Fatalf("%q: the answer is %v", lines.Text(), applied)
		}
		game, outcome = applied.GetGame(), state.GetOutcome()
	}
	result, reason, _ := strings.Cut(header["end"], " ")
	if outcome.GetResult() != resultOf[result] || outcome.GetReason() != reasonNamed[reason] {
		t.Errorf("the game ends with %v, want %s", outcome, header["end"])
	}
	return outcome.GetReason()
}
