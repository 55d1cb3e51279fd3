// Package emergorules answers emergo.v1.RulesService from the engine: each method reads the request
// into the engine's terms, asks the engine, and writes the answer. It keeps nothing between calls.
package emergorules

import (
	"context"

	"google.golang.org/grpc"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// Service implements emergo.v1.RulesService. Open makes one. Every error it returns is an *Error, other
// than some of Evaluate and Analyze. It is safe for concurrent use.
type Service struct {
	emergov1.UnimplementedRulesServiceServer
	metrics   *metrics
	evaluator *evaluator
	settings  map[string]string
}

// Open returns a service that counts what it adjudicates, and evaluates within the bounds of c. Its
// error is a *ConfigError.
func Open(c Config) (*Service, error) {
	e, err := newEvaluator(c)
	if err != nil {
		return nil, &ConfigError{err}
	}
	return &Service{metrics: newMetrics(), evaluator: e, settings: server.Settings(c)}, nil
}

// Close closes the files that the settings name. No call may be in progress.
func (s *Service) Close() error { return s.evaluator.tables.Close() }

// ForServer returns what a server needs to serve s.
func (s *Service) ForServer() server.Service {
	return server.Service{
		Register: func(r grpc.ServiceRegistrar) {
			server.Register(r, &emergov1.RulesService_ServiceDesc, s, func(method string) error {
				return s.metrics.count(nil, malformed(method))
			})
		},
		Metrics:  collectors(append(s.metrics.all(), s.evaluator.metrics.all()...)),
		Settings: s.settings,
		Stop:     s.evaluator.endBy,
	}
}

// NewGame answers the start of a ruleset's game.
func (s *Service) NewGame(_ context.Context, req *emergov1.NewGameRequest) (*emergov1.NewGameResponse, error) {
	resp, err := newGame(req)
	return resp, s.metrics.count(resp.GetState(), err)
}

// LegalMoves answers the legal moves that begin with the request's prefix.
func (s *Service) LegalMoves(_ context.Context, req *emergov1.LegalMovesRequest) (*emergov1.LegalMovesResponse, error) {
	resp, err := legalMoves(req)
	return resp, s.metrics.count(resp.GetState(), err)
}

// ApplyMove plays the request's move.
func (s *Service) ApplyMove(_ context.Context, req *emergov1.ApplyMoveRequest) (*emergov1.ApplyMoveResponse, error) {
	resp, err := applyMove(req)
	return resp, s.metrics.count(resp.GetState(), err)
}

func newGame(req *emergov1.NewGameRequest) (*emergov1.NewGameResponse, error) {
	rules, board, _, err := readRuleset("ruleset", req.GetRuleset())
	if err != nil {
		return nil, err
	}
	game := emergo.NewGame(emergo.StartPosition(board), rules)
	state := writeState(game)
	return &emergov1.NewGameResponse{Game: writeGame(game, state), State: state}, nil
}

func legalMoves(req *emergov1.LegalMovesRequest) (*emergov1.LegalMovesResponse, error) {
	game, err := readGame("game", req.GetGame())
	if err != nil {
		return nil, err
	}
	var prefix emergo.Prefix
	if req.GetPrefix() != "" {
		if prefix, err = game.Position().ParsePrefix(req.GetPrefix()); err != nil {
			return nil, refused("prefix", err)
		}
	}
	var buf [64]emergo.Move
	moves, next := prefix.Select(game.AppendMoves(buf[:0]))
	return &emergov1.LegalMovesResponse{State: writeState(game), Moves: writeMoves(moves), NextSquares: writeSquares(next)}, nil
}

func applyMove(req *emergov1.ApplyMoveRequest) (*emergov1.ApplyMoveResponse, error) {
	game, err := readGame("game", req.GetGame())
	if err != nil {
		return nil, err
	}
	move, err := game.PlayText(req.GetMove())
	if err != nil {
		return nil, refused("move", err)
	}
	if len(game.Moves()) > maxMoves {
		return nil, historyFull()
	}
	state := writeState(game)
	return &emergov1.ApplyMoveResponse{Game: writeGame(game, state), Move: writeMove(move), State: state}, nil
}
