//go:build linux

package emergorules_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/emergorules"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// Run with this variable set, the test binary is a server, of the kind that it names.
const asServer = "EMERGO_TEST_AS_SERVER"

func TestMain(m *testing.M) {
	switch os.Getenv(asServer) {
	case "bare":
		serveBare()
	case "full":
		serveFull()
	default:
		os.Exit(m.Run())
	}
}

// BenchmarkChain measures what the chain of interceptors costs a server: ApplyMove through a whole
// game, against a gRPC server without any, and against emergod's with all of it on (metrics, log at
// info, shedding, tokens, rates, deadlines). Each is a process of its own, and its processor time is
// what counts; the rounds alternate.
func BenchmarkChain(b *testing.B) {
	requests := randomGame(b)
	bare, full := startProcess(b, "bare"), startProcess(b, "full")
	const round = 500
	var bareSpent, fullSpent time.Duration
	for done := 0; done < b.N; done += round {
		n := min(round, b.N-done)
		bareSpent += bare.spend(b, n, requests)
		fullSpent += full.spend(b, n, requests)
	}
	b.ReportMetric(0, "ns/op") // wall time of both together means nothing
	b.ReportMetric(float64(bareSpent.Microseconds())/float64(b.N), "bare-cpu-µs/call")
	b.ReportMetric(float64(fullSpent)/float64(bareSpent), "cpu/bare")
}

// A process is a server apart.
type process struct {
	id     int
	client emergov1.RulesServiceClient
}

func startProcess(b *testing.B, kind string) process {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), asServer+"="+kind)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	address, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	addr, err := net.ResolveTCPAddr("tcp", strings.TrimSpace(address))
	if err != nil {
		b.Fatal(err)
	}
	return process{cmd.Process.Pid, emergov1.NewRulesServiceClient(dial(b, addr))}
}

// spend makes n calls and returns the processor time that they cost the server.
func (p process) spend(b *testing.B, n int, requests []*emergov1.ApplyMoveRequest) time.Duration {
	before := p.cpu(b)
	ctx := metadata.AppendToOutgoingContext(b.Context(), "authorization", "Bearer secret")
	turns := make(chan int, n)
	for i := range n {
		turns <- i % len(requests)
	}
	measure(b, n, func(context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second) // as in the published service config
		defer cancel()
		_, err := p.client.ApplyMove(ctx, requests[<-turns])
		return err
	})
	return p.cpu(b) - before
}

// cpu returns the processor time that the process has used, which Linux counts in hundredths of a second.
func (p process) cpu(b *testing.B) time.Duration {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.id))
	if err != nil {
		b.Fatal(err)
	}
	// After the name in parentheses: utime and stime are the 12th and 13th.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	total := 0
	for _, field := range fields[11:13] {
		ticks, err := strconv.Atoi(field)
		if err != nil {
			b.Fatal(err)
		}
		total += ticks
	}
	return time.Duration(total) * 10 * time.Millisecond
}

// serveBare serves the service with nothing around it.
func serveBare() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	s := grpc.NewServer()
	emergov1.RegisterRulesServiceServer(s, new(emergorules.Service))
	fmt.Println(listener.Addr())
	panic(s.Serve(listener))
}

// serveFull serves it as emergod does.
func serveFull() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	tokens := filepath.Join(dir, "tokens")
	// The hash of "secret".
	const line = "bench sha256:2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b\n"
	if err := os.WriteFile(tokens, []byte(line), 0o600); err != nil {
		panic(err)
	}
	config := server.DefaultConfig()
	config.Listen, config.AdminListen, config.Tokens = "127.0.0.1:0", "", tokens
	config.ClientRate, config.ClientBurst = 1e9, 1e9
	config.MaxWait = time.Hour
	s, err := server.New(config, server.NewLogger(io.Discard, config), "bench", emergorules.NewService().ForServer())
	if err != nil {
		panic(err)
	}
	_ = os.RemoveAll(dir) // it has been read; to be gone later is no matter
	fmt.Println(s.Addr())
	panic(s.Run(context.Background()))
}
