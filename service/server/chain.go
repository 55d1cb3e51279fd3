package server

import (
	"context"
	"log/slog"
	"runtime/debug"

	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/logging"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/recovery"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// unaryChain returns the interceptors, outermost first. Recovery is innermost, so that a call that
// panics is counted and logged like any other that fails.
func unaryChain(m *metrics, log *slog.Logger) []grpc.UnaryServerInterceptor {
	return []grpc.UnaryServerInterceptor{
		m.calls.UnaryServerInterceptor(),
		logging.UnaryServerInterceptor(callLogger(log), callLogging()...),
		recovery.UnaryServerInterceptor(recovery.WithRecoveryHandlerContext(m.recover(log))),
	}
}

// streamChain is unaryChain for streams, which health and reflection have.
func streamChain(m *metrics, log *slog.Logger) []grpc.StreamServerInterceptor {
	return []grpc.StreamServerInterceptor{
		m.calls.StreamServerInterceptor(),
		logging.StreamServerInterceptor(callLogger(log), callLogging()...),
		recovery.StreamServerInterceptor(recovery.WithRecoveryHandlerContext(m.recover(log))),
	}
}

func callLogger(log *slog.Logger) logging.Logger {
	return logging.LoggerFunc(func(ctx context.Context, level logging.Level, message string, fields ...any) {
		log.Log(ctx, slog.Level(level), message, fields...)
	})
}

func callLogging() []logging.Option {
	return []logging.Option{logging.WithLogOnEvents(logging.FinishCall), logging.WithLevels(callLevel)}
}

// callLevel is debug for what goes well, info for what is the caller's fault, and error for what is
// the server's.
func callLevel(code codes.Code) logging.Level {
	switch code {
	case codes.OK:
		return logging.LevelDebug
	case codes.Unknown, codes.Unimplemented, codes.Internal, codes.DataLoss:
		return logging.LevelError
	}
	return logging.LevelInfo
}

// recover counts and logs a panic, and keeps what it was from the caller.
func (m *metrics) recover(log *slog.Logger) recovery.RecoveryHandlerFuncContext {
	return func(ctx context.Context, cause any) error {
		m.panics.Inc()
		log.ErrorContext(ctx, "panic", "cause", cause, "stack", string(debug.Stack()))
		return errInternal.Err()
	}
}

var errInternal = func() *status.Status {
	st := status.New(codes.Internal, "The server failed to answer; its operator can find out why.")
	detailed, err := st.WithDetails(&errdetails.ErrorInfo{Reason: "INTERNAL", Domain: ErrorDomain})
	if err != nil {
		return st
	}
	return detailed
}()

// ErrorDomain is the domain of every google.rpc.ErrorInfo that a call is answered with.
const ErrorDomain = "emergod"
