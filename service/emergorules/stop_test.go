package emergorules_test

import (
	"net"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// An ending of a call is what it is answered, and its error.
type ending struct {
	response *emergov1.EvaluateResponse
	err      error
}

// endless begins an evaluation that would last longer than any test.
func endless(t *testing.T, client emergov1.RulesServiceClient) <-chan ending {
	t.Helper()
	ended := make(chan ending, 1)
	go func() {
		response, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{Limits: &emergov1.SearchLimits{Depth: 100}})
		ended <- ending{response, err}
	}()
	return ended
}

func checkStopping(t *testing.T, err error) {
	t.Helper()
	if status.Code(err) != codes.Unavailable || reasonOf(t, err) != "STOPPING" {
		t.Errorf("it ends with %v", err)
	}
}

// Before a stop cuts calls off, evaluations that run end with what they have found, and those that wait
// are told to go elsewhere.
func TestStopEndsEvaluations(t *testing.T) {
	t.Parallel()
	config, rules := longConfig()
	config.DrainTimeout = 3 * time.Second
	s, stop := runServer(t, config, rules)
	client := emergov1.NewRulesServiceClient(dial(t, s.Addr()))
	running := endless(t, client)
	awaitMetric(t, s, "emergod_evaluate_slots_busy 1")
	waiting := endless(t, client)
	awaitMetric(t, s, "emergod_evaluate_queue_length 1")
	stop() // fails the test if calls had to be cut off
	if e := <-running; e.err != nil || e.response.GetStoppedBy() != emergov1.Stop_STOP_TIME || e.response.GetEvaluation().GetDepth() == 0 {
		t.Errorf("the one that was running is answered %v, %v", e.response, e.err)
	}
	checkStopping(t, (<-waiting).err)
}

// Analyses are told to go elsewhere, whether they run or wait: what they have found has been sent.
func TestStopEndsAnalyses(t *testing.T) {
	t.Parallel()
	config, rules := longConfig()
	config.DrainTimeout = 3 * time.Second
	s, stop := runServer(t, config, rules)
	client := emergov1.NewRulesServiceClient(dial(t, s.Addr()))
	analyzed := func() <-chan error {
		ended := make(chan error, 1)
		go func() {
			messages, err := analyze(t.Context(), client, &emergov1.AnalyzeRequest{})
			t.Logf("%d messages, then %v", len(messages), err)
			ended <- err
		}()
		return ended
	}
	running := analyzed()
	awaitMetric(t, s, "emergod_evaluate_slots_busy 1")
	waiting := analyzed()
	awaitMetric(t, s, "emergod_evaluate_queue_length 1")
	stop()
	checkStopping(t, <-running)
	checkStopping(t, <-waiting)
}

// What fits into the drain is worked off.
func TestStopWorksOffTheQueue(t *testing.T) {
	config, rules := longConfig()
	config.DrainTimeout, rules.EvaluateQueue = time.Hour, 10
	s, stop := runServer(t, config, rules)
	client := emergov1.NewRulesServiceClient(dial(t, s.Addr()))
	free := occupy(t, client, 1)
	awaitMetric(t, s, "emergod_evaluate_slots_busy 1")
	ended := make(chan error, 4)
	for range 2 {
		go func() {
			_, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{Limits: &emergov1.SearchLimits{Depth: 3}})
			ended <- err
		}()
		go func() {
			_, err := analyze(t.Context(), client, &emergov1.AnalyzeRequest{Limits: &emergov1.SearchLimits{Depth: 3}})
			ended <- err
		}()
	}
	awaitMetric(t, s, "emergod_evaluate_queue_length 4")
	stopped := make(chan struct{})
	go func() {
		stop()
		close(stopped)
	}()
	awaitNoListener(t, s.Addr())
	free()
	for range 4 {
		if err := <-ended; err != nil {
			t.Errorf("one that waited is answered %v", err)
		}
	}
	<-stopped
}

// awaitNoListener waits until nobody listens on an address.
func awaitNoListener(t *testing.T, addr net.Addr) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		conn, err := net.Dial("tcp", addr.String())
		if err != nil {
			return
		}
		conn.Close()
		if time.Now().After(end) {
			t.Fatal("the server goes on listening")
		}
	}
}
