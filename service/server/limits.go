package server

import (
	"context"
	"math"
	"strings"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
)

// isHealth reports whether a method is one of the health service's, which load balancers call and
// which must answer when the server is at its limits.
func isHealth(method string) bool { return strings.HasPrefix(method, "/grpc.health.v1.Health/") }

// A shedder turns calls away early when too many are being worked on.
type shedder struct {
	most     int64 // 0 for no limit
	inFlight atomic.Int64
	shed     prometheus.Counter
}

// shedRetry is long enough for a queue of calls of microseconds to have gone.
const shedRetry = 100 * time.Millisecond

var errShed = newError(codes.ResourceExhausted, "OVERLOADED",
	"The server has too many calls to work on: try again after a moment.", shedRetry)

func (s *shedder) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	if isHealth(info.FullMethod) {
		return handler(ctx, req)
	}
	defer s.inFlight.Add(-1)
	if s.inFlight.Add(1) > s.most && s.most > 0 {
		s.shed.Inc()
		return nil, errShed
	}
	return handler(ctx, req)
}

// maxCallers bounds how many callers' rates are remembered; one that is forgotten starts anew.
const maxCallers = 10_000

// A rateLimiter holds a token bucket for each caller.
type rateLimiter struct {
	rate    rate.Limit
	burst   int
	buckets *lru.Cache[string, *rate.Limiter]
	limited prometheus.Counter
	retry   error // the same for all: one token's time
}

func newRateLimiter(perSecond float64, burst int, limited prometheus.Counter) (*rateLimiter, error) {
	buckets, err := lru.New[string, *rate.Limiter](maxCallers)
	if err != nil {
		return nil, err
	}
	wait := time.Duration(math.Ceil(float64(time.Second) / perSecond))
	return &rateLimiter{
		rate: rate.Limit(perSecond), burst: burst, buckets: buckets, limited: limited,
		retry: newError(codes.ResourceExhausted, "RATE_LIMITED",
			"The caller makes more calls than it may: try again later, and less often.", max(wait, time.Millisecond)),
	}, nil
}

func (l *rateLimiter) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	if !isHealth(info.FullMethod) && !l.bucket(callerKey(ctx)).Allow() {
		l.limited.Inc()
		return nil, l.retry
	}
	return handler(ctx, req)
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

// deadline bounds how long a call may take.
func deadline(most time.Duration) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		if until, ok := ctx.Deadline(); ok && time.Until(until) <= most {
			return handler(ctx, req)
		}
		ctx, cancel := context.WithTimeout(ctx, most)
		defer cancel()
		return handler(ctx, req)
	}
}
