package server

import (
	"context"
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/tap"
)

// isHealth reports whether a method is one of the health service's, which load balancers call and
// which must answer when the server is at its limits.
func isHealth(method string) bool { return strings.HasPrefix(method, "/grpc.health.v1.Health/") }

// isEndless reports whether a method is a stream that may go on for as long as its caller likes.
func isEndless(method string) bool {
	return method == healthv1.Health_Watch_FullMethodName || strings.HasPrefix(method, "/grpc.reflection.")
}

// A shedder turns calls away when there are more than can be worked on: when too many are being
// worked on, or when a call has waited, or would have to wait, too long. The second is what happens
// under load, since calls that only compute are worked on one after the other; to turn some away at
// once keeps the wait of the others short. A call is worked on once its request has been read, or
// slow callers could use up the limit.
type shedder struct {
	mostCalls   int64         // worked on at once; 0 for no limit
	longestWait time.Duration // 0 for no limit
	processors  int64         // that work on calls
	inFlight    atomic.Int64  // calls being worked on
	open        atomic.Int64  // those and calls whose request is still to come
	aside       atomic.Int64  // calls that stepped aside, which are in neither
	usual       atomic.Int64  // how long a call is worked on, in nanoseconds: a moving average
	shed        prometheus.Counter
}

// expected returns how long a call that arrives now would have to wait, as far as can be told from
// the calls before it.
func (s *shedder) expected() time.Duration {
	return time.Duration(s.open.Load() * s.usual.Load() / s.processors)
}

// worked notes how long a call was worked on.
func (s *shedder) worked(d time.Duration) {
	const weight = 32 // of the calls before; updates that get lost do not matter
	usual := s.usual.Load()
	s.usual.Store(usual + (int64(d)-usual)/weight)
}

// turnAway counts a call as shed and returns its error.
func (s *shedder) turnAway(ctx context.Context) error {
	s.shed.Inc()
	pushBack(ctx, shedRetry)
	return errShed
}

// shedRetry is long enough for a queue to have gone.
const shedRetry = 100 * time.Millisecond

var errShed = newError(codes.ResourceExhausted, "OVERLOADED",
	"The server has more calls than it can work on: try again after a moment.", shedRetry)

func (s *shedder) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	if isHealth(info.FullMethod) {
		return handler(ctx, req)
	}
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave(aboutCall(ctx))
	return handler(ctx, req)
}

// stream is unary for streams. Those that may go on for ever are few, and are not shed.
func (s *shedder) stream(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
	ctx := stream.Context()
	if isEndless(info.FullMethod) {
		return handler(srv, stream)
	}
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.leave(aboutCall(ctx))
	return handler(srv, stream)
}

func (s *shedder) enter(ctx context.Context) error {
	about := aboutCall(ctx)
	// Looked at before the request is read, for what is shed here costs least; begin has the last
	// word.
	if s.mostCalls > 0 && s.inFlight.Load() >= s.mostCalls ||
		s.longestWait > 0 && max(time.Since(about.arrived), s.expected()) > s.longestWait {
		return s.turnAway(ctx)
	}
	about.shedder = s
	s.open.Add(1)
	return nil
}

func (s *shedder) leave(about *callInfo) {
	if about.aside {
		s.aside.Add(-1)
		return
	}
	s.open.Add(-1)
	if about.working() {
		s.inFlight.Add(-1)
		s.worked(time.Since(about.begun))
	}
}

// StepAside tells that what is left of a call takes long on purpose and is bounded elsewhere: other
// calls are not shed because of it, and it is not logged as slow.
func StepAside(ctx context.Context) {
	about := aboutCall(ctx)
	if about == nil || about.shedder == nil || about.aside {
		return
	}
	about.shedder.aside.Add(1) // first, or a stop might see neither
	about.shedder.leave(about)
	about.aside = true
}

// unfinished returns how many calls there are, of any kind.
func (s *shedder) unfinished() int64 { return s.open.Load() + s.aside.Load() }

// pushBack tells gRPC clients that retry by themselves when to try again, or never if after is
// negative. They do not look at google.rpc.RetryInfo.
func pushBack(ctx context.Context, after time.Duration) {
	milliseconds := "-1"
	if after >= 0 {
		milliseconds = strconv.FormatInt(after.Milliseconds(), 10)
	}
	_ = grpc.SetTrailer(ctx, metadata.Pairs("grpc-retry-pushback-ms", milliseconds)) // fails outside of calls only
}

// arrive returns what happens when a call's header has been read, before there is a goroutine for
// it: the time is noted, and the call is given no longer than most, which bounds the reading of its
// request too. Streams are not calls in this sense: they may go on.
func arrive(most time.Duration) tap.ServerInHandle {
	return func(ctx context.Context, info *tap.Info) (context.Context, error) {
		now := time.Now()
		ctx = context.WithValue(ctx, callInfoKey{}, &callInfo{arrived: now})
		if isEndless(info.FullMethodName) {
			return ctx, nil
		}
		if until, ok := ctx.Deadline(); ok && until.Sub(now) <= most {
			return ctx, nil
		}
		bounded, cancel := context.WithTimeout(ctx, most)
		_ = cancel // gRPC cancels ctx, and so this one, at the end of the call
		return bounded, nil
	}
}

// maxCallers bounds how many callers' rates are remembered; one that is forgotten starts anew.
const maxCallers = 10_000

// A rateLimiter holds a token bucket for each caller.
type rateLimiter struct {
	rate    rate.Limit
	burst   int
	buckets *lru.Cache[string, *rate.Limiter]
	limited prometheus.Counter
	wait    time.Duration // until there is one more token
	retry   error
}

func newRateLimiter(perSecond float64, burst int, limited prometheus.Counter) (*rateLimiter, error) {
	buckets, err := lru.New[string, *rate.Limiter](maxCallers)
	if err != nil {
		return nil, err
	}
	wait := max(time.Duration(math.Ceil(float64(time.Second)/perSecond)), time.Millisecond)
	return &rateLimiter{
		rate: rate.Limit(perSecond), burst: burst, buckets: buckets, limited: limited, wait: wait,
		retry: newError(codes.ResourceExhausted, "RATE_LIMITED",
			"The caller makes more calls than it may: try again later, and less often.", wait),
	}, nil
}

func (l *rateLimiter) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	if !isHealth(info.FullMethod) && !l.bucket(callerKey(ctx)).Allow() {
		l.limited.Inc()
		pushBack(ctx, l.wait)
		return nil, l.retry
	}
	return handler(ctx, req)
}

// stream charges the caller for each message it sends.
func (l *rateLimiter) stream(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
	if isHealth(info.FullMethod) {
		return handler(srv, stream)
	}
	return handler(srv, limitedStream{stream, l})
}

type limitedStream struct {
	grpc.ServerStream
	limiter *rateLimiter
}

func (s limitedStream) RecvMsg(message any) error {
	if err := s.ServerStream.RecvMsg(message); err != nil {
		return err
	}
	if !s.limiter.bucket(callerKey(s.Context())).Allow() {
		s.limiter.limited.Inc()
		return s.limiter.retry
	}
	return nil
}

func (l *rateLimiter) bucket(caller string) *rate.Limiter {
	if bucket, ok := l.buckets.Get(caller); ok {
		return bucket
	}
	bucket := rate.NewLimiter(l.rate, l.burst)
	if earlier, ok, _ := l.buckets.PeekOrAdd(caller, bucket); ok {
		return earlier
	}
	return bucket
}
