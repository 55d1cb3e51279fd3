package server_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

func TestOneLineACall(t *testing.T) {
	config := jsonConfig()
	config.Tokens = tokensFile(t, "alice")
	r := start(t, config, succeed)
	ctx := metadata.AppendToOutgoingContext(bearing(t.Context(), "alice"), "x-request-id", "game:7.move_12-a")
	for range 3 {
		if err := callOn(ctx, r.conn); err != nil {
			t.Fatal(err)
		}
	}
	calls := r.logged(t, "call")
	if len(calls) != 3 {
		t.Fatalf("the log has %d lines of 3 calls", len(calls))
	}
	for _, call := range calls {
		for field, want := range map[string]any{
			"level": "DEBUG", "method": probeMethod, "code": "OK", "client": "alice", "request_id": "game:7.move_12-a",
		} {
			if call[field] != want {
				t.Errorf("%s is %v, want %v", field, call[field], want)
			}
		}
		if duration, ok := call["duration"].(float64); !ok || duration <= 0 || duration > float64(time.Minute) {
			t.Errorf("the duration is %v", call["duration"])
		}
		peer, _ := call["peer"].(string)
		if host, _, err := net.SplitHostPort(peer); err != nil || host != "127.0.0.1" {
			t.Errorf("the peer is %v", call["peer"])
		}
		if call["error"] != nil {
			t.Errorf("the error is %v", call["error"])
		}
	}
	if strings.Contains(r.log.String(), "alice's token") {
		t.Error("the log tells a token")
	}
}

func TestLogAsText(t *testing.T) {
	r := start(t, testConfig(), func(context.Context) error { return status.Error(codes.NotFound, "no such game") })
	_ = r.call(t)
	const want = `level=INFO msg=call method=/test.v1.ProbeService/Call code=NotFound duration=`
	if log := r.log.String(); strings.Count(log, want) != 1 || !strings.Contains(log, `error="no such game"`) {
		t.Errorf("the log says\n%s", log)
	}
}

// What is the caller's fault is no warning, what is the server's is an error, and what is turned away
// does not flood the log.
func TestLevelsByCode(t *testing.T) {
	answer := codes.OK
	r := start(t, jsonConfig(), func(context.Context) error { return status.Error(answer, "as told") })
	levels := map[codes.Code]string{
		codes.OK: "DEBUG", codes.Canceled: "DEBUG", codes.ResourceExhausted: "DEBUG", codes.Unauthenticated: "DEBUG",
		codes.Unavailable: "WARN", codes.DeadlineExceeded: "WARN",
		codes.Unknown: "ERROR", codes.Internal: "ERROR", codes.DataLoss: "ERROR",
	}
	for answer = codes.OK; answer <= codes.Unauthenticated; answer++ {
		if err := r.call(t); status.Code(err) != answer {
			t.Errorf("%s is answered %v", answer, err)
		}
		level := levels[answer]
		if level == "" {
			level = "INFO"
		}
		calls := r.logged(t, "call")
		if last := calls[len(calls)-1]; len(calls) != int(answer)+1 || last["code"] != answer.String() || last["level"] != level {
			t.Errorf("the log says %v, want %s at %s", last, answer, level)
		}
	}
}

func TestLeastLevel(t *testing.T) {
	answer := codes.OK
	config := jsonConfig()
	config.LogLevel = slog.LevelWarn
	r := start(t, config, func(context.Context) error { return status.Error(answer, "as told") })
	for _, answer = range []codes.Code{codes.OK, codes.InvalidArgument, codes.Unavailable, codes.Internal} {
		_ = r.call(t)
	}
	if calls := r.logged(t, "call"); len(calls) != 2 || calls[0]["code"] != "Unavailable" || calls[1]["code"] != "Internal" {
		t.Errorf("the log says %v", calls)
	}
}

func TestSlowCallStandsOut(t *testing.T) {
	for _, c := range []struct {
		slow time.Duration
		code codes.Code
		want string
	}{
		{time.Nanosecond, codes.OK, "WARN slow call OK"},
		{time.Nanosecond, codes.NotFound, "WARN slow call NotFound"},
		{time.Nanosecond, codes.Internal, "ERROR call Internal"}, // is worse than slow
		{time.Hour, codes.OK, "DEBUG call OK"},
		{0, codes.OK, "DEBUG call OK"}, // nothing is slow
	} {
		config := jsonConfig()
		config.SlowCall = c.slow
		r := start(t, config, func(context.Context) error { return status.Error(c.code, "as told") })
		_ = r.call(t)
		calls := append(r.logged(t, "call"), r.logged(t, "slow call")...)
		if len(calls) != 1 {
			t.Errorf("%s: the log has %d lines of a call", c.want, len(calls))
			continue
		}
		if got := fmt.Sprint(calls[0]["level"], " ", calls[0]["msg"], " ", calls[0]["code"]); got != c.want {
			t.Errorf("the log says %s, want %s", got, c.want)
		}
	}
}

// A line cannot be forged by what a caller or a service says.
func TestLogKeepsToItsLines(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		config := testConfig()
		config.LogFormat = format
		r := start(t, config, func(context.Context) error {
			return status.Error(codes.NotFound, "no\nlevel=ERROR msg=forged\r\n{\"msg\":\"forged\"}\x1b[2J")
		})
		_ = r.call(t)
		// Two lines tell where it serves.
		await(t, "three lines", func() bool { return strings.Count(r.log.String(), "\n") >= 3 })
		log := r.log.String()
		if lines := strings.Count(log, "\n"); lines != 3 || strings.ContainsAny(log, "\r\x1b") {
			t.Errorf("as %s the log has %d lines, want 3:\n%q", format, lines, log)
		}
	}
}

// A stream is meant to last: it is no slow call.
func TestStreamsAreNotSlow(t *testing.T) {
	config := jsonConfig()
	config.SlowCall = time.Nanosecond
	r := start(t, config, succeed)
	ctx, cancel := context.WithCancel(t.Context())
	watch, err := healthv1.NewHealthClient(r.conn).Watch(ctx, &healthv1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := watch.Recv(); err != nil {
		t.Fatal(err)
	}
	cancel()
	await(t, "the log of the stream", func() bool { return len(r.logged(t, "call")) == 1 })
	if slow := r.logged(t, "slow call"); len(slow) != 0 {
		t.Errorf("the log says %v", slow)
	}
}
