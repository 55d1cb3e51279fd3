package emergorules_test

import (
	"context"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/emergorules"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// startServer serves the service on a loopback TCP port until the test ends.
func startServer(t testing.TB) *server.Server {
	t.Helper()
	s, _ := startServerWith(t, emergorules.DefaultConfig())
	return s
}

// startServerWith is startServer with settings of the service. stop stops the server before.
func startServerWith(t testing.TB, rules emergorules.Config) (s *server.Server, stop func()) {
	t.Helper()
	config := server.DefaultConfig()
	config.Listen, config.AdminListen = "127.0.0.1:0", "127.0.0.1:0"
	config.MaxRequestBytes = emergorules.MaxRequestBytes
	config.MaxWait = 0 // a busy machine is no fault
	return runServer(t, config, rules)
}

// open returns a service with the default settings.
func open(t testing.TB) *emergorules.Service {
	t.Helper()
	service, err := emergorules.Open(emergorules.DefaultConfig())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := service.Close(); err != nil {
			t.Error(err)
		}
	})
	return service
}

// runServer runs a server until the test ends, or stop is called.
func runServer(t testing.TB, config server.Config, rules emergorules.Config) (s *server.Server, stop func()) {
	t.Helper()
	service, err := emergorules.Open(rules)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = server.New(config, slog.New(slog.DiscardHandler), "test", service.ForServer()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- s.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
		if err := service.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return s, stop
}

func dial(t testing.TB, addr net.Addr, options ...grpc.DialOption) *grpc.ClientConn {
	t.Helper()
	options = append(options, grpc.WithTransportCredentials(insecure.NewCredentials()))
	conn, err := grpc.NewClient(addr.String(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func newClient(t testing.TB) emergov1.RulesServiceClient {
	t.Helper()
	return emergov1.NewRulesServiceClient(dial(t, startServer(t).Addr()))
}

// details returns the ErrorInfo of an error, and the field that its second detail names. The message by
// itself must name it too, as a log shows it.
func details(t testing.TB, err error) (info *errdetails.ErrorInfo, field string) {
	t.Helper()
	st, ok := status.FromError(err)
	if !ok || st.Code() == codes.OK {
		t.Fatalf("the error is %v, want a status", err)
	}
	said := st.Message()
	for _, detail := range st.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			info = detail
		case *errdetails.BadRequest:
			field, said = detail.GetFieldViolations()[0].GetField(), detail.GetFieldViolations()[0].GetDescription()
			if !strings.Contains(said, field) {
				t.Errorf("%q does not name %s", said, field)
			}
		case *errdetails.PreconditionFailure:
			field, said = detail.GetViolations()[0].GetSubject(), detail.GetViolations()[0].GetDescription()
			if field != "move" && !strings.Contains(said, field) {
				t.Errorf("%q does not name %s", said, field)
			}
		}
	}
	if said != st.Message() {
		t.Errorf("the message is %q, the detail says %q", st.Message(), said)
	}
	if info.GetDomain() != "emergod" || info.GetReason() == "" {
		t.Fatalf("%v: ErrorInfo is %v", err, info)
	}
	return info, field
}

func reasonOf(t testing.TB, err error) string {
	t.Helper()
	info, _ := details(t, err)
	return info.GetReason()
}

func checkStatus(t testing.TB, err error, code codes.Code, reason, field string) {
	t.Helper()
	if got := status.Code(err); got != code {
		t.Errorf("%v: the code is %v, want %v", err, got, code)
		return
	}
	info, gotField := details(t, err)
	if info.GetReason() != reason || gotField != field || info.GetMetadata()["field"] != field {
		t.Errorf("%v: reason %s at %q (metadata %v), want %s at %q", err, info.GetReason(), gotField, info.GetMetadata(), reason, field)
	}
}
