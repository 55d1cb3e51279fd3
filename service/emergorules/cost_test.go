package emergorules_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/mem"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// BenchmarkRPC measures each RPC beside an empty one, the health check, through the same server,
// chain and connection over loopback, many calls in flight, in alternating rounds. The calls go
// through every position of a random game. CPU time and allocations are those of the whole process:
// server, client and garbage collection. What a client makes of an answer is its own affair, so one
// of the two clients does not decode it.
func BenchmarkRPC(b *testing.B) {
	for name, options := range map[string][]grpc.DialOption{
		"decoded":   nil,
		"undecoded": {grpc.WithDefaultCallOptions(grpc.ForceCodecV2(undecoding{encoding.GetCodecV2(proto.Name)}))},
	} {
		b.Run(name, func(b *testing.B) { benchmarkRPC(b, options...) })
	}
}

// undecoding is gRPC's codec without the decoding.
type undecoding struct{ encoding.CodecV2 }

func (undecoding) Unmarshal(mem.BufferSlice, any) error { return nil }

func benchmarkRPC(b *testing.B, options ...grpc.DialOption) {
	conn := dial(b, startServer(b).Addr(), options...)
	client, health := emergov1.NewRulesServiceClient(conn), healthv1.NewHealthClient(conn)
	requests := randomGame(b)
	var calls atomic.Uint64
	next := func() *emergov1.ApplyMoveRequest { return requests[calls.Add(1)%uint64(len(requests))] }
	empty := func(ctx context.Context) error {
		_, err := health.Check(ctx, &healthv1.HealthCheckRequest{})
		return err
	}
	for _, bench := range []struct {
		name string
		call func(context.Context) error
	}{
		{"NewGame", func(ctx context.Context) error {
			_, err := client.NewGame(ctx, &emergov1.NewGameRequest{})
			return err
		}},
		{"LegalMoves", func(ctx context.Context) error {
			_, err := client.LegalMoves(ctx, &emergov1.LegalMovesRequest{Game: next().GetGame()})
			return err
		}},
		{"ApplyMove", func(ctx context.Context) error {
			_, err := client.ApplyMove(ctx, next())
			return err
		}},
		{"Evaluate", func(ctx context.Context) error {
			_, err := client.Evaluate(ctx, &emergov1.EvaluateRequest{Game: next().GetGame(), Limits: &emergov1.SearchLimits{Nodes: 1}})
			return err
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			const round = 500
			var spent, emptySpent cost
			for done := 0; done < b.N; done += round {
				n := min(round, b.N-done)
				emptySpent.add(measure(b, n, empty))
				spent.add(measure(b, n, bench.call))
			}
			n := float64(b.N)
			b.ReportMetric(0, "ns/op") // wall time of both kinds of call together means nothing
			b.ReportMetric(spent.cpu*1e6/n, "cpu-µs/call")
			b.ReportMetric(spent.cpu/emptySpent.cpu, "cpu/empty")
			b.ReportMetric(float64(spent.allocs)/n, "allocs/call")
			b.ReportMetric(float64(emptySpent.allocs)/n, "empty-allocs/call")
		})
	}
}

// randomGame returns the moves of a whole random game as the requests that play them.
func randomGame(b *testing.B) (requests []*emergov1.ApplyMoveRequest) {
	service := open(b)
	random := rand.New(rand.NewPCG(1, 8)) // 123 plies, about the average
	game := &emergov1.Game{}
	for {
		listed, err := service.LegalMoves(b.Context(), &emergov1.LegalMovesRequest{Game: game})
		if err != nil {
			b.Fatal(err)
		}
		moves := listed.GetMoves()
		if len(moves) == 0 {
			return requests
		}
		request := &emergov1.ApplyMoveRequest{Game: game, Move: moves[random.IntN(len(moves))].GetNotation()}
		applied, err := service.ApplyMove(b.Context(), request)
		if err != nil {
			b.Fatal(err)
		}
		requests, game = append(requests, request), applied.GetGame()
	}
}

type cost struct {
	cpu    float64 // seconds
	allocs uint64
}

func (c *cost) add(d cost) {
	c.cpu += d.cpu
	c.allocs += d.allocs
}

// measure makes n calls, up to 64 at a time.
func measure(b *testing.B, n int, call func(context.Context) error) cost {
	before := processCost()
	var wg sync.WaitGroup
	const inFlight = 64
	for i := range inFlight {
		wg.Go(func() {
			for range (n + inFlight - 1 - i) / inFlight {
				if err := call(context.Background()); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	after := processCost()
	return cost{after.cpu - before.cpu, after.allocs - before.allocs}
}

func processCost() cost {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // it has no reason to fail
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return cost{seconds(usage.Utime) + seconds(usage.Stime), memory.Mallocs}
}
