package server_test

import (
	"context"
	"net"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"github.com/luctor-et-emergo/emergod/service/server"
)

// twoCalls is a configuration by which each client may make two calls, and no more for as long as a
// test may last.
func twoCalls() server.Config {
	config := jsonConfig()
	config.ClientRate, config.ClientBurst = 1e-4, 2
	return config
}

// allowed makes calls until one is turned away for its rate, and returns how many were not.
func allowed(t *testing.T, ctx context.Context, conn *grpc.ClientConn) int {
	t.Helper()
	for n := range 10 {
		err := callOn(ctx, conn)
		if err == nil {
			continue
		}
		why, retry := reason(err)
		if status.Code(err) != codes.ResourceExhausted || why != "RATE_LIMITED" || retry != 10_000*time.Second {
			t.Errorf("call %d is answered %v, to be tried again after %s", n+1, err, retry)
		}
		return n
	}
	t.Error("no call is turned away")
	return 10
}

// A bucket belongs to a client, wherever it calls from; a caller who is unknown has none.
func TestRateFollowsIdentity(t *testing.T) {
	config := twoCalls()
	config.Tokens = tokensFile(t, "alice", "bob")
	r := start(t, config, succeed)
	for range 5 {
		if err := callOn(t.Context(), r.conn); status.Code(err) != codes.Unauthenticated {
			t.Errorf("nobody is answered %v", err)
		}
	}
	if n := allowed(t, bearing(t.Context(), "alice"), r.conn); n != 2 {
		t.Errorf("after nobody's calls alice may make %d", n)
	}
	if n := allowed(t, bearing(t.Context(), "bob"), r.conn); n != 2 {
		t.Errorf("after alice's calls bob may make %d from the same address", n)
	}
	if n := allowed(t, bearing(t.Context(), "alice"), r.connect(t)); n != 0 {
		t.Errorf("from another connection alice may make %d more", n)
	}
	if limited := r.series(t)["emergod_rate_limited_calls_total"]; limited != 3 || r.handled(t, "ResourceExhausted") != 3 {
		t.Errorf("the metrics count %v calls turned away", limited)
	}
	if unknown := r.handled(t, "Unauthenticated"); unknown != 5 {
		t.Errorf("the metrics count %v calls of nobody", unknown)
	}
	of := map[any]int{}
	for _, call := range r.logged(t, "call") {
		if call["code"] == "ResourceExhausted" {
			of[call["client"]]++
		}
	}
	if of["alice"] != 2 || of["bob"] != 1 || len(of) != 2 {
		t.Errorf("the log tells of calls turned away of %v", of)
	}
}

// Without authentication an address is the best there is.
func TestRateOfTheUnknownFollowsAddress(t *testing.T) {
	r := start(t, twoCalls(), succeed)
	from := func(address string) *grpc.ClientConn {
		return r.connect(t, grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithContextDialer(func(ctx context.Context, to string) (net.Conn, error) {
				d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
				return d.DialContext(ctx, "tcp", to)
			}))
	}
	if n := allowed(t, t.Context(), from("127.0.0.1")); n != 2 {
		t.Errorf("one address may make %d calls", n)
	}
	if n := allowed(t, t.Context(), from("127.0.0.1")); n != 0 {
		t.Errorf("from another port it may make %d more", n)
	}
	if n := allowed(t, t.Context(), from("127.0.0.2")); n != 2 {
		t.Errorf("another address may make %d", n)
	}
}

func TestHealthHasNoRate(t *testing.T) {
	r := start(t, twoCalls(), succeed)
	for range 10 {
		if _, err := healthv1.NewHealthClient(r.conn).Check(t.Context(), &healthv1.HealthCheckRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	if n := allowed(t, t.Context(), r.conn); n != 2 {
		t.Errorf("after health checks the caller may make %d calls", n)
	}
}
