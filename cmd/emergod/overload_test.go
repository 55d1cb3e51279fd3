package main

import (
	"bufio"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// BenchmarkOverload offers a server of one processor five times the calls that it can answer, and
// reports what becomes of those it admits, beside its peak before and after. The calls are long games
// to replay, so that one processor of clients is enough. An iteration takes some ten seconds.
func BenchmarkOverload(b *testing.B) {
	cmd := command(b, "--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0")
	cmd.Env = append(cmd.Env, "GOMAXPROCS=1")
	address, metrics, log := startCommand(b, cmd)
	go func() { _, _ = io.Copy(io.Discard, log) }()
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	// So many clients that none of them has to wait for a stream.
	clients := make([]emergov1.RulesServiceClient, 40)
	for i := range clients {
		conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close()
		clients[i] = emergov1.NewRulesServiceClient(conn)
	}
	game := longGame(b, 4000)
	var calls atomic.Uint64
	call := func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_, err := clients[calls.Add(1)%uint64(len(clients))].LegalMoves(ctx, &emergov1.LegalMovesRequest{Game: game})
		return err
	}
	memory := func() float64 { return metric(b, metrics, "process_resident_memory_bytes") }
	for b.Loop() {
		before := saturate(call, 3*time.Second)
		memoryBefore := memory()
		during := offer(call, 5*before.perSecond(), 5*time.Second)
		memoryDuring := memory()
		after := saturate(call, 3*time.Second)

		b.ReportMetric(0, "ns/op")
		b.ReportMetric(before.perSecond(), "peak/s")
		b.ReportMetric(during.perSecond()/before.perSecond(), "goodput/peak")
		b.ReportMetric(after.perSecond()/before.perSecond(), "after/peak")
		b.ReportMetric(during.offeredPerSecond()/before.perSecond(), "offered/peak")
		b.ReportMetric(during.quantile(0.5), "p50-ms")
		b.ReportMetric(during.quantile(0.99), "p99-ms")
		b.ReportMetric(before.quantile(0.99), "before-p99-ms")
		b.ReportMetric(float64(during.failed), "other-errors")
		b.ReportMetric(memoryDuring/memoryBefore, "memory/before")
	}
}

// A load is what became of some calls.
type load struct {
	mu        sync.Mutex
	took      time.Duration
	latencies []time.Duration // of the calls that were answered
	shed      int
	failed    int
}

func (l *load) add(latency time.Duration, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch status.Code(err) {
	case codes.OK:
		l.latencies = append(l.latencies, latency)
	case codes.ResourceExhausted:
		l.shed++
	default:
		l.failed++
	}
}

func (l *load) perSecond() float64 { return float64(len(l.latencies)) / l.took.Seconds() }

func (l *load) offeredPerSecond() float64 {
	return float64(len(l.latencies)+l.shed+l.failed) / l.took.Seconds()
}

// quantile returns the latency that a fraction of the answered calls keep to, in milliseconds.
func (l *load) quantile(q float64) float64 {
	if len(l.latencies) == 0 {
		return 0
	}
	slices.Sort(l.latencies)
	return float64(l.latencies[int(q*float64(len(l.latencies)-1))]) / 1e6
}

// saturate calls from as many sides as keep one processor busy, each waiting for its answer.
func saturate(call func() error, duration time.Duration) *load {
	l, start := new(load), time.Now()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for time.Since(start) < duration {
				begun := time.Now()
				err := call()
				l.add(time.Since(begun), err)
			}
		})
	}
	wg.Wait()
	l.took = time.Since(start)
	return l
}

// offer calls so many times a second, whatever becomes of the calls.
func offer(call func() error, perSecond float64, duration time.Duration) *load {
	l, start := new(load), time.Now()
	var wg sync.WaitGroup
	var outstanding atomic.Int64
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for sent := 0; time.Since(start) < duration; <-tick.C {
		for due := int(perSecond * time.Since(start).Seconds()); sent < due; sent++ {
			if outstanding.Add(1) > 20_000 { // a bound for this machine's sake
				outstanding.Add(-1)
				continue
			}
			wg.Go(func() {
				defer outstanding.Add(-1)
				begun := time.Now()
				err := call()
				l.add(time.Since(begun), err)
			})
		}
	}
	l.took = time.Since(start)
	wg.Wait()
	return l
}

// longGame returns a game of n steps between pieces that keep out of each other's reach.
func longGame(b *testing.B, n int) *emergov1.Game {
	const position = "6a@1a@/7a@1/9/9/9/9/9/1A@7/A@1A@6 w 40 0,0"
	start, err := emergo.ParsePosition(position)
	if err != nil {
		b.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	game, seen := emergo.NewGame(start, emergo.Rules{}), map[uint64]int{}
	var moves []string
	for len(moves) < n {
		legal := game.AppendMoves(nil)
		quiet := slices.DeleteFunc(legal, func(m emergo.Move) bool {
			next := game.Position().Play(m)
			return seen[next.Key()] == 2 || next.CanCapture(emergo.White) || next.CanCapture(emergo.Black)
		})
		if len(quiet) == 0 {
			b.Fatalf("no way on after %d moves", len(moves))
		}
		m := quiet[random.IntN(len(quiet))]
		game.Play(m)
		seen[game.Position().Key()]++
		moves = append(moves, m.String())
	}
	return &emergov1.Game{Position: position, Moves: moves}
}

// metric returns the value of a metric without labels.
func metric(b *testing.B, url, name string) float64 {
	response, err := http.Get(url)
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), name+" "); ok {
			value, err := strconv.ParseFloat(text, 64)
			if err != nil {
				b.Fatal(err)
			}
			return value
		}
	}
	b.Fatalf("%s has no %s", url, name)
	return 0
}
