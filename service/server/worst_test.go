package server_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/emergorules"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// worstRequests asks, many times at once, for what takes the rules longest: the largest searches for
// captures known, more evaluations than there is room for, and the largest requests there may be,
// that are right or wrong at their very end.
func worstRequests(t *testing.T, to target) { askTheWorst(t, to, 8) }

func askTheWorst(t *testing.T, to target, callers int) {
	t.Helper()
	client, ctx := emergov1.NewRulesServiceClient(to.conn), bearing(t.Context(), "alice")
	check := func(what string, err error, want ...codes.Code) {
		if !slices.Contains(want, status.Code(err)) {
			t.Errorf("%s is answered %.300v, want %s", what, err, want)
		}
	}
	longest, err := longestGame()
	if err != nil {
		t.Fatal(err)
	}
	wrong := proto.CloneOf(longest)
	wrong.Moves[len(wrong.Moves)-1] = padded("e5")
	if size := proto.Size(&emergov1.ApplyMoveRequest{Game: longest, Move: padded("e5")}); size < emergorules.MaxRequestBytes*4/5 {
		t.Fatalf("the largest request has %d bytes", size)
	}
	positions := worstPositions(t)
	var asking sync.WaitGroup
	for range callers {
		asking.Go(func() {
			for _, position := range positions {
				game := &emergov1.Game{Position: position}
				listed, err := client.LegalMoves(ctx, &emergov1.LegalMovesRequest{Game: game})
				check("the list of captures", err, codes.OK)
				_, err = client.Evaluate(ctx, &emergov1.EvaluateRequest{Game: game, Limits: &emergov1.SearchLimits{Nodes: 20_000}})
				check("their evaluation", err, codes.OK, codes.ResourceExhausted) // if there is no place to wait
				moves := listed.GetMoves()
				if len(moves) == 0 {
					t.Errorf("%s has no moves", position)
					return
				}
				_, err = client.ApplyMove(ctx, &emergov1.ApplyMoveRequest{Game: game, Move: moves[len(moves)-1].GetNotation()})
				check("one of them", err, codes.OK)
				_, err = client.ApplyMove(ctx, &emergov1.ApplyMoveRequest{Game: game, Move: "a1-b2"})
				check("none of them", err, codes.FailedPrecondition)
			}
			_, err := client.LegalMoves(ctx, &emergov1.LegalMovesRequest{Game: longest})
			check("the longest game", err, codes.OK)
			_, err = client.ApplyMove(ctx, &emergov1.ApplyMoveRequest{Game: longest, Move: padded("e5")})
			check("one move too many", err, codes.FailedPrecondition)
			_, err = client.Evaluate(ctx, &emergov1.EvaluateRequest{Game: wrong})
			check("the longest game with a wrong end", err, codes.FailedPrecondition)
		})
	}
	asking.Wait()
}

// rulesService returns the rules' service with little room for evaluations.
func rulesService(t *testing.T) server.Service {
	t.Helper()
	config := emergorules.DefaultConfig()
	config.EvaluateSlots, config.EvaluateQueue, config.EvaluateMemory = 1, 4, 24
	service, err := emergorules.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	return service.ForServer()
}

// worstPositions returns the positions with the largest searches for captures known.
func worstPositions(t *testing.T) (positions []string) {
	t.Helper()
	file, err := os.Open("../../engine/emergo/testdata/worst.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var fact struct{ FEN string }
		if err := json.Unmarshal(lines.Bytes(), &fact); err != nil {
			t.Fatal(err)
		}
		positions = append(positions, fact.FEN)
	}
	if lines.Err() != nil || len(positions) == 0 {
		t.Fatalf("%d positions, %v", len(positions), lines.Err())
	}
	return positions
}

// padded writes a move in as many bytes as it may have.
func padded(move string) string { return move + strings.Repeat(" ", emergo.MaxMoveLen-len(move)) }

// longestGame returns a game of as many moves as a request may have, all of them reversible, each in
// as many bytes as it may have.
var longestGame = sync.OnceValues(func() (*emergov1.Game, error) { return randomWalk(4096) })

// randomWalk returns a game of steps at random, n long, in which nobody can capture and no position
// occurs for the third time.
func randomWalk(n int) (*emergov1.Game, error) {
	const position = "6a@1a@/7a@1/9/9/9/9/9/1A@7/A@1A@6 w 40 0,0"
	start, err := emergo.ParsePosition(position)
	if err != nil {
		return nil, err
	}
	random, game, occurred := rand.New(rand.NewPCG(1, 1)), emergo.NewGame(start, emergo.Rules{}), map[uint64]int{}
	moves := make([]string, n)
	for i := range moves {
		on := slices.DeleteFunc(game.AppendMoves(nil), func(m emergo.Move) bool {
			next := game.Position().Play(m)
			return occurred[next.Key()] == 2 || next.CanCapture(emergo.White) || next.CanCapture(emergo.Black)
		})
		if len(on) == 0 {
			return nil, fmt.Errorf("no way on after %d moves", i)
		}
		m := on[random.IntN(len(on))]
		game.Play(m)
		occurred[game.Position().Key()]++
		moves[i] = padded(m.String())
	}
	return &emergov1.Game{Position: position, Moves: moves}, nil
}
