package emergorules_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/emergorules"
)

// smallConfig is that of a service with one slot and little memory.
func smallConfig() emergorules.Config {
	c := emergorules.DefaultConfig()
	c.EvaluateSlots, c.EvaluateMemory = 1, 16
	return c
}

func newClientWith(t testing.TB, c emergorules.Config) emergov1.RulesServiceClient {
	t.Helper()
	s, _ := startServerWith(t, c)
	return emergov1.NewRulesServiceClient(dial(t, s.Addr()))
}

func evaluate(t testing.TB, client emergov1.RulesServiceClient, request *emergov1.EvaluateRequest) *emergov1.EvaluateResponse {
	t.Helper()
	response, err := client.Evaluate(t.Context(), request)
	if err != nil {
		t.Fatalf("%v: %v", request, err)
	}
	return response
}

// best returns what the first line is worth in words, "win in 3" or "estimate", and checks that it is
// consistent.
func best(t testing.TB, e *emergov1.Evaluation) string {
	t.Helper()
	if len(e.GetLines()) == 0 {
		t.Fatalf("there is no line: %v", e)
	}
	value := e.GetLines()[0].GetValue()
	in := func(word string, d *emergov1.Distance) string {
		if d.Plies == nil {
			return word
		}
		return fmt.Sprintf("%s in %d", word, d.GetPlies())
	}
	word := "nothing"
	switch w := value.GetWorth().(type) {
	case *emergov1.Value_Estimate:
		word = "estimate"
	case *emergov1.Value_Win:
		word = in("win", w.Win)
	case *emergov1.Value_Draw:
		word = "draw"
	case *emergov1.Value_Loss:
		word = in("loss", w.Loss)
	}
	if value.GetExact() != (word != "estimate") {
		t.Errorf("exact is %v of a value that is %s", value.GetExact(), word)
	}
	return word
}

var blockedLoses = &emergov1.Ruleset{Blocked: emergov1.BlockedResult_BLOCKED_RESULT_LOSS}

// A finished game is answered exactly, and so is one that is about to be.
func TestExactValues(t *testing.T) {
	const blocked = "8a@/7A@1/6AA2/5AB3/8A@/1A@3AB3/9/9/AC7AC b 31 4,0" // Black cannot move
	const repeated = "9/9/9/9/4A@4/9/9/9/A@7a@ w 30 0,0"
	round := []string{"e5-d4", "i1-h2", "d4-e5", "h2-i1"}
	client := newClientWith(t, smallConfig())
	for _, c := range []struct {
		name  string
		game  *emergov1.Game
		value string
		moves bool
	}{
		{"no piece left", at("9/9/9/9/4A@4/9/9/9/9 b 9 0,0"), "loss in 0", false},
		{"blocked", at(blocked), "draw", false},
		{"blocked where that loses", &emergov1.Game{Position: blocked, Ruleset: blockedLoses}, "loss in 0", false},
		{"third occurrence", &emergov1.Game{Position: repeated, Moves: append(round, round...)}, "draw", false},
		{"no progress", &emergov1.Game{Position: repeated, Ruleset: &emergov1.Ruleset{NoProgressLimit: 4}, Moves: round}, "draw", false},
		{"the last capture", at(diagram), "win in 1", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			response := evaluate(t, client, &emergov1.EvaluateRequest{Game: c.game})
			e := response.GetEvaluation()
			if got := best(t, e); got != c.value || len(e.GetLines()[0].GetMoves()) > 0 != c.moves {
				t.Errorf("it is worth %s, want %s: %v", got, c.value, e)
			}
			if response.GetStoppedBy() != emergov1.Stop_STOP_SETTLED {
				t.Errorf("it was stopped by %s", response.GetStoppedBy())
			}
			if !c.moves && (e.GetNodes() != 0 || e.GetDepth() != 0) {
				t.Errorf("it was searched: %v", e)
			}
		})
	}
}

// Each limit that the contract documents, below, at and above its bounds.
func TestEvaluateBounds(t *testing.T) {
	config := smallConfig()
	config.EvaluateMaxNodes = 1000
	client := newClientWith(t, config)
	for _, c := range []struct {
		field string
		most  int32
		set   func(*emergov1.EvaluateRequest, int32)
	}{
		{"limits.depth", 100, func(r *emergov1.EvaluateRequest, n int32) { r.Limits.Depth = n }},
		{"limits.nodes", 1_000_000_000, func(r *emergov1.EvaluateRequest, n int32) { r.Limits.Nodes = n }},
		{"limits.milliseconds", 600_000, func(r *emergov1.EvaluateRequest, n int32) { r.Limits.Milliseconds = n }},
		{"lines", 64, func(r *emergov1.EvaluateRequest, n int32) { r.Lines = n }},
	} {
		for _, n := range []int32{-1, 0, 1, c.most - 1, c.most, c.most + 1} {
			request := &emergov1.EvaluateRequest{Limits: &emergov1.SearchLimits{}}
			c.set(request, n)
			analysis := &emergov1.AnalyzeRequest{Limits: request.GetLimits(), Lines: request.GetLines()}
			_, evaluated := client.Evaluate(t.Context(), request)
			_, analyzed := analyze(t.Context(), client, analysis)
			for _, err := range []error{evaluated, analyzed} {
				if 0 <= n && n <= c.most {
					if err != nil {
						t.Errorf("%s = %d: %v", c.field, n, err)
					}
					continue
				}
				checkStatus(t, err, codes.InvalidArgument, "LIMIT_OUT_OF_RANGE", c.field)
				info, _ := details(t, err)
				if got := info.GetMetadata()["max"]; got != fmt.Sprint(c.most) {
					t.Errorf("%s: the bound is told as %s", c.field, got)
				}
			}
		}
	}
}

// What ends a search is told, and the operator's bounds go before larger limits.
func TestWhatEndsASearch(t *testing.T) {
	config := smallConfig()
	config.EvaluateMaxNodes, config.EvaluateMaxTime = 200_000, 100*time.Millisecond
	nodes, times := config, config
	nodes.EvaluateMaxTime, times.EvaluateMaxNodes = time.Minute, 1e9
	for _, c := range []struct {
		name      string
		config    emergorules.Config
		limits    *emergov1.SearchLimits
		stop      emergov1.Stop
		depth     int32 // 0 if that depends
		mostNodes int32
	}{
		{"the default", nodes, nil, emergov1.Stop_STOP_NODES, 0, 100_000},
		{"the default, an empty message", nodes, &emergov1.SearchLimits{}, emergov1.Stop_STOP_NODES, 0, 100_000},
		{"nodes", nodes, &emergov1.SearchLimits{Nodes: 5000, Depth: 100}, emergov1.Stop_STOP_NODES, 0, 5000},
		{"depth", nodes, &emergov1.SearchLimits{Depth: 3}, emergov1.Stop_STOP_DEPTH, 3, 200_000},
		{"time", times, &emergov1.SearchLimits{Milliseconds: 10}, emergov1.Stop_STOP_TIME, 0, 1e9},
		{"the operator's nodes", nodes, &emergov1.SearchLimits{Nodes: 1e9}, emergov1.Stop_STOP_NODES, 0, 200_000},
		{"the operator's nodes, none asked for", nodes, &emergov1.SearchLimits{Depth: 100}, emergov1.Stop_STOP_NODES, 0, 200_000},
		{"the operator's time", times, &emergov1.SearchLimits{Milliseconds: 600_000}, emergov1.Stop_STOP_TIME, 0, 1e9},
		{"the operator's time, none asked for", times, &emergov1.SearchLimits{Depth: 100}, emergov1.Stop_STOP_TIME, 0, 1e9},
	} {
		t.Run(c.name, func(t *testing.T) {
			response := evaluate(t, newClientWith(t, c.config), &emergov1.EvaluateRequest{Limits: c.limits})
			e := response.GetEvaluation()
			if response.GetStoppedBy() != c.stop || c.depth != 0 && e.GetDepth() != c.depth {
				t.Errorf("it was stopped by %s: %v", response.GetStoppedBy(), e)
			}
			const few = 100 // that a search needs to stop
			if e.GetNodes() > c.mostNodes+few || c.stop == emergov1.Stop_STOP_NODES && e.GetNodes() < c.mostNodes/2 {
				t.Errorf("%d nodes were visited, want %d", e.GetNodes(), c.mostNodes)
			}
			if best(t, e) != "estimate" || len(e.GetLines()) != 1 || len(e.GetLines()[0].GetMoves()) == 0 || e.GetDeepestLine() < e.GetDepth() {
				t.Errorf("the answer is %v", e)
			}
		})
	}
}

// As many lines are answered as are asked for, best first, no move twice, or as there are moves.
func TestLines(t *testing.T) {
	client := newClientWith(t, smallConfig())
	for _, c := range []struct {
		game        *emergov1.Game
		lines, want int
	}{{nil, 0, 1}, {nil, 1, 1}, {nil, 5, 5}, {nil, 64, 40}, {at(diagram), 64, 1}} {
		request := &emergov1.EvaluateRequest{Game: c.game, Lines: int32(c.lines), Limits: &emergov1.SearchLimits{Depth: 2}}
		lines := evaluate(t, client, request).GetEvaluation().GetLines()
		if len(lines) != c.want {
			t.Errorf("%d lines are asked for, %d answered, want %d", c.lines, len(lines), c.want)
		}
		seen := map[string]bool{}
		for i, l := range lines {
			game := proto.CloneOf(c.game)
			if game == nil {
				game = &emergov1.Game{}
			}
			for _, m := range l.GetMoves() {
				checkMove(t, m)
				game.Moves = append(game.Moves, m.GetNotation())
			}
			if _, err := client.LegalMoves(t.Context(), &emergov1.LegalMovesRequest{Game: game}); err != nil {
				t.Errorf("the line %v cannot be played: %v", game.GetMoves(), err)
			}
			if first := l.GetMoves()[0].GetNotation(); seen[first] {
				t.Errorf("%s begins two lines", first)
			} else {
				seen[first] = true
			}
			if i > 0 && lines[i-1].GetValue().GetEstimate() < l.GetValue().GetEstimate() {
				t.Errorf("line %d is better than the one before: %v", i, lines)
			}
		}
	}
}

// The same question gets the same answer, whatever was asked before and by whichever slot.
func TestEvaluationIsDeterministic(t *testing.T) {
	config := smallConfig()
	config.EvaluateSlots = 3
	client := newClientWith(t, config)
	var answers [3]*emergov1.Evaluation
	for round := range 4 {
		for i, game := range []*emergov1.Game{nil, at(rounds), at(majority)} {
			request := &emergov1.EvaluateRequest{Game: game, Lines: 2, Limits: &emergov1.SearchLimits{Nodes: 150_000}}
			e := evaluate(t, client, request).GetEvaluation()
			e.Milliseconds = 0
			if round == 0 {
				answers[i] = e
			} else if !proto.Equal(e, answers[i]) {
				t.Errorf("in round %d the answer is\n%v\nnot\n%v", round, e, answers[i])
			}
		}
	}
}

// A deadline is a limit like others: the best found so far arrives before it.
func TestAnswerArrivesBeforeTheDeadline(t *testing.T) {
	client := newClientWith(t, smallConfig())
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	response, err := client.Evaluate(ctx, &emergov1.EvaluateRequest{Limits: &emergov1.SearchLimits{Depth: 100}})
	if err != nil || response.GetStoppedBy() != emergov1.Stop_STOP_TIME || response.GetEvaluation().GetDepth() == 0 {
		t.Errorf("the answer is %v, %v", response, err)
	}
}

// Once all has been read there is nothing to stop, even if that is just where a limit is.
func TestSettledAtALimit(t *testing.T) {
	const lost = "9/9/2a@1a@4/9/4a@4/3D@5/9/5A@3/6b@2 b 0 0,0" // too few men for the tables
	client := newClientWith(t, smallConfig())
	ask := func(l *emergov1.SearchLimits) *emergov1.EvaluateResponse {
		return evaluate(t, client, &emergov1.EvaluateRequest{Game: at(lost), Limits: l})
	}
	read := ask(nil).GetEvaluation()
	if read.GetNodes() == 0 || read.GetDepth() == 0 {
		t.Fatalf("it was not searched: %v", read)
	}
	for name, limits := range map[string]*emergov1.SearchLimits{
		"none": nil, "depth": {Depth: read.GetDepth()}, "nodes": {Nodes: read.GetNodes()}, "both": {Depth: read.GetDepth(), Nodes: read.GetNodes()},
	} {
		response := ask(limits)
		if got := best(t, response.GetEvaluation()); got != "loss in 2" || response.GetStoppedBy() != emergov1.Stop_STOP_SETTLED {
			t.Errorf("limit %s: it is worth %s, and was stopped by %s", name, got, response.GetStoppedBy())
		}
	}
}
