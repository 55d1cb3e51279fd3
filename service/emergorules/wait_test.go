package emergorules

import (
	"context"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// oneSlot returns a service that works on one evaluation at a time.
func oneSlot(t *testing.T) *Service {
	t.Helper()
	c := DefaultConfig()
	c.EvaluateSlots, c.EvaluateMemory = 1, 16
	s, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// However long searches took before, an evaluation waits until its own deadline: those ahead of it may be
// short.
func TestLongSearchesBeforeDoNotRefuseAShortOne(t *testing.T) {
	e := oneSlot(t).evaluator
	e.usual.Store(int64(time.Hour))
	end := time.Now().Add(time.Minute)
	ctx, cancel := context.WithDeadline(t.Context(), end)
	defer cancel()
	held, err := e.acquire(ctx, end)
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan error, 1)
	go func() {
		_, err := e.acquire(ctx, end)
		got <- err
	}()
	for e.waiting.Load() == 0 && len(got) == 0 {
		time.Sleep(time.Millisecond)
	}
	e.release(held, time.Now())
	if err := <-got; err != nil {
		t.Errorf("refused: %v", err)
	}
}

// However short a deadline is, a free slot is used, for as long as there is time; and if none is free, it
// is the deadline of which the caller is told.
func TestShortDeadline(t *testing.T) {
	e := oneSlot(t).evaluator
	for _, left := range []time.Duration{-time.Millisecond, 0, time.Microsecond, time.Millisecond, 4 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), left)
		defer cancel()
		result, limits, err := e.search(ctx, emergo.NewGame(emergo.StartPosition(emergo.Board9x9), emergo.Rules{}), search.Limits{}, nil)
		if err != nil || result.Depth == 0 || stoppedBy(result, limits) != emergov1.Stop_STOP_TIME {
			t.Errorf("%s: %+v, %v", left, result, err)
		}
		slot := <-e.free
		if _, err := e.acquire(t.Context(), time.Now().Add(left)); status.Code(err) != codes.ResourceExhausted || !strings.Contains(err.Error(), "deadline") {
			t.Errorf("%s, with no slot free: %v", left, err)
		}
		e.free <- slot
	}
}

// What was broken off before depth 1 has reached no depth; what needed no search is told by 0.
func TestDepthsThatAreCounted(t *testing.T) {
	m := oneSlot(t).evaluator.metrics
	for _, c := range []struct {
		result search.Result
		count  uint64
	}{
		{search.Result{Nodes: 1024}, 0},
		{search.Result{Settled: true}, 1},
		{search.Result{Depth: 3}, 2},
	} {
		m.searched(c.result)
		var told dto.Metric
		if err := m.depth.Write(&told); err != nil {
			t.Fatal(err)
		}
		if got := told.GetHistogram().GetSampleCount(); got != c.count {
			t.Errorf("with %+v there are %d depths, want %d", c.result, got, c.count)
		}
	}
}

// An unread stream is that of a client who reads nothing.
type unread struct {
	grpc.ServerStream
	ctx  context.Context
	full chan struct{} // closed once the client would have to read
}

func (u *unread) Context() context.Context { return u.ctx }

func (u *unread) Send(*emergov1.AnalyzeResponse) error {
	close(u.full) // there is no second message before the first is sent
	<-u.ctx.Done()
	return u.ctx.Err()
}

// A client who does not read what is found holds no slot for longer than the search takes, and its call ends
// with its deadline.
func TestUnreadAnalysisHoldsNoSlot(t *testing.T) {
	s := oneSlot(t)
	ctx, cancel := context.WithCancel(t.Context())
	stream := &unread{ctx: ctx, full: make(chan struct{})}
	ended := make(chan error, 1)
	go func() {
		ended <- s.Analyze(&emergov1.AnalyzeRequest{Limits: &emergov1.SearchLimits{Depth: 5}, Lines: 64}, stream)
	}()
	<-stream.full
	if _, err := s.Evaluate(t.Context(), &emergov1.EvaluateRequest{}); err != nil {
		t.Errorf("beside it an evaluation is answered %v", err)
	}
	select {
	case err := <-ended:
		t.Errorf("it ends by itself with %v", err)
	default:
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("what was not read has been sent")
	}
}
