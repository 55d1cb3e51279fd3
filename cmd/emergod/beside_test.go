package main

import (
	"context"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// BenchmarkBesideEvaluations compares how long LegalMoves and ApplyMove take while every slot of the
// server is busy with evaluations, and more are waiting, with how long they take while there are none.
// Some hundred calls a second are made, in turns of half a second with evaluations and without. What
// is told is the median turn's: on a machine that does other work too, a few turns are bad. An
// iteration takes some forty seconds.
func BenchmarkBesideEvaluations(b *testing.B) {
	cmd := command(b, "--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0")
	address, metrics, log := startCommand(b, cmd)
	go func() { _, _ = io.Copy(io.Discard, log) }()
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	client := emergov1.NewRulesServiceClient(conn)
	game := &emergov1.Game{Position: "4A@1a@2/3A@3a@1/aa8/1a@1a@1a@1A@1/A@7A@/1a@1aa3A@1/6A@2/9/A@1a@3A@2 w 22 1,3"}
	legalMoves := func() error {
		_, err := client.LegalMoves(context.Background(), &emergov1.LegalMovesRequest{Game: game})
		return err
	}
	listed, err := client.LegalMoves(b.Context(), &emergov1.LegalMovesRequest{Game: game})
	if err != nil {
		b.Fatal(err)
	}
	applyMove := func() error {
		_, err := client.ApplyMove(context.Background(), &emergov1.ApplyMoveRequest{Game: game, Move: listed.GetMoves()[0].GetNotation()})
		return err
	}
	slots := int(metric(b, metrics, "emergod_evaluate_slots"))
	const turns, turn, perSecond = 20, 500 * time.Millisecond, 500
	offer(legalMoves, perSecond, turn) // warms up
	for b.Loop() {
		b.ReportMetric(0, "ns/op")
		for name, call := range map[string]func() error{"LegalMoves": legalMoves, "ApplyMove": applyMove} {
			var idle, busy [turns]*load
			refused := 0
			for i := range turns {
				idle[i] = offer(call, perSecond, turn)
				stop := keepEvaluating(client, game, 2*slots)
				for metric(b, metrics, "emergod_evaluate_slots_busy") < float64(slots) {
					time.Sleep(time.Millisecond)
				}
				busy[i] = offer(call, perSecond, turn)
				stop()
				refused += busy[i].shed + busy[i].failed
			}
			b.ReportMetric(medianQuantile(idle[:], 0.5), name+"-idle-p50-ms")
			b.ReportMetric(medianQuantile(busy[:], 0.5), name+"-busy-p50-ms")
			b.ReportMetric(medianQuantile(idle[:], 0.99), name+"-idle-p99-ms")
			b.ReportMetric(medianQuantile(busy[:], 0.99), name+"-busy-p99-ms")
			b.ReportMetric(medianQuantile(busy[:], 0.99)/medianQuantile(idle[:], 0.99), name+"-p99-busy/idle")
			b.ReportMetric(float64(refused), name+"-refused")
		}
		b.ReportMetric(float64(slots), "slots")
		b.ReportMetric(metric(b, metrics, "emergod_evaluate_nodes_total"), "nodes")
	}
}

// medianQuantile returns the median of the quantiles of several loads.
func medianQuantile(loads []*load, q float64) float64 {
	var each []float64
	for _, l := range loads {
		each = append(each, l.quantile(q))
	}
	slices.Sort(each)
	return each[len(each)/2]
}

// keepEvaluating evaluates by so many callers, each without a pause, until stop is called.
func keepEvaluating(client emergov1.RulesServiceClient, game *emergov1.Game, callers int) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for {
				_, err := client.Evaluate(ctx, &emergov1.EvaluateRequest{Game: game, Limits: &emergov1.SearchLimits{Milliseconds: 300}})
				if status.Code(err) == codes.Canceled {
					return
				}
			}
		})
	}
	return func() {
		cancel()
		wg.Wait()
	}
}
