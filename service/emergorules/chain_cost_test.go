package emergorules_test

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/emergorules"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// BenchmarkChain measures what the chain of interceptors costs: ApplyMove of a whole game against a gRPC
// server without any, and against emergod's with all of it on (metrics, logging at info, shedding,
// tokens, rates, deadlines), in alternating rounds.
func BenchmarkChain(b *testing.B) {
	requests := randomGame(b)
	caller := func(conn *grpc.ClientConn) func(context.Context) error {
		client := emergov1.NewRulesServiceClient(conn)
		next := 0
		turn := make(chan int, 1)
		turn <- next
		return func(ctx context.Context) error {
			i := <-turn
			turn <- (i + 1) % len(requests)
			ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer secret")
			_, err := client.ApplyMove(ctx, requests[i])
			return err
		}
	}
	bare, full := caller(dial(b, bareServer(b))), caller(dial(b, fullServer(b)))
	const round = 500
	var bareSpent, fullSpent cost
	for done := 0; done < b.N; done += round {
		n := min(round, b.N-done)
		bareSpent.add(measure(b, n, bare))
		fullSpent.add(measure(b, n, full))
	}
	n := float64(b.N)
	b.ReportMetric(0, "ns/op") // wall time of both together means nothing
	b.ReportMetric(bareSpent.cpu*1e6/n, "bare-cpu-µs/call")
	b.ReportMetric(fullSpent.cpu/bareSpent.cpu, "cpu/bare")
	b.ReportMetric(float64(bareSpent.allocs)/n, "bare-allocs/call")
	b.ReportMetric(float64(fullSpent.allocs)/n, "allocs/call")
}

// bareServer serves the service with nothing around it.
func bareServer(b *testing.B) net.Addr {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	s := grpc.NewServer()
	emergov1.RegisterRulesServiceServer(s, new(emergorules.Service))
	go func() { _ = s.Serve(listener) }()
	b.Cleanup(s.Stop)
	return listener.Addr()
}

// fullServer serves it as emergod does.
func fullServer(b *testing.B) net.Addr {
	tokens := filepath.Join(b.TempDir(), "tokens")
	// The hash of "secret".
	const line = "bench sha256:2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b\n"
	if err := os.WriteFile(tokens, []byte(line), 0o600); err != nil {
		b.Fatal(err)
	}
	config := server.DefaultConfig()
	config.Listen, config.AdminListen, config.Tokens = "127.0.0.1:0", "", tokens
	config.ClientRate, config.ClientBurst = 1e9, 1e9
	config.MaxWait = time.Hour
	return runServer(b, config, server.NewLogger(io.Discard, config)).Addr()
}
