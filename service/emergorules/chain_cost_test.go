package emergorules_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

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
		serveFull(time.Hour)
	case "shedding":
		serveFull(1) // whatever arrives has waited longer
	default:
		os.Exit(m.Run())
	}
}

// BenchmarkChain measures what the chain of interceptors costs a server: ApplyMove through a whole
// game, against a gRPC server without any, and against emergod's with all of it on (metrics, log at
// info, shedding, tokens, rates, deadlines); and what a call costs that such a server sheds. Each is
// a process of its own, and what it spends is what counts; the rounds alternate.
func BenchmarkChain(b *testing.B) {
	requests := randomGame(b)
	servers := []struct {
		process
		want  codes.Code
		spent cost
	}{
		{process: startProcess(b, "bare")},
		{process: startProcess(b, "full")},
		{process: startProcess(b, "shedding"), want: codes.ResourceExhausted},
	}
	const round = 500
	for done := 0; done < b.N; done += round {
		n := min(round, b.N-done)
		for i := range servers {
			s := &servers[i]
			s.spent.add(s.spend(b, n, requests, s.want))
		}
	}
	bare, full, shed, n := servers[0].spent, servers[1].spent, servers[2].spent, float64(b.N)
	b.ReportMetric(0, "ns/op") // wall time of all together means nothing
	b.ReportMetric(bare.cpu*1e6/n, "bare-cpu-µs/call")
	b.ReportMetric(full.cpu/bare.cpu, "cpu/bare")
	b.ReportMetric(float64(full.allocs-bare.allocs)/n, "allocs-more")
	b.ReportMetric(shed.cpu/full.cpu, "shed-cpu/admitted")
	b.ReportMetric(float64(shed.allocs)/n, "shed-allocs")
	b.ReportMetric(float64(full.allocs)/n, "admitted-allocs")
}

// A process is a server apart. For each line that it reads it writes what it has spent.
type process struct {
	client emergov1.RulesServiceClient
	ask    io.Writer
	answer *bufio.Reader
}

func startProcess(b *testing.B, kind string) process {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), os.Args[0])
	// As emergod sets it beside the tables that evaluations have by default.
	cmd.Env = append(os.Environ(), asServer+"="+kind, "GOGC=44")
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
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
	p := process{ask: stdin, answer: bufio.NewReader(stdout)}
	address, err := p.answer.ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	addr, err := net.ResolveTCPAddr("tcp", strings.TrimSpace(address))
	if err != nil {
		b.Fatal(err)
	}
	p.client = emergov1.NewRulesServiceClient(dial(b, addr))
	return p
}

// spend makes n calls and returns what they cost the server.
func (p process) spend(b *testing.B, n int, requests []*emergov1.ApplyMoveRequest, want codes.Code) cost {
	before := p.cost(b)
	ctx := metadata.AppendToOutgoingContext(b.Context(), "authorization", "Bearer secret")
	turns := make(chan int, n)
	for i := range n {
		turns <- i % len(requests)
	}
	measure(b, n, func(context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second) // as in the published service config
		defer cancel()
		if _, err := p.client.ApplyMove(ctx, requests[<-turns]); status.Code(err) != want {
			return fmt.Errorf("the answer is %v, want %s", err, want)
		}
		return nil
	})
	after := p.cost(b)
	return cost{after.cpu - before.cpu, after.allocs - before.allocs}
}

// cost returns what the process has spent.
func (p process) cost(b *testing.B) (c cost) {
	b.Helper()
	if _, err := fmt.Fprintln(p.ask); err != nil {
		b.Fatal(err)
	}
	if _, err := fmt.Fscanln(p.answer, &c.cpu, &c.allocs); err != nil {
		b.Fatal(err)
	}
	return c
}

// tellCost is the other side of cost.
func tellCost() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		spent := processCost()
		fmt.Println(spent.cpu, spent.allocs)
	}
}

// serveBare serves the service with nothing around it.
func serveBare() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	service, err := emergorules.Open(emergorules.DefaultConfig())
	if err != nil {
		panic(err)
	}
	s := grpc.NewServer()
	emergov1.RegisterRulesServiceServer(s, service)
	fmt.Println(listener.Addr())
	go tellCost()
	panic(s.Serve(listener))
}

// serveFull serves it as emergod does.
func serveFull(maxWait time.Duration) {
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
	config.MaxWait = maxWait
	service, err := emergorules.Open(emergorules.DefaultConfig())
	if err != nil {
		panic(err)
	}
	s, err := server.New(config, server.NewLogger(io.Discard, config), "bench", service.ForServer())
	if err != nil {
		panic(err)
	}
	_ = os.RemoveAll(dir) // it has been read; to be gone later is no matter
	fmt.Println(s.Addr())
	go tellCost()
	panic(s.Run(context.Background()))
}
