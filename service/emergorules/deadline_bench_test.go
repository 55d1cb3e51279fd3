package emergorules_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// hard are positions of which no search comes to an end.
var hard = []string{
	"9/9/9/9/9/9/9/9/9 w 0 12,12",
	"4A@1a@2/3A@3a@1/aa8/1a@1a@1a@1A@1/A@7A@/1a@1aa3A@1/6A@2/9/A@1a@3A@2 w 22 1,3",
	"a@3a@3A@/1a@5A@1/2aa6/5AA3/6AB2/1AC7/2AA1D@4/3AA5/9 w 46 0,0",
	"7/7/7/7/7/7/7 w 0 8,8",
}

// endlessly asks for an evaluation of a hard position that ends with ctx only, or by the operator's limits.
func endlessly(ctx context.Context, client emergov1.RulesServiceClient, i int) (*emergov1.EvaluateResponse, error) {
	return client.Evaluate(ctx, &emergov1.EvaluateRequest{Game: at(hard[i%len(hard)]), Limits: &emergov1.SearchLimits{Depth: 100}})
}

// reportTimes reports the median and the 99th percentile of times, in milliseconds.
func reportTimes(b *testing.B, what string, times []time.Duration) {
	slices.Sort(times)
	for unit, part := range map[string]float64{"-p50-ms": 0.5, "-p99-ms": 0.99} {
		b.ReportMetric(times[int(part*float64(len(times)-1))].Seconds()*1e3, what+unit)
	}
}

// BenchmarkDeadline tells how late the answer of an evaluation is against its call's deadline, at the client:
// less than zero is before it. How many missed it is told in percent.
func BenchmarkDeadline(b *testing.B) {
	client := newClientWith(b, smallConfig())
	for _, allowed := range []time.Duration{30 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond} {
		b.Run(allowed.String(), func(b *testing.B) {
			var late []time.Duration
			missed := 0
			for b.Loop() {
				ctx, cancel := context.WithTimeout(b.Context(), allowed)
				deadline, _ := ctx.Deadline()
				_, err := endlessly(ctx, client, len(late))
				late = append(late, time.Since(deadline))
				cancel()
				switch status.Code(err) {
				case codes.OK:
				case codes.DeadlineExceeded:
					missed++
				default:
					b.Fatal(err)
				}
			}
			reportTimes(b, "late", late)
			b.ReportMetric(100*float64(missed)/float64(len(late)), "%-missed")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkCancellation tells how long a slot stays taken after its call is cancelled at the client: until one
// that has waited for it, and needs no time itself, is answered.
func BenchmarkCancellation(b *testing.B) {
	s, _ := startServerWith(b, smallConfig())
	client := emergov1.NewRulesServiceClient(dial(b, s.Addr()))
	var taken []time.Duration
	for b.Loop() {
		ctx, cancel := context.WithCancel(b.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := endlessly(ctx, client, len(taken))
			ended <- err
		}()
		awaitMetric(b, s, "emergod_evaluate_slots_busy 1")
		next := make(chan error, 1)
		var answered time.Time
		go func() {
			_, err := client.Evaluate(b.Context(), &emergov1.EvaluateRequest{Limits: &emergov1.SearchLimits{Nodes: 1}})
			answered = time.Now()
			next <- err
		}()
		awaitMetric(b, s, "emergod_evaluate_queue_length 1")
		cancelled := time.Now()
		cancel()
		if err := <-next; err != nil {
			b.Fatal(err)
		}
		taken = append(taken, answered.Sub(cancelled))
		if err := <-ended; status.Code(err) != codes.Canceled {
			b.Fatal(err)
		}
	}
	reportTimes(b, "taken", taken)
	b.ReportMetric(0, "ns/op")
}
