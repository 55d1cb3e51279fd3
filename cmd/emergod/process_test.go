package main

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// run runs emergod to its end.
func run(t *testing.T, env []string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := command(t, args...)
	cmd.Env = append(append(cmd.Env, "GORACE=atexit_sleep_ms=0"), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// A process is an emergod that serves.
type process struct {
	cmd     *exec.Cmd
	address string
	admin   string // host:port
	log     chan string
}

// serve starts emergod on free ports.
func serve(t *testing.T, args ...string) *process {
	t.Helper()
	return serveCommandLine(t, command(t, append([]string{"--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0"}, args...)...))
}

// serveCommandLine starts an emergod on ports that it logs.
func serveCommandLine(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	// The machine that tests may be busy, and has no time for the race detector to sleep.
	cmd.Env = append(cmd.Env, "EMERGOD_MAX_WAIT=0", "GORACE=atexit_sleep_ms=0")
	address, metrics, log := startCommand(t, cmd)
	p := &process{cmd: cmd, address: address, log: make(chan string, 1)}
	p.admin = strings.TrimSuffix(strings.TrimPrefix(metrics, "http://"), "/metrics")
	go func() {
		rest, _ := io.ReadAll(log) // as much as there is
		p.log <- string(rest)
	}()
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it should have ended
	return p
}

func (p *process) signal(t *testing.T, signal syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
}

// ended waits for the end, and returns the rest of the log.
func (p *process) ended(t *testing.T) (log string, state *os.ProcessState) {
	t.Helper()
	select {
	case log = <-p.log:
	case <-time.After(time.Minute):
		t.Fatal("emergod does not end")
	}
	_ = p.cmd.Wait() // the state tells
	return log, p.cmd.ProcessState
}

// connect opens a connection to emergod without TLS.
func (p *process) connect(t *testing.T) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient(p.address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// readiness returns what /readyz answers, or 0.
func (p *process) readiness() int {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	response, err := client.Get("http://" + p.admin + "/readyz")
	if err != nil {
		return 0
	}
	response.Body.Close()
	return response.StatusCode
}

// await waits until something holds; a minute is for the busiest of machines.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("in vain awaited: %s", what)
		}
	}
}

func (p *process) awaitReadiness(t *testing.T, status int) {
	t.Helper()
	await(t, http.StatusText(status), func() bool { return p.readiness() == status })
}

// freePort returns an address on which nobody listens.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
