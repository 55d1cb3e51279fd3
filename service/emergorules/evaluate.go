package emergorules

import (
	"context"
	"errors"

	"google.golang.org/grpc"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// usualNodes bounds an evaluation whose caller sets no limits: some tens of milliseconds.
const usualNodes = 100_000

// Evaluate answers what the position is worth. Besides an *Error, its errors are that the server has
// no slot for the search or stops, and that the caller has gone.
func (s *Service) Evaluate(ctx context.Context, req *emergov1.EvaluateRequest) (*emergov1.EvaluateResponse, error) {
	resp, err := s.evaluate(ctx, req)
	return resp, s.metrics.count(resp.GetState(), err)
}

func (s *Service) evaluate(ctx context.Context, req *emergov1.EvaluateRequest) (*emergov1.EvaluateResponse, error) {
	game, limits, err := readQuestion(req)
	if err != nil {
		return nil, err
	}
	resp := &emergov1.EvaluateResponse{
		State: writeState(game),
		White: writeTally(game.Position(), emergo.White),
		Black: writeTally(game.Position(), emergo.Black),
	}
	if known, ok := s.evaluator.lookUp(game, limits.Lines); ok {
		resp.Evaluation, resp.StoppedBy = writeEvaluation(known), emergov1.Stop_STOP_SETTLED
		return resp, nil
	}
	if limits == (search.Limits{Lines: limits.Lines}) {
		limits.Nodes = usualNodes
	}
	server.StepAside(ctx)
	result, limits, err := s.evaluator.search(ctx, game, limits, nil)
	if err != nil && !(errors.Is(err, server.ErrStopping) && result.Depth > 0) {
		return nil, err
	}
	resp.Evaluation, resp.StoppedBy = writeEvaluation(result), stoppedBy(result, limits)
	return resp, nil
}

// Analyze answers what the position is worth at each depth. Its errors are those of Evaluate.
func (s *Service) Analyze(req *emergov1.AnalyzeRequest, stream grpc.ServerStreamingServer[emergov1.AnalyzeResponse]) error {
	state, err := s.analyze(req, stream)
	return s.metrics.count(state, err)
}

func (s *Service) analyze(req *emergov1.AnalyzeRequest, stream grpc.ServerStreamingServer[emergov1.AnalyzeResponse]) (*emergov1.State, error) {
	game, limits, err := readQuestion(req)
	if err != nil {
		return nil, err
	}
	state := writeState(game)
	if known, ok := s.evaluator.lookUp(game, limits.Lines); ok {
		return state, stream.Send(&emergov1.AnalyzeResponse{State: state, Evaluation: writeEvaluation(known)})
	}
	server.StepAside(stream.Context())
	ctx, cancel := context.WithCancel(stream.Context())
	defer cancel()
	out := newOutbox(stream, cancel)
	sent := out.during(func() {
		_, _, err = s.evaluator.search(ctx, game, limits, func(r search.Result) {
			out.messages <- &emergov1.AnalyzeResponse{State: state, Evaluation: writeEvaluation(r)}
		})
	})
	switch {
	case sent != nil:
		return nil, sent
	case err != nil:
		return nil, err
	}
	return state, nil
}

// An outbox sends what a search puts into it, in order. The search does not wait for the client to
// take it, and so holds its slot no longer for a client that is slow, or never reads: such a call lasts
// until its deadline, of which every call has one.
type outbox struct {
	messages chan *emergov1.AnalyzeResponse
	sent     chan error
}

// newOutbox returns an outbox that calls failed, once, if the client cannot be reached.
func newOutbox(stream grpc.ServerStreamingServer[emergov1.AnalyzeResponse], failed func()) *outbox {
	o := &outbox{make(chan *emergov1.AnalyzeResponse, search.MaxDepth), make(chan error, 1)}
	go func() {
		var err error
		for m := range o.messages {
			if err != nil {
				continue
			}
			if err = stream.Send(m); err != nil {
				failed()
			}
		}
		o.sent <- err
	}()
	return o
}

// during runs a search that puts messages into the outbox, and waits until all are sent.
func (o *outbox) during(search func()) error {
	func() {
		defer close(o.messages)
		search()
	}()
	return <-o.sent
}
