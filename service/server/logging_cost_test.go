package server

import (
	"context"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/logging"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
)

// logs is a log at a level that goes nowhere but is written all the same.
func logs(level slog.Level) *slog.Logger {
	return NewLogger(io.Discard, Config{LogLevel: level, LogFormat: "json"})
}

// inCall returns the context of a call as the call log finds it.
func inCall() context.Context {
	ctx := peer.NewContext(context.Background(), &peer.Peer{Addr: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 50000}})
	return context.WithValue(ctx, callInfoKey{}, &callInfo{requestID: "A2B3C4", client: "alice"})
}

var (
	probeInfo      = &grpc.UnaryServerInfo{FullMethod: "/test.v1.ProbeService/Call"}
	answered   any = new(int)
	errNoMove      = status.Error(codes.InvalidArgument, "no such move")
	succeeding     = func(context.Context, any) (any, error) { return answered, nil }
	failing        = func(context.Context, any) (any, error) { return nil, errNoMove }
)

// A successful call costs the log nothing unless it is told of, and then a handful.
func TestAllocationsOfTheCallLog(t *testing.T) {
	for _, c := range []struct {
		name    string
		level   slog.Level
		handler grpc.UnaryHandler
		most    float64
	}{
		{"not logged", slog.LevelInfo, succeeding, 0},
		{"logged", slog.LevelDebug, succeeding, 6},
		{"failed, not logged", slog.LevelWarn, failing, 0},
		{"failed, logged", slog.LevelInfo, failing, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls, ctx := callLog{logs(c.level), time.Hour}, inCall()
			allocations := testing.AllocsPerRun(1000, func() { _, _ = calls.unary(ctx, nil, probeInfo, c.handler) })
			if allocations > c.most {
				t.Errorf("a call costs %v allocations, want at most %v", allocations, c.most)
			}
			t.Logf("%v allocations a call", allocations)
		})
	}
}

// BenchmarkCallLog compares the call log with that of go-grpc-middleware, both on the same slog
// handler.
func BenchmarkCallLog(b *testing.B) {
	stock := func(log *slog.Logger) grpc.UnaryServerInterceptor {
		return logging.UnaryServerInterceptor(
			logging.LoggerFunc(func(ctx context.Context, level logging.Level, msg string, fields ...any) {
				// As its documentation advises.
				log.Log(ctx, slog.Level(level), msg, fields...)
			}),
			logging.WithLogOnEvents(logging.FinishCall),
			logging.WithLevels(func(code codes.Code) logging.Level { return logging.Level(callLevel(code)) }),
		)
	}
	for _, c := range []struct {
		name  string
		level slog.Level
	}{{"not_logged", slog.LevelInfo}, {"logged", slog.LevelDebug}} {
		for name, intercept := range map[string]grpc.UnaryServerInterceptor{
			"ours":       callLog{logs(c.level), time.Hour}.unary,
			"middleware": stock(logs(c.level)),
		} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				ctx := inCall()
				b.ReportAllocs()
				for b.Loop() {
					_, _ = intercept(ctx, nil, probeInfo, succeeding)
				}
			})
		}
	}
}
