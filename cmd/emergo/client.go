package main

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// A client asks one server. The errors of its calls are a *refusal or a failure.
type client struct {
	*session
	conn *grpc.ClientConn
	rpc  emergov1.RulesServiceClient
}

// client returns a client of the session's server. It must be closed. Nothing is sent before the first call.
func (s *session) client() (*client, error) {
	// gRPC backs off for up to two minutes, but a player who has started the server goes on at once.
	patience := backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second}
	conn, err := grpc.NewClient(s.addr,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: patience, MinConnectTimeout: s.timeout}),
		grpc.WithUserAgent("emergo/"+version()))
	if err != nil {
		return nil, failuref("%s is not an address to connect to: %v.", s.addr, err)
	}
	return &client{session: s, conn: conn, rpc: emergov1.NewRulesServiceClient(conn)}, nil
}

func (c *client) close() { c.conn.Close() }

func (c *client) newGame(ruleset *emergov1.Ruleset) (*emergov1.NewGameResponse, error) {
	return call(c, c.rpc.NewGame, &emergov1.NewGameRequest{Ruleset: ruleset}, nil)
}

func (c *client) legalMoves(game *emergov1.Game, prefix string) (*emergov1.LegalMovesResponse, error) {
	return call(c, c.rpc.LegalMoves, &emergov1.LegalMovesRequest{Game: game, Prefix: prefix}, game.GetMoves())
}

// evaluate waits longer than for other answers by the time that the limits give to the search.
func (c *client) evaluate(game *emergov1.Game, limits *emergov1.SearchLimits, lines int32) (*emergov1.EvaluateResponse, error) {
	patient := *c.session
	patient.timeout += time.Duration(max(limits.GetMilliseconds(), 0)) * time.Millisecond
	request := &emergov1.EvaluateRequest{Game: game, Limits: limits, Lines: lines}
	return call(&client{&patient, c.conn, c.rpc}, c.rpc.Evaluate, request, game.GetMoves())
}

func (c *client) applyMove(game *emergov1.Game, move string) (*emergov1.ApplyMoveResponse, error) {
	return call(c, c.rpc.ApplyMove, &emergov1.ApplyMoveRequest{Game: game, Move: move}, nil)
}

// applyMoves plays all moves, at least one, in one call.
func (c *client) applyMoves(game *emergov1.Game) (*emergov1.ApplyMoveResponse, error) {
	moves, last := game.Moves, len(game.Moves)-1
	request := &emergov1.ApplyMoveRequest{
		Game: &emergov1.Game{Ruleset: game.Ruleset, Position: game.Position, Moves: moves[:last]},
		Move: moves[last],
	}
	return call(c, c.rpc.ApplyMove, request, moves)
}

// call makes a call. moves are those that it plays, in the user's words.
func call[Request, Response any](
	c *client, method func(context.Context, Request, ...grpc.CallOption) (Response, error), request Request, moves []string,
) (Response, error) {
	ctx, cancel := context.WithTimeout(c.ctx, c.timeout)
	defer cancel()
	response, err := method(ctx, request)
	if err != nil {
		return response, c.explain(err, moves)
	}
	return response, nil
}
