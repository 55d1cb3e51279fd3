package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// begin begins a call that is in flight until its request is sent.
func begin(t *testing.T, conn *grpc.ClientConn) grpc.ClientStream {
	t.Helper()
	call, err := conn.NewStream(t.Context(), &grpc.StreamDesc{ClientStreams: true}, emergov1.RulesService_NewGame_FullMethodName)
	if err != nil {
		t.Fatal(err)
	}
	// The answer to a later call on the connection shows that the server has seen this one.
	if err := play(t.Context(), conn); err != nil {
		t.Fatal(err)
	}
	return call
}

func finish(call grpc.ClientStream) error {
	if err := call.SendMsg(&emergov1.NewGameRequest{}); err != nil {
		return err
	}
	if err := call.CloseSend(); err != nil {
		return err
	}
	return call.RecvMsg(new(emergov1.NewGameResponse))
}

func play(ctx context.Context, conn *grpc.ClientConn) error {
	_, err := emergov1.NewRulesServiceClient(conn).NewGame(ctx, &emergov1.NewGameRequest{})
	return err
}

func (p *process) listens() bool {
	conn, err := net.Dial("tcp", p.address)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// The whole of a stop: unready but serving, then no new calls, then those in flight finish.
func TestStopByTurns(t *testing.T) {
	t.Parallel()
	p := serve(t, "--shutdown-delay=3s", "--drain-timeout=1h")
	conn := p.connect(t)
	health := healthv1.NewHealthClient(conn)
	watch, err := health.Watch(t.Context(), &healthv1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if first, err := watch.Recv(); err != nil || first.GetStatus() != healthv1.HealthCheckResponse_SERVING {
		t.Fatalf("health is %v, %v", first.GetStatus(), err)
	}
	p.awaitReadiness(t, http.StatusOK)
	inFlight := begin(t, conn)

	p.signal(t, syscall.SIGTERM)
	p.awaitReadiness(t, http.StatusServiceUnavailable)
	if second, err := watch.Recv(); err != nil || second.GetStatus() != healthv1.HealthCheckResponse_NOT_SERVING {
		t.Errorf("health is %v, %v", second.GetStatus(), err)
	}
	for _, service := range []string{"", "emergo.v1.RulesService"} {
		checked, err := health.Check(t.Context(), &healthv1.HealthCheckRequest{Service: service})
		if err != nil || checked.GetStatus() != healthv1.HealthCheckResponse_NOT_SERVING {
			t.Errorf("health of %q is %v, %v", service, checked.GetStatus(), err)
		}
	}
	if err := play(t.Context(), conn); err != nil {
		t.Errorf("during the delay a call is answered %v", err)
	}
	if err := play(t.Context(), p.connect(t)); err != nil {
		t.Errorf("during the delay a call of a new client is answered %v", err)
	}
	await(t, "the end of listening", func() bool { return !p.listens() })
	if err := finish(inFlight); err != nil {
		t.Errorf("the call in flight is answered %v", err)
	}
	log, state := p.ended(t)
	if state.ExitCode() != exitOK || !strings.Contains(log, "msg=stopped") {
		t.Errorf("emergod ends with %s:\n%s", state, log)
	}
}

func TestOtherSignalsStopToo(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			p := serve(t)
			p.signal(t, signal)
			if log, state := p.ended(t); state.ExitCode() != exitOK || !strings.Contains(log, "msg=stopped") {
				t.Errorf("emergod ends with %s:\n%s", state, log)
			}
		})
	}
}

// A terminal that is closed may send a hangup twice, by its shell and by the system.
func TestHangupTwiceIsOneStop(t *testing.T) {
	t.Parallel()
	p := serve(t, "--drain-timeout=1h")
	inFlight := begin(t, p.connect(t))
	p.awaitReadiness(t, http.StatusOK)
	p.signal(t, syscall.SIGHUP)
	await(t, "the end of listening", func() bool { return !p.listens() })
	p.signal(t, syscall.SIGHUP)
	if err := finish(inFlight); err != nil {
		t.Errorf("the call in flight is answered %v", err)
	}
	if log, state := p.ended(t); state.ExitCode() != exitOK {
		t.Errorf("emergod ends with %s:\n%s", state, log)
	}
}

func TestUnderNohupAHangupIsNoStop(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `trap "" HUP; exec "$0" "$@"`, os.Args[0], "--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0")
	cmd.Env = append(os.Environ(), asCommand+"=1")
	p := serveCommandLine(t, cmd)
	p.signal(t, syscall.SIGHUP)
	if err := play(t.Context(), p.connect(t)); err != nil {
		t.Errorf("after a hangup a call is answered %v", err)
	}
	p.signal(t, syscall.SIGTERM)
	if log, state := p.ended(t); state.ExitCode() != exitOK {
		t.Errorf("emergod ends with %s:\n%s", state, log)
	}
}

// The server outlives the reader of its log, as in "emergod 2>&1 | head -1".
func TestGoesOnWithoutItsLog(t *testing.T) {
	t.Parallel()
	cmd := command(t, "--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0", "--log-level=debug")
	address, _, log := startCommand(t, cmd)
	log.Close()
	p := &process{cmd: cmd, address: address}
	conn := p.connect(t)
	for range 3 { // each is logged
		if err := play(t.Context(), conn); err != nil {
			t.Errorf("without a log a call is answered %v", err)
		}
	}
	p.signal(t, syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Errorf("emergod ends with %v", err)
	}
}

// A supervisor does not restart a server whose settings are wrong, but one that has crashed.
func TestWrongSettingsAreNoCrash(t *testing.T) {
	const crashed = 2 // by Go's runtime
	if exitConfig == crashed {
		t.Errorf("wrong settings end emergod with %d, as a crash does", exitConfig)
	}
	unit, err := os.ReadFile("../../deploy/systemd/emergod.service")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("\nRestartPreventExitStatus=%d\n", exitConfig); !strings.Contains(string(unit), want) {
		t.Errorf("the unit does not say %s", want)
	}
}

// Streams that last for ever do not hold the stop up.
func TestStreamsAreCutShort(t *testing.T) {
	t.Parallel()
	p := serve(t, "--drain-timeout=1h")
	conn := p.connect(t)
	watch, err := healthv1.NewHealthClient(conn).Watch(t.Context(), &healthv1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := watch.Recv(); err != nil {
		t.Fatal(err)
	}
	reflection, err := conn.NewStream(t.Context(), &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo")
	if err != nil {
		t.Fatal(err)
	}
	if err := play(t.Context(), conn); err != nil {
		t.Fatal(err)
	}
	p.signal(t, syscall.SIGTERM)
	if log, state := p.ended(t); state.ExitCode() != exitOK {
		t.Errorf("emergod ends with %s:\n%s", state, log)
	}
	if err := reflection.RecvMsg(new(healthv1.HealthCheckResponse)); err == nil || err == io.EOF {
		t.Errorf("the reflection ends with %v", err)
	}
}

func TestCallsAreCutOffAfterTheDrainTimeout(t *testing.T) {
	t.Parallel()
	p := serve(t, "--drain-timeout=100ms")
	inFlight := begin(t, p.connect(t))
	p.signal(t, syscall.SIGTERM)
	log, state := p.ended(t)
	if state.ExitCode() != exitCutOff || !strings.Contains(log, "msg=stopped") {
		t.Errorf("emergod ends with %s:\n%s", state, log)
	}
	if err := inFlight.RecvMsg(new(emergov1.NewGameResponse)); err == nil {
		t.Error("the call that was cut off is answered")
	}
}

// Whether the delay lasts or calls are in flight, a second signal ends emergod there and then.
func TestSecondSignalStopsAtOnce(t *testing.T) {
	for _, c := range []struct{ name, delay, drain string }{
		{"during the delay", "--shutdown-delay=1h", "--drain-timeout=1h"},
		{"while draining", "--shutdown-delay=0s", "--drain-timeout=1h"},
	} {
		for _, second := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
			t.Run(c.name+" "+second.String(), func(t *testing.T) {
				t.Parallel()
				p := serve(t, c.delay, c.drain)
				p.awaitReadiness(t, http.StatusOK)
				begin(t, p.connect(t))
				p.signal(t, syscall.SIGTERM)
				p.awaitReadiness(t, http.StatusServiceUnavailable)
				p.signal(t, second)
				_, state := p.ended(t)
				if status, ok := state.Sys().(syscall.WaitStatus); !ok || state.Success() || !status.Signaled() || status.Signal() != second {
					t.Errorf("emergod ends with %s", state)
				}
			})
		}
	}
}

// Who starts emergod learns from one line and the status what is wrong.
func TestStartThatFails(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for setting, c := range map[string]struct {
		args   []string
		status int
	}{
		"--listen: ":       {[]string{"--listen=" + taken.Addr().String(), "--admin-listen="}, exitFailed},
		"--admin-listen: ": {[]string{"--listen=127.0.0.1:0", "--admin-listen=" + taken.Addr().String()}, exitFailed},
		"--max-deadline: ": {[]string{"--max-deadline=0s"}, exitConfig},
		"--listen: b":      {[]string{"--listen=0.0.0.0:0"}, exitConfig},
		"--log-level: ":    {[]string{"--log-level=loud"}, exitConfig},
	} {
		_, stderr, status := run(t, nil, c.args...)
		first, _, _ := strings.Cut(stderr, "\n")
		if status != c.status || !strings.HasPrefix(first, "emergod: "+setting) {
			t.Errorf("%s: it exits with %d and says %q", setting, status, stderr)
		}
	}
}

// Traces are no reason for calls to fail, nor for a stop to last, even if nobody receives them.
func TestCollectorIsAbsent(t *testing.T) {
	t.Parallel()
	p := serve(t, "--otlp-endpoint=http://"+freePort(t), "--trace-sample-ratio=1")
	conn := p.connect(t)
	for range 20 {
		if err := play(t.Context(), conn); err != nil {
			t.Fatal(err)
		}
	}
	began := time.Now()
	p.signal(t, syscall.SIGTERM)
	log, state := p.ended(t)
	if state.ExitCode() != exitOK || !strings.Contains(log, "the last traces were not sent") {
		t.Errorf("emergod ends with %s:\n%s", state, log)
	}
	t.Logf("the stop takes %s:\n%s", time.Since(began), log)
}
