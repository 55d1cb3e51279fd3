package emergorules_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/emergorules"
)

// analyze returns all messages of an analysis, and its error.
func analyze(ctx context.Context, client emergov1.RulesServiceClient, request *emergov1.AnalyzeRequest) (messages []*emergov1.AnalyzeResponse, err error) {
	stream, err := client.Analyze(ctx, request)
	if err != nil {
		return nil, err
	}
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return messages, nil
		}
		if err != nil {
			return messages, err
		}
		messages = append(messages, m)
	}
}

// There is a message for each depth, and the last says what Evaluate says.
func TestAnalyzeGoesFromDepthToDepth(t *testing.T) {
	client := newClientWith(t, smallConfig())
	limits := &emergov1.SearchLimits{Depth: 6}
	messages, err := analyze(t.Context(), client, &emergov1.AnalyzeRequest{Game: at(majority), Limits: limits, Lines: 2})
	if err != nil || len(messages) != 6 {
		t.Fatalf("%d messages, %v", len(messages), err)
	}
	evaluated := evaluate(t, client, &emergov1.EvaluateRequest{Game: at(majority), Limits: limits, Lines: 2})
	for i, m := range messages {
		if got := m.GetEvaluation().GetDepth(); int(got) != i+1 {
			t.Errorf("message %d has depth %d", i, got)
		}
		if !proto.Equal(m.GetState(), evaluated.GetState()) {
			t.Errorf("message %d has state %v", i, m.GetState())
		}
	}
	last, want := messages[5].GetEvaluation(), evaluated.GetEvaluation()
	last.Milliseconds, want.Milliseconds = 0, 0
	if !proto.Equal(last, want) {
		t.Errorf("the last message says\n%v\nEvaluate says\n%v", last, want)
	}
}

// An analysis that needs no search has one message; one that gets settled ends by itself.
func TestAnalyzeEndsByItself(t *testing.T) {
	client := newClientWith(t, smallConfig())
	for name, c := range map[string]struct {
		game  *emergov1.Game
		value string
	}{
		"finished": {at("9/9/9/9/4A@4/9/9/9/9 b 9 0,0"), "loss in 0"},
		"settled":  {at(diagram), "win in 1"},
		"known":    {at(known), "loss in 80"},
	} {
		messages, err := analyze(t.Context(), client, &emergov1.AnalyzeRequest{Game: c.game})
		if err != nil || len(messages) != 1 {
			t.Errorf("%s: %d messages, %v", name, len(messages), err)
			continue
		}
		if got := best(t, messages[0].GetEvaluation()); got != c.value {
			t.Errorf("%s: it is worth %s, want %s", name, got, c.value)
		}
	}
}

// A limit ends an analysis well, be it the caller's, the operator's or the deadline.
func TestAnalyzeEndsAtALimit(t *testing.T) {
	short := smallConfig()
	short.EvaluateMaxTime = 50 * time.Millisecond
	for name, c := range map[string]struct {
		config  emergorules.Config
		limits  *emergov1.SearchLimits
		timeout time.Duration
	}{
		"nodes":               {smallConfig(), &emergov1.SearchLimits{Nodes: 3000}, time.Hour},
		"time":                {smallConfig(), &emergov1.SearchLimits{Milliseconds: 20}, time.Hour},
		"the operator's time": {short, nil, time.Hour},
		"the deadline":        {smallConfig(), nil, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), c.timeout)
			defer cancel()
			messages, err := analyze(ctx, newClientWith(t, c.config), &emergov1.AnalyzeRequest{Limits: c.limits})
			if err != nil || len(messages) == 0 {
				t.Errorf("%d messages, %v", len(messages), err)
			}
		})
	}
}

// What is no request is refused as such, and counted like any other call.
func TestMalformedAnalysis(t *testing.T) {
	s := startServer(t)
	conn := dial(t, s.Addr())
	ask := func(request proto.Message, send bool) error {
		stream, err := conn.NewStream(t.Context(), &emergov1.RulesService_ServiceDesc.Streams[0], emergov1.RulesService_Analyze_FullMethodName)
		if err != nil {
			return err
		}
		if send {
			if err := stream.SendMsg(request); err != nil && !errors.Is(err, io.EOF) {
				return err
			}
		}
		if err := stream.CloseSend(); err != nil {
			return err
		}
		return stream.RecvMsg(new(emergov1.AnalyzeResponse))
	}
	// Field 1 of the request is a message, here it is a string that is none.
	checkStatus(t, ask(&emergov1.ApplyMoveRequest{Game: &emergov1.Game{Position: "\x00"}, Move: "c3"}, true), codes.InvalidArgument, "REQUEST_MALFORMED", "")
	if err := ask(nil, false); status.Code(err) != codes.Internal { // gRPC has answered by itself, but it is counted
		t.Errorf("no request is answered %v", err)
	}
	large := &emergov1.AnalyzeRequest{Game: &emergov1.Game{Position: string(make([]byte, emergorules.MaxRequestBytes))}}
	if err := ask(large, true); status.Code(err) != codes.ResourceExhausted || reasonOf(t, err) != "REQUEST_TOO_LARGE" {
		t.Errorf("a request that is too large is answered %v", err)
	}
	checkStatus(t, ask(&emergov1.AnalyzeRequest{Game: at("9/9")}, true), codes.InvalidArgument, "POSITION_MALFORMED", "game.position")
	for _, line := range []string{
		`grpc_server_handled_total{grpc_code="InvalidArgument",grpc_method="Analyze",grpc_service="emergo.v1.RulesService",grpc_type="server_stream"} 3`,
		`emergo_malformed_requests_total{reason="REQUEST_MALFORMED"} 2`,
		`emergo_malformed_requests_total{reason="POSITION_MALFORMED"} 1`,
	} {
		awaitMetric(t, s, line)
	}
}
