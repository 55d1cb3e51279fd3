package server_test

import (
	"context"
	"testing"

	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
)

// A server at its limit sheds before it authenticates, and inside of what counts and logs. Health
// goes on answering.
func TestSheddingComesBeforeAuthentication(t *testing.T) {
	config := jsonConfig()
	config.MaxInFlight = 1
	config.Tokens = tokensFile(t, "alice")
	entered, leave := make(chan struct{}), make(chan struct{})
	r := start(t, config, func(context.Context) error {
		entered <- struct{}{}
		<-leave
		return nil
	})
	answered := make(chan error, 1)
	go func() { answered <- callOn(bearing(t.Context(), "alice"), r.conn) }()
	<-entered
	if in := r.series(t)["emergod_in_flight_calls"]; in != 1 {
		t.Errorf("in flight are %v calls", in)
	}

	for who, ctx := range map[string]context.Context{"nobody": t.Context(), "alice": bearing(t.Context(), "alice")} {
		err := callOn(ctx, r.conn)
		why, retry := reason(err)
		if status.Code(err) != codes.ResourceExhausted || why != "OVERLOADED" || retry <= 0 {
			t.Errorf("at the limit %s is answered %v, to be tried again after %s", who, err, retry)
		}
	}
	checked, err := healthv1.NewHealthClient(r.conn).Check(t.Context(), &healthv1.HealthCheckRequest{})
	if err != nil || checked.GetStatus() != healthv1.HealthCheckResponse_SERVING {
		t.Errorf("at the limit health is %v, %v", checked.GetStatus(), err)
	}
	close(leave)
	if err := <-answered; err != nil {
		t.Errorf("the call in flight is answered %v", err)
	}

	if shed := r.series(t)["emergod_shed_calls_total"]; shed != 2 || r.handled(t, "ResourceExhausted") != 2 {
		t.Errorf("the metrics count %v shed calls", shed)
	}
	shed := 0
	for _, call := range r.logged(t, "call") {
		if call["code"] == "ResourceExhausted" && call["method"] == probeMethod {
			shed++
		}
	}
	if shed != 2 {
		t.Errorf("the log tells of %d shed calls", shed)
	}
	if err := callOn(t.Context(), r.conn); status.Code(err) != codes.Unauthenticated {
		t.Errorf("below the limit nobody is answered %v", err)
	}
	if in := r.series(t)["emergod_in_flight_calls"]; in != 0 {
		t.Errorf("afterwards in flight are %v calls", in)
	}
}

// Calls that panicked or were turned away do not stay counted.
func TestNothingStaysInFlight(t *testing.T) {
	config := testConfig()
	config.MaxInFlight = 1
	r := start(t, config, func(context.Context) error { panic("in flight") })
	for range 3 {
		if err := r.call(t); status.Code(err) != codes.Internal {
			t.Errorf("the answer is %v", err)
		}
	}
	if in := r.series(t)["emergod_in_flight_calls"]; in != 0 {
		t.Errorf("in flight are %v calls", in)
	}
}
