package server

import (
	"context"
	"log/slog"
	"runtime/debug"

	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/recovery"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
)

// A chain is what stands around each call.
type chain struct {
	metrics *metrics
	log     *slog.Logger
	calls   callLog
	shed    *shedder
	auth    *authenticator // nil if everybody may call
	rates   *rateLimiter   // nil if there is no limit
	config  Config
}

// unary returns the interceptors, outermost first. Whatever is refused further in is counted and
// logged further out; a panic in the service is stopped innermost, so that it is too, and one in the
// chain is stopped within the metrics.
func (c *chain) unary() []grpc.UnaryServerInterceptor {
	guard := recovery.UnaryServerInterceptor(recovery.WithRecoveryHandlerContext(c.recover))
	chain := []grpc.UnaryServerInterceptor{
		introduceUnary,
		guard, // for the metrics themselves
		c.metrics.calls.UnaryServerInterceptor(c.exemplars()...),
		guard,
		c.calls.unary,
		c.shed.unary,
	}
	if c.auth != nil {
		chain = append(chain, c.auth.unary)
	}
	if c.rates != nil {
		chain = append(chain, c.rates.unary)
	}
	return append(chain, guard)
}

// stream is unary for streams.
func (c *chain) stream() []grpc.StreamServerInterceptor {
	guard := recovery.StreamServerInterceptor(recovery.WithRecoveryHandlerContext(c.recover))
	chain := []grpc.StreamServerInterceptor{
		introduceStream,
		guard,
		c.metrics.calls.StreamServerInterceptor(c.exemplars()...),
		guard,
		c.calls.stream,
		c.shed.stream,
	}
	if c.auth != nil {
		chain = append(chain, c.auth.stream)
	}
	if c.rates != nil {
		chain = append(chain, c.rates.stream)
	}
	return append(chain, explainStream, guard)
}

// recover counts and logs a panic, and keeps what it was from the caller.
func (c *chain) recover(ctx context.Context, cause any) error {
	c.metrics.panics.Inc()
	c.log.ErrorContext(ctx, "panic", "cause", cause, "request_id", requestID(ctx), "stack", string(debug.Stack()))
	return errInternal
}

var errInternal = newError(codes.Internal, "INTERNAL", "The server failed to answer; its operator can find out why.", 0)
