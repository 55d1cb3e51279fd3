package emergorules

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/status"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// An evaluator searches for calls, a bounded number of them at a time. It is safe for concurrent use.
type evaluator struct {
	free      chan *search.Searcher // one for each slot that is not taken
	slots     int
	waiting   atomic.Int64
	mayWait   int64
	usual     atomic.Int64 // how long a slot is held, in nanoseconds: a moving average
	mostTime  time.Duration
	mostNodes uint64
	tables    *endgame.Tables
	metrics   *evaluatorMetrics
	stopping  context.Context // ends when evaluations must, for the server stops
	stop      func()
}

func newEvaluator(c Config) (*evaluator, error) {
	tables, tableBytes, err := c.open()
	if err != nil {
		return nil, err
	}
	e := &evaluator{
		slots: c.Slots(), mayWait: int64(c.EvaluateQueue), mostTime: c.EvaluateMaxTime, mostNodes: uint64(c.EvaluateMaxNodes),
		tables: tables,
	}
	e.free = make(chan *search.Searcher, e.slots)
	for range e.slots {
		e.free <- search.New(tableBytes, tables)
	}
	e.stopping, e.stop = context.WithCancel(context.Background())
	e.metrics = newEvaluatorMetrics(e)
	return e, nil
}

// endBy makes all evaluations, those that wait too, end in time to be answered by a moment.
func (e *evaluator) endBy(moment time.Time) {
	time.AfterFunc(time.Until(ahead(moment, mostStopMargin)), e.stop)
}

// lookUp answers what needs no search, and so no slot.
func (e *evaluator) lookUp(g *emergo.Game, lines int) (search.Result, bool) {
	result, ok := search.LookUp(g, lines, e.tables)
	if ok {
		e.metrics.searched(result)
	}
	return result, ok
}

// search searches as soon as there is a slot, within limits, the operator's bounds and the deadline of
// ctx. It returns the limits that were in force. Its error is that there is no slot in time, that the
// caller has gone, that its deadline has passed before anything was found, or server.ErrStopping,
// which comes with what has been found by then.
func (e *evaluator) search(ctx context.Context, g *emergo.Game, l search.Limits, report func(search.Result)) (search.Result, search.Limits, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(e.stopping, func() { cancel(server.ErrStopping) })()
	var end time.Time
	if deadline, ok := ctx.Deadline(); ok {
		end = ahead(deadline, mostMargin)
	}
	searcher, err := e.acquire(ctx, end)
	if err != nil {
		return search.Result{}, l, err
	}
	defer e.release(searcher, time.Now())
	if e.stopping.Err() != nil { // a slot came free, but no time to find anything worth telling
		return search.Result{}, l, server.ErrStopping
	}
	l.Nodes = bounded(l.Nodes, e.mostNodes)
	l.Time = bounded(l.Time, e.mostTime)
	if !end.IsZero() {
		l.Time = max(min(l.Time, time.Until(end)), 1)
	}
	result := searcher.Search(polite{ctx}, g, l, report)
	e.metrics.searched(result)
	if result.Depth > 0 && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return result, l, nil
	}
	return result, l, ended(ctx)
}

// ended returns why ctx has ended as the error of a call, or nil if it has not.
func ended(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	if errors.Is(context.Cause(ctx), server.ErrStopping) {
		return server.ErrStopping
	}
	return status.FromContextError(ctx.Err()).Err()
}

// bounded returns a limit, of which 0 is none, that is no larger than most.
func bounded[T uint64 | time.Duration](limit, most T) T {
	if limit == 0 {
		return most
	}
	return min(limit, most)
}

// ahead returns when a search must end for its answer to be there by a moment: a few milliseconds are
// for the search to notice and for the way back, up to most on a busy machine.
func ahead(moment time.Time, most time.Duration) time.Time {
	return moment.Add(-min(max(time.Until(moment)/10, 3*time.Millisecond), most))
}

const (
	mostMargin     = 20 * time.Millisecond
	mostStopMargin = 500 * time.Millisecond // then all evaluations are answered at once
)

// acquire returns the Searcher of a slot. If none is free, it waits for one until end, or as long as ctx
// lasts if there is no end; those who wait are served in the order in which they came. It refuses if too
// many wait already, or end comes first.
func (e *evaluator) acquire(ctx context.Context, end time.Time) (*search.Searcher, error) {
	select {
	case s := <-e.free:
		e.metrics.waited.Observe(0)
		return s, nil
	default:
	}
	position := e.waiting.Add(1)
	defer e.waiting.Add(-1)
	if position > e.mayWait {
		return nil, e.refuse(ctx, "The server has more evaluations than it can work on: try again after a moment.")
	}
	var late <-chan time.Time
	if !end.IsZero() {
		timer := time.NewTimer(time.Until(end))
		defer timer.Stop()
		late = timer.C
	}
	start := time.Now()
	select {
	case s := <-e.free:
		e.metrics.waited.Observe(time.Since(start).Seconds())
		return s, nil
	case <-late:
		return nil, e.refuse(ctx, "Other evaluations took until the call's deadline: allow more time, or try again after a moment.")
	case <-ctx.Done():
		return nil, ended(ctx)
	}
}

func (e *evaluator) release(s *search.Searcher, taken time.Time) {
	const weight = 8 // of the searches before; updates that get lost do not matter
	usual := e.usual.Load()
	e.usual.Store(usual + (int64(time.Since(taken))-usual)/weight)
	e.free <- s
}

// refuse turns a call away that there is no slot for. sentence says why.
func (e *evaluator) refuse(ctx context.Context, sentence string) error {
	e.metrics.rejected.Inc()
	return server.Overloaded(ctx, sentence, min(max(e.expected(e.waiting.Load()), leastRetry), longestRetry))
}

// expected returns how long an evaluation will wait that is the n-th in the queue, going by those
// before.
func (e *evaluator) expected(n int64) time.Duration {
	return time.Duration(e.usual.Load() * n / int64(e.slots))
}

// A refused call is told to come back when those that wait have gone, as far as can be told, but not
// at once, nor so late that it would not.
const (
	leastRetry   = 50 * time.Millisecond
	longestRetry = 10 * time.Second
)
