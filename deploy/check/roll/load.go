//go:build unix

package main

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/health" // for healthCheckConfig
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

const (
	connections = 6
	interval    = 2500 * time.Microsecond // between calls: 400 a second
)

// A load is a number of clients that make calls at fixed times, however long earlier calls take. The
// calls are asked and answered the same throughout.
type load struct {
	conns    []*grpc.ClientConn
	clients  []emergov1.RulesServiceClient
	attempts atomic.Int64
	moves    *emergov1.LegalMovesResponse
	applied  *emergov1.ApplyMoveResponse
}

type call struct {
	method       string
	begun, ended time.Time
	err          error
}

func newLoad(ctx context.Context, serviceConfig string, addresses []string) (*load, error) {
	var state resolver.State
	for _, address := range addresses {
		state.Addresses = append(state.Addresses, resolver.Address{Addr: address})
	}
	l := new(load)
	for range connections {
		builder := manual.NewBuilderWithScheme("emergod")
		builder.InitialState(state)
		conn, err := grpc.NewClient("emergod:///",
			grpc.WithResolvers(builder),
			grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithStatsHandler(&attempts{count: &l.attempts}),
			grpc.WithDefaultServiceConfig(serviceConfig))
		if err != nil {
			l.close()
			return nil, err
		}
		l.conns = append(l.conns, conn)
		l.clients = append(l.clients, emergov1.NewRulesServiceClient(conn))
	}
	if err := l.reference(ctx); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

func (l *load) close() {
	for _, conn := range l.conns {
		conn.Close()
	}
}

// reference asks once what the calls will be answered.
func (l *load) reference(ctx context.Context) (err error) {
	if l.applied, err = l.clients[0].ApplyMove(ctx, applyMove()); err != nil {
		return err
	}
	l.moves, err = l.clients[0].LegalMoves(ctx, legalMoves())
	return err
}

func game() *emergov1.Game {
	return &emergov1.Game{Position: "9/9/9/9/9/9/2A@6/9/9 b 1 11,12"}
}
func applyMove() *emergov1.ApplyMoveRequest {
	return &emergov1.ApplyMoveRequest{Game: game(), Move: "e5"}
}
func legalMoves() *emergov1.LegalMovesRequest { return &emergov1.LegalMovesRequest{Game: game()} }

// call makes the nth call.
func (l *load) call(ctx context.Context, n int) call {
	client := l.clients[n%len(l.clients)]
	c := call{begun: time.Now()}
	var got, want proto.Message
	if n/len(l.clients)%2 == 0 {
		c.method, want = "ApplyMove", l.applied
		got, c.err = client.ApplyMove(ctx, applyMove())
	} else {
		c.method, want = "LegalMoves", l.moves
		got, c.err = client.LegalMoves(ctx, legalMoves())
	}
	c.ended = time.Now()
	if c.err == nil && !proto.Equal(got, want) {
		c.err = status.Errorf(codes.DataLoss, "the answer is %v", got)
	}
	return c
}

// during makes calls from the beginning of an event until some time after its end, and waits for all of
// them.
func (l *load) during(ctx context.Context, event func(context.Context) error) (row, error) {
	ctx, cancel := context.WithTimeout(ctx, eventLimit)
	defer cancel()
	var (
		mu    sync.Mutex
		r     row
		calls sync.WaitGroup
		first = l.attempts.Load()
		ended = make(chan error, 1)
	)
	go func() {
		err := event(ctx)
		select {
		case <-time.After(after):
		case <-ctx.Done():
		}
		ended <- err
	}()
	var err error
	next := time.Now()
	for n := 0; ; n++ {
		next = next.Add(interval)
		select {
		case err = <-ended:
		case <-time.After(time.Until(next)):
			calls.Go(func() {
				// Not ctx: if that is done, what is under way may still end.
				c := l.call(context.Background(), n)
				mu.Lock()
				defer mu.Unlock()
				r.calls = append(r.calls, c)
				if c.err != nil {
					r.failed++
				}
			})
			continue
		}
		break
	}
	calls.Wait() // at most the service config's timeout
	r.retries = l.attempts.Load() - first - int64(len(r.calls))
	if err == nil {
		err = ctx.Err()
	}
	return r, err
}

// latencies returns how long it took to answer 99% of the calls, and all of them.
func latencies(calls []call) (p99, longest time.Duration) {
	if len(calls) == 0 {
		return 0, 0
	}
	took := make([]time.Duration, len(calls))
	for i, c := range calls {
		took[i] = c.ended.Sub(c.begun)
	}
	slices.Sort(took)
	return took[(len(took)*99+99)/100-1], took[len(took)-1]
}

// attempts counts attempts at calls of the service: more than calls, if some are retried.
type attempts struct{ count *atomic.Int64 }

func (a *attempts) TagRPC(ctx context.Context, info *stats.RPCTagInfo) context.Context {
	if strings.HasPrefix(info.FullMethodName, "/"+emergov1.RulesService_ServiceDesc.ServiceName+"/") {
		a.count.Add(1)
	}
	return ctx
}
func (*attempts) HandleRPC(context.Context, stats.RPCStats)                         {}
func (*attempts) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (*attempts) HandleConn(context.Context, stats.ConnStats)                       {}
