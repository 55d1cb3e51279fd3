package deploy_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"net"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"
	"google.golang.org/grpc/status"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/emergorules"
)

var (
	//go:embed service_config.json
	serviceConfig string
	//go:embed service_config_proxy.json
	proxyServiceConfig string
)

// flaky is a server whose first calls fail.
type flaky struct {
	emergov1.UnimplementedRulesServiceServer
	health   *health.Server
	address  string
	calls    atomic.Int64
	watches  atomic.Int64 // of health
	fails    int64        // how many of the calls
	code     codes.Code
	pushback string // in milliseconds; none if empty
}

func (f *flaky) Evaluate(ctx context.Context, _ *emergov1.EvaluateRequest) (*emergov1.EvaluateResponse, error) {
	if f.calls.Add(1) > f.fails {
		return &emergov1.EvaluateResponse{}, nil
	}
	if f.pushback != "" {
		if err := grpc.SetTrailer(ctx, metadata.Pairs("grpc-retry-pushback-ms", f.pushback)); err != nil {
			return nil, err
		}
	}
	return nil, status.Error(f.code, "flaky")
}

func (f *flaky) serve(t *testing.T) *flaky {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f.address, f.health = listener.Addr().String(), health.NewServer()
	f.health.SetServingStatus("emergo.v1.RulesService", healthv1.HealthCheckResponse_SERVING)
	s := grpc.NewServer(grpc.StreamInterceptor(func(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
		if info.FullMethod == healthv1.Health_Watch_FullMethodName {
			f.watches.Add(1)
		}
		return handler(srv, stream)
	}))
	emergov1.RegisterRulesServiceServer(s, f)
	healthv1.RegisterHealthServer(s, f.health)
	go func() { _ = s.Serve(listener) }()
	t.Cleanup(s.Stop)
	return f
}

// dial returns a client that has the service config and nothing else.
func dial(t *testing.T, servers ...*flaky) emergov1.RulesServiceClient {
	t.Helper()
	return dialWith(t, serviceConfig, servers...)
}

func dialWith(t *testing.T, serviceConfig string, servers ...*flaky) emergov1.RulesServiceClient {
	t.Helper()
	var state resolver.State
	for _, f := range servers {
		state.Addresses = append(state.Addresses, resolver.Address{Addr: f.address})
	}
	builder := manual.NewBuilderWithScheme("emergod")
	builder.InitialState(state)
	conn, err := grpc.NewClient("emergod:///",
		grpc.WithResolvers(builder),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultServiceConfig(serviceConfig)) // an error if it cannot be read
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return emergov1.NewRulesServiceClient(conn)
}

func TestServiceConfigRetries(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		server   *flaky
		attempts int64
		answer   codes.Code
	}{
		{"unavailable twice", &flaky{fails: 2, code: codes.Unavailable}, 3, codes.OK},
		{"shed twice", &flaky{fails: 2, code: codes.ResourceExhausted}, 3, codes.OK},
		{"shed with the time to come back", &flaky{fails: 1, code: codes.ResourceExhausted, pushback: "20"}, 2, codes.OK},
		{"told not to come back", &flaky{fails: 1, code: codes.ResourceExhausted, pushback: "-1"}, 1, codes.ResourceExhausted},
		{"always unavailable", &flaky{fails: 1e6, code: codes.Unavailable}, 4, codes.Unavailable},
		{"an illegal move stays illegal", &flaky{fails: 1, code: codes.FailedPrecondition}, 1, codes.FailedPrecondition},
		{"a malformed request stays malformed", &flaky{fails: 1, code: codes.InvalidArgument}, 1, codes.InvalidArgument},
		{"a panic is not tried again", &flaky{fails: 1, code: codes.Internal}, 1, codes.Internal},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := dial(t, c.server.serve(t))
			_, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{})
			if got := status.Code(err); got != c.answer {
				t.Errorf("the call ends in %v, want %v", err, c.answer)
			}
			if got := c.server.calls.Load(); got != c.attempts {
				t.Errorf("the server is asked %d times, want %d", got, c.attempts)
			}
		})
	}
}

func TestServiceConfigWaitsAsLongAsItIsTold(t *testing.T) {
	t.Parallel()
	const pushback = 300 * time.Millisecond // longer than any first backoff
	client := dial(t, (&flaky{fails: 1, code: codes.ResourceExhausted, pushback: "300"}).serve(t))
	start := time.Now()
	if _, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{}); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took < pushback {
		t.Errorf("it is back after %s, want at least %s", took, pushback)
	}
}

// However many calls fail, the retries die down: an outage is not met with four times the load.
func TestServiceConfigThrottlesRetries(t *testing.T) {
	t.Parallel()
	server := (&flaky{fails: 1e6, code: codes.Unavailable}).serve(t)
	client := dial(t, server)
	const calls = 100
	for range calls {
		if _, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{}); status.Code(err) != codes.Unavailable {
			t.Fatal(err)
		}
	}
	// 100 tokens, one for each failed attempt: below half of them, so after 50, nothing is retried.
	if got := server.calls.Load(); got > calls+50 {
		t.Errorf("%d calls become %d attempts, want %d at most", calls, got, calls+50)
	}
}

func TestServiceConfigBalances(t *testing.T) {
	t.Parallel()
	a, b := (&flaky{}).serve(t), (&flaky{}).serve(t)
	client := dial(t, a, b)
	for a.calls.Load() == 0 || b.calls.Load() == 0 { // until both are connected
		if _, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	a.calls.Store(0)
	b.calls.Store(0)
	for range 100 {
		if _, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := a.calls.Load(), b.calls.Load(); a != 50 || b != 50 {
		t.Errorf("of 100 calls one server gets %d and the other %d", a, b)
	}
}

// A server that says it is going gets no more calls, though it would still answer.
func TestServiceConfigLeavesServersThatAreStopping(t *testing.T) {
	t.Parallel()
	a, b := (&flaky{}).serve(t), (&flaky{}).serve(t)
	client := dial(t, a, b)
	for a.calls.Load() == 0 || b.calls.Load() == 0 {
		if _, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	a.health.Shutdown()
	for still := 0; still < 10; { // ten calls in a row that do not reach it
		before := a.calls.Load()
		if _, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{}); err != nil {
			t.Fatal(err)
		}
		if still++; a.calls.Load() != before {
			still = 0
		}
	}
}

// Of the two configs, what is shown here of the one holds for the other, except for health.
func TestServiceConfigsAgree(t *testing.T) {
	t.Parallel()
	var direct, proxied map[string]any
	if err := errors.Join(json.Unmarshal([]byte(serviceConfig), &direct), json.Unmarshal([]byte(proxyServiceConfig), &proxied)); err != nil {
		t.Fatal(err)
	}
	if direct["healthCheckConfig"] == nil {
		t.Error("clients of servers do not watch their health")
	}
	delete(direct, "healthCheckConfig")
	if !reflect.DeepEqual(direct, proxied) {
		t.Errorf("they differ:\n%v\n%v", direct, proxied)
	}
}

// Behind a proxy health would be that of one server, whichever answers. Nobody asks for it, and no
// server's going makes a client leave the proxy.
func TestProxyServiceConfigDoesNotWatchHealth(t *testing.T) {
	t.Parallel()
	server := &flaky{}
	client := dialWith(t, proxyServiceConfig, server.serve(t))
	if _, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{}); err != nil {
		t.Fatal(err)
	}
	server.health.Shutdown()
	for range 20 {
		if _, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	if n := server.watches.Load(); n != 0 {
		t.Errorf("the client watches health %d times", n)
	}
	// The other config does, which shows that this would have been seen.
	other := &flaky{}
	if _, err := dial(t, other.serve(t)).Evaluate(t.Context(), &emergov1.EvaluateRequest{}); err != nil {
		t.Fatal(err)
	}
	if n := other.watches.Load(); n != 1 {
		t.Errorf("with the other config health is watched %d times", n)
	}
}

// A request that the server would turn away for its size, whoever sends it how often, is not sent.
func TestServiceConfigKeepsOversizedRequests(t *testing.T) {
	t.Parallel()
	server := (&flaky{}).serve(t)
	client := dial(t, server)
	if _, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{}); err != nil {
		t.Fatal(err)
	}
	// As large as the server allows, without what goes around the string.
	huge := &emergov1.EvaluateRequest{Game: &emergov1.Game{Position: strings.Repeat("9", emergorules.MaxRequestBytes)}}
	if _, err := client.Evaluate(t.Context(), huge); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("the call ends in %v", err)
	}
	large := &emergov1.EvaluateRequest{Game: &emergov1.Game{Position: strings.Repeat("9", emergorules.MaxRequestBytes-100)}}
	if _, err := client.Evaluate(t.Context(), large); err != nil {
		t.Error(err)
	}
	if got := server.calls.Load(); got != 2 {
		t.Errorf("the server is asked %d times", got)
	}
}

// A client may be up before the servers are.
func TestServiceConfigWaitsForServers(t *testing.T) {
	t.Parallel()
	// An address that nobody else takes a port on in the meantime.
	listener, err := net.Listen("tcp", "127.83.47.5:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	client := dial(t, &flaky{address: address})
	failed := make(chan error, 1)
	go func() {
		_, err := client.Evaluate(t.Context(), &emergov1.EvaluateRequest{})
		failed <- err
	}()
	time.Sleep(100 * time.Millisecond) // so that the first attempt to connect fails; no matter if it does not
	if listener, err = net.Listen("tcp", address); err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer()
	emergov1.RegisterRulesServiceServer(s, &flaky{})
	go func() { _ = s.Serve(listener) }()
	t.Cleanup(s.Stop)
	if err := <-failed; err != nil {
		t.Error(err)
	}
}
