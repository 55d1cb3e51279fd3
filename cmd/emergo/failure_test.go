package main

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

func TestUnreachableServer(t *testing.T) {
	addr := deadAddr(t)
	want := "emergo: No server answers at " + addr + ". Start one with: go run ./cmd/emergod (or name another with --addr).\n"
	for _, args := range [][]string{{"new"}, {"moves"}, {"moves", "-"}, {"apply", "c3"}, {"eval"}, {"show"}, {"play"}} {
		if got := emergoAt(addr, "c3\nc3\n", args...); got != (printed{exitFailed, "", want}) {
			t.Errorf("%s: got %+v, want %s", args, got, want)
		}
	}
}

func TestPerftNeedsNoServer(t *testing.T) {
	if got := emergoAt(deadAddr(t), "", "perft", "1"); got.status != exitOK {
		t.Errorf("got %+v", got)
	}
}

// A fixedAnswer answers every call alike.
type fixedAnswer struct {
	emergov1.UnimplementedRulesServiceServer
	state *emergov1.State
	err   error
}

func (f fixedAnswer) NewGame(context.Context, *emergov1.NewGameRequest) (*emergov1.NewGameResponse, error) {
	return &emergov1.NewGameResponse{State: f.state}, f.err
}

func (f fixedAnswer) Evaluate(context.Context, *emergov1.EvaluateRequest) (*emergov1.EvaluateResponse, error) {
	return &emergov1.EvaluateResponse{State: f.state}, f.err
}

func TestServerErrors(t *testing.T) {
	busy, err := status.New(codes.ResourceExhausted, "Too many calls.").WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(2 * time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		err  error
		want string // ADDR stands for the address
	}{
		{"busy", busy.Err(), "The server at ADDR takes no more of this: Too many calls. Try again in 2s."},
		{"busy for a while", status.Error(codes.ResourceExhausted, "Too many calls."), "The server at ADDR takes no more of this: Too many calls. Try again later."},
		{"request too long", status.Error(codes.ResourceExhausted, "grpc: received message larger than max"), "The game has more moves than the server at ADDR reads."},
		{"not let in", status.Error(codes.Unauthenticated, "A token is needed."), "The server at ADDR does not let you in: A token is needed."},
		{"not allowed", status.Error(codes.PermissionDenied, "Not you."), "The server at ADDR does not let you in: Not you."},
		{"other service", status.Error(codes.Unimplemented, "unknown service"), "The server at ADDR does not know this call: it is no Emergo server, or an older one."},
		{"fault", status.Error(codes.Internal, "The server failed."), "The server at ADDR failed: The server failed."},
		{"control characters", status.Error(codes.Internal, "\x1b[2Jgone"), `The server at ADDR failed: \x1b[2Jgone`},
		{"reason with control characters", status.Error(codes.InvalidArgument, "\x1b[2Jgone"), `\x1b[2Jgone`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			addr := fakeServer(t, fixedAnswer{err: test.err})
			want := "emergo: " + strings.ReplaceAll(test.want, "ADDR", addr) + "\n"
			if got := emergoAt(addr, "", "new"); got != (printed{exitFailed, "", want}) {
				t.Errorf("got %+v, want %s", got, want)
			}
		})
	}
}

// A silentServer never answers.
type silentServer struct{ fixedAnswer }

func (silentServer) NewGame(ctx context.Context, _ *emergov1.NewGameRequest) (*emergov1.NewGameResponse, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestTimeout(t *testing.T) {
	addr := fakeServer(t, silentServer{})
	want := "emergo: The server at " + addr + " did not answer within 20ms; --timeout sets how long to wait.\n"
	if got := emergoAt(addr, "", "new", "--timeout=20ms"); got != (printed{exitFailed, "", want}) {
		t.Errorf("got %+v, want %s", got, want)
	}
}

// What is wrong with an address is told apart from a server that is down.
func TestWrongServers(t *testing.T) {
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	greeter, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer greeter.Close()
	go func() {
		for conn, err := greeter.Accept(); err == nil; conn, err = greeter.Accept() {
			io.WriteString(conn, "SSH-2.0-greeter\r\n")
		}
	}()
	for name, c := range map[string]struct{ addr, says string }{
		"HTTP":           {web.Listener.Addr().String(), "Something answers at ADDR, but not as emergod does"},
		"TLS":            {secure.Listener.Addr().String(), "Something answers at ADDR, but not as emergod does"},
		"another banner": {greeter.Addr().String(), "Something answers at ADDR, but not as emergod does"},
		"nothing":        {deadAddr(t), "No server answers at ADDR. Start one with"},
		"unknown name":   {"nowhere.invalid:50051", "The name nowhere.invalid, of --addr, leads nowhere: "},
	} {
		for _, command := range []string{"new", "analyze"} {
			got := emergoAt(c.addr, "", command)
			if want := "emergo: " + strings.ReplaceAll(c.says, "ADDR", c.addr); got.status != exitFailed || !strings.HasPrefix(got.err, want) {
				t.Errorf("%s: %s: %+v, want %s", name, command, got, want)
			}
		}
	}
}

// Nothing that a server sends may reach the terminal as more than text.
func TestHostileServer(t *testing.T) {
	const hostile = "\x1b[2J\x07\u009b31m\u202e"
	addr := fakeServer(t, fixedAnswer{state: &emergov1.State{
		Position:   hostile,
		SideToMove: 77,
		Stage:      77,
		Board:      77,
		Pieces:     []*emergov1.Piece{{Square: hostile, Cap: 99}, {Square: "a1", Owner: 77, Cap: -1, Prisoners: 1 << 30}, nil},
		Outcome:    &emergov1.Outcome{Result: 77, Reason: 77},
	}})
	for _, args := range [][]string{{"new"}, {"new", "--json"}, {"eval"}, {"eval", "--json"}, {"show"}, {"play"}, {"show", "--json"}} {
		got := emergoAt(addr, "position\nshow\n"+hostile+"\nquit\n", args...)
		for _, r := range got.out + got.err {
			if r != '\n' && (r < ' ' || r >= 0x7f) {
				t.Errorf("%s: prints %q in %+v", args, r, got)
				break
			}
		}
	}
}
