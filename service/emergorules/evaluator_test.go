package emergorules_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/emergorules"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// awaitMetric waits until a server's metrics have a line. A minute is for the busiest of machines.
func awaitMetric(t testing.TB, s *server.Server, line string) {
	t.Helper()
	name := line[:len(line)-1]
	for end := time.Now().Add(time.Minute); !slices.Contains(scrape(t, s, ""), line); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("in vain awaited: %s; the metrics say %v", line, scrape(t, s, name[:min(len(name), 20)]))
		}
	}
}

// occupy has evaluations running that end with the returned function, which tells how they ended.
func occupy(t *testing.T, client emergov1.RulesServiceClient, n int) (free func() []codes.Code) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan codes.Code, n)
	for range n {
		go func() {
			_, err := client.Evaluate(ctx, &emergov1.EvaluateRequest{Limits: &emergov1.SearchLimits{Depth: 100}})
			ended <- status.Code(err)
		}()
	}
	return func() (all []codes.Code) {
		cancel()
		for range n {
			all = append(all, <-ended)
		}
		return all
	}
}

// longConfig has one slot, and evaluations that last as long as the test needs.
func longConfig() (server.Config, emergorules.Config) {
	rules := smallConfig()
	rules.EvaluateMaxTime, rules.EvaluateMaxNodes, rules.EvaluateQueue = 10*time.Minute, 1e9, 1
	config := server.DefaultConfig()
	config.Listen, config.AdminListen = "127.0.0.1:0", "127.0.0.1:0"
	config.MaxWait, config.MaxDeadline, config.MaxInFlight = 0, time.Hour, 1
	return config, rules
}

// With all slots busy and the queue full, evaluations are turned away and told when to come back;
// other calls are answered, even if only one may be worked on.
func TestFullQueue(t *testing.T) {
	config, rules := longConfig()
	s, _ := runServer(t, config, rules)
	client := emergov1.NewRulesServiceClient(dial(t, s.Addr()))
	free := occupy(t, client, 1)
	awaitMetric(t, s, "emergod_evaluate_slots_busy 1")
	freeWaiting := occupy(t, client, 1)
	awaitMetric(t, s, "emergod_evaluate_queue_length 1")

	var trailer metadata.MD
	_, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{}, grpc.Trailer(&trailer))
	checkRefused(t, err)
	if len(trailer.Get("grpc-retry-pushback-ms")) != 1 {
		t.Errorf("the trailer is %v", trailer)
	}
	_, err = analyze(t.Context(), client, &emergov1.AnalyzeRequest{})
	checkRefused(t, err)
	if _, err := client.LegalMoves(t.Context(), &emergov1.LegalMovesRequest{}); err != nil {
		t.Errorf("LegalMoves is answered %v", err)
	}
	if _, err := client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Move: "c3"}); err != nil {
		t.Errorf("ApplyMove is answered %v", err)
	}
	// What needs no search needs no slot.
	for position, want := range map[string]string{"9/9/9/9/4A@4/9/9/9/9 b 9 0,0": "loss in 0", diagram: "win in 1", known: "loss in 80"} {
		evaluated, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{Game: at(position)})
		if err != nil || best(t, evaluated.GetEvaluation()) != want {
			t.Errorf("%s is answered %v, %v", position, evaluated, err)
		}
		analyzed, err := analyze(t.Context(), client, &emergov1.AnalyzeRequest{Game: at(position)})
		if err != nil || len(analyzed) != 1 || best(t, analyzed[0].GetEvaluation()) != want {
			t.Errorf("%s is analyzed as %v, %v", position, analyzed, err)
		}
	}
	for _, line := range []string{"emergod_evaluate_slots 1", "emergod_evaluate_rejected_total 2"} {
		awaitMetric(t, s, line)
	}
	if lines := scrape(t, s, "emergod_shed_calls_total"); len(lines) > 0 {
		t.Errorf("calls were shed: %v", lines)
	}

	for _, code := range append(freeWaiting(), free()...) {
		if code != codes.Canceled {
			t.Errorf("a call that is cancelled ends with %s", code)
		}
	}
	awaitIdle(t, s)
	evaluate(t, client, &emergov1.EvaluateRequest{})
}

// awaitIdle waits until nothing is evaluated any more.
func awaitIdle(t *testing.T, s *server.Server) {
	t.Helper()
	for end := time.Now().Add(time.Minute); len(scrape(t, s, "emergod_evaluate_slots_busy"))+len(scrape(t, s, "emergod_evaluate_queue_length")) > 0; {
		if time.Now().After(end) {
			t.Fatal("evaluations do not end")
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// An evaluation that waits in vain is refused before its deadline, which is its caller's to retry.
func TestWaitInVain(t *testing.T) {
	config, rules := longConfig()
	s, _ := runServer(t, config, rules)
	client := emergov1.NewRulesServiceClient(dial(t, s.Addr()))
	free := occupy(t, client, 1)
	awaitMetric(t, s, "emergod_evaluate_slots_busy 1")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := client.Evaluate(ctx, &emergov1.EvaluateRequest{})
	checkRefused(t, err)
	free()
}

// One that waits is answered when it is its turn.
func TestWaitForATurn(t *testing.T) {
	config, rules := longConfig()
	s, _ := runServer(t, config, rules)
	client := emergov1.NewRulesServiceClient(dial(t, s.Addr()))
	free := occupy(t, client, 1)
	awaitMetric(t, s, "emergod_evaluate_slots_busy 1")
	answered := make(chan error)
	go func() {
		_, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{})
		answered <- err
	}()
	awaitMetric(t, s, "emergod_evaluate_queue_length 1")
	free()
	if err := <-answered; err != nil {
		t.Errorf("it is answered %v", err)
	}
	awaitMetric(t, s, "emergod_evaluate_wait_seconds_count 2")
}

// A caller of Analyze who goes away frees the slot.
func TestCallerGoesAway(t *testing.T) {
	config, rules := longConfig()
	s, _ := runServer(t, config, rules)
	client := emergov1.NewRulesServiceClient(dial(t, s.Addr()))
	ctx, cancel := context.WithCancel(t.Context())
	stream, err := client.Analyze(ctx, &emergov1.AnalyzeRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); err != nil {
		t.Fatal(err)
	}
	cancel()
	awaitIdle(t, s)
	evaluate(t, client, &emergov1.EvaluateRequest{})
}

func checkRefused(t *testing.T, err error) {
	t.Helper()
	if status.Code(err) != codes.ResourceExhausted || reasonOf(t, err) != "OVERLOADED" {
		t.Errorf("the answer is %v", err)
	}
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.RetryInfo); ok && info.GetRetryDelay().AsDuration() > 0 {
			return
		}
	}
	t.Errorf("%v does not tell when to try again", err)
}

// What searches did is counted.
func TestEvaluateMetrics(t *testing.T) {
	s, _ := startServerWith(t, smallConfig())
	client := emergov1.NewRulesServiceClient(dial(t, s.Addr()))
	evaluate(t, client, &emergov1.EvaluateRequest{Game: at(diagram)})
	evaluate(t, client, &emergov1.EvaluateRequest{Game: at(majority), Limits: &emergov1.SearchLimits{Depth: 3}})
	for _, line := range []string{
		`emergod_evaluate_depth_bucket{le="2"} 1`, `emergod_evaluate_depth_bucket{le="4"} 2`, "emergod_evaluate_wait_seconds_count 1",
	} {
		awaitMetric(t, s, line)
	}
	if len(scrape(t, s, "emergod_evaluate_nodes_total")) != 1 {
		t.Error("no nodes are counted")
	}
}
