package emergorules_test

import (
	"context"
	"runtime"
	"sync"
	"syscall"
	"testing"

	healthv1 "google.golang.org/grpc/health/grpc_health_v1"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// The games that calls are measured with: the start, and one from the middle of a game between
// humans' usual numbers of pieces with a history to replay.
var (
	startGame  = &emergov1.Game{}
	middleGame = &emergov1.Game{
		Position: "9/5ab1a@1/9/1aa5b@1/2a@6/1a@1a@1a@3/8E@/1a@1ab1ab3/9 b 63 0,0",
		Moves:    []string{"b2-a1", "i3-h4", "a1-b2", "h4-i3"},
	}
)

// BenchmarkRPC measures each RPC beside an empty one, the health check, through the same server,
// chain and connection over loopback, many calls in flight, in alternating rounds. The CPU time is
// that of the whole process: server, client and garbage collection.
func BenchmarkRPC(b *testing.B) {
	conn := dial(b, startServer(b))
	client := emergov1.NewRulesServiceClient(conn)
	empty := func(ctx context.Context) error {
		_, err := healthv1.NewHealthClient(conn).Check(ctx, &healthv1.HealthCheckRequest{})
		return err
	}
	for _, bench := range []struct {
		name string
		call func(context.Context) error
	}{
		{"Empty", empty},
		{"NewGame", func(ctx context.Context) error {
			_, err := client.NewGame(ctx, &emergov1.NewGameRequest{})
			return err
		}},
		{"LegalMoves/start", func(ctx context.Context) error {
			_, err := client.LegalMoves(ctx, &emergov1.LegalMovesRequest{Game: startGame})
			return err
		}},
		{"LegalMoves/middle", func(ctx context.Context) error {
			_, err := client.LegalMoves(ctx, &emergov1.LegalMovesRequest{Game: middleGame})
			return err
		}},
		{"ApplyMove/start", func(ctx context.Context) error {
			_, err := client.ApplyMove(ctx, &emergov1.ApplyMoveRequest{Game: startGame, Move: "c3"})
			return err
		}},
		{"ApplyMove/middle", func(ctx context.Context) error {
			_, err := client.ApplyMove(ctx, &emergov1.ApplyMoveRequest{Game: middleGame, Move: "b2-c1"})
			return err
		}},
		{"Evaluate/middle", func(ctx context.Context) error {
			_, err := client.Evaluate(ctx, &emergov1.EvaluateRequest{Game: middleGame})
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
	before := processCost(b)
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
	after := processCost(b)
	return cost{after.cpu - before.cpu, after.allocs - before.allocs}
}

func processCost(b *testing.B) cost {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return cost{seconds(usage.Utime) + seconds(usage.Stime), memory.Mallocs}
}
