package server

import (
	"context"
	"io"
	"log/slog"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
)

// NewLogger returns the logger that a configuration asks for.
func NewLogger(w io.Writer, c Config) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// A callLog writes one line for each call. The middleware's own logging allocates some thirty times
// a call even if nothing is logged; this allocates nothing then.
type callLog struct {
	log  *slog.Logger
	slow time.Duration
}

func (l callLog) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	start := time.Now()
	resp, err := handler(ctx, req)
	l.finished(ctx, info.FullMethod, start, err)
	return resp, err
}

func (l callLog) stream(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
	start := time.Now()
	err := handler(srv, stream)
	l.slow = 0 // a stream is meant to last
	l.finished(stream.Context(), info.FullMethod, start, err)
	return err
}

func (l callLog) finished(ctx context.Context, method string, start time.Time, err error) {
	duration := time.Since(start)
	if err != nil {
		if _, ok := status.FromError(err); !ok {
			err = status.FromContextError(err).Err() // as gRPC answers it
		}
	}
	code := status.Code(err)
	level := callLevel(code)
	message := "call"
	about := aboutCall(ctx)
	if level < slog.LevelWarn && duration > l.slow && l.slow > 0 && !(about != nil && about.aside) {
		level, message = slog.LevelWarn, "slow call"
	}
	if !l.log.Enabled(ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, 7)
	attrs = append(attrs,
		slog.String("method", method),
		slog.String("code", code.String()),
		slog.Duration("duration", duration),
		slog.String("request_id", requestID(ctx)),
	)
	if p, ok := peer.FromContext(ctx); ok {
		attrs = append(attrs, slog.String("peer", p.Addr.String()))
	}
	if client := clientName(ctx); client != "" {
		attrs = append(attrs, slog.String("client", client))
	}
	if err != nil {
		attrs = append(attrs, slog.String("error", status.Convert(err).Message()))
	}
	l.log.LogAttrs(ctx, level, message, attrs...)
}

// callLevel is debug for what goes well, for what its caller gave up, and for what is turned away,
// which comes in floods and is counted; info for what is the caller's fault, warn for what the
// server could not do in time, and error for what it could not do at all.
func callLevel(code codes.Code) slog.Level {
	switch code {
	case codes.OK, codes.Canceled, codes.ResourceExhausted, codes.Unauthenticated:
		return slog.LevelDebug
	case codes.Unavailable, codes.DeadlineExceeded:
		return slog.LevelWarn
	case codes.Unknown, codes.Internal, codes.DataLoss:
		return slog.LevelError
	}
	return slog.LevelInfo
}
