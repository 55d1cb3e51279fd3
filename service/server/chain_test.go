package server_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/luctor-et-emergo/emergod/service/server"
)

// Recovery is innermost: the interceptors around it see a panic as a call that failed.
func TestPanicIsCountedAndLoggedByTheNameOfItsCall(t *testing.T) {
	r := start(t, jsonConfig(), func(context.Context) error { panic("the board is upside down") })
	ctx := metadata.AppendToOutgoingContext(t.Context(), "x-request-id", "move-17")
	if err := callOn(ctx, r.conn); status.Code(err) != codes.Internal || strings.Contains(err.Error(), "board") {
		t.Errorf("the answer is %v", err)
	}
	if r.handled(t, "Internal") != 1 || r.series(t)["emergod_panics_total"] != 1 {
		t.Error("the metrics do not count the panic")
	}
	panics := r.logged(t, "panic")
	if len(panics) != 1 || panics[0]["request_id"] != "move-17" || panics[0]["level"] != "ERROR" || panics[0]["cause"] != "the board is upside down" {
		t.Fatalf("the log says of the panic %v", panics)
	}
	if stack, _ := panics[0]["stack"].(string); !strings.Contains(stack, "TestPanicIsCountedAndLoggedByTheNameOfItsCall") {
		t.Errorf("the stack does not lead to the panic:\n%s", stack)
	}
	calls := r.logged(t, "call")
	if len(calls) != 1 || calls[0]["request_id"] != "move-17" || calls[0]["code"] != "Internal" {
		t.Errorf("the log says of the call %v", calls)
	}
}

// breaksOnCalls is a log that panics when it is told of a call, and so makes the interceptor panic
// that tells it.
type breaksOnCalls struct{ slog.Handler }

func (b breaksOnCalls) Handle(ctx context.Context, record slog.Record) error {
	if record.Message == "call" {
		panic("the disk is full")
	}
	return b.Handler.Handle(ctx, record)
}

func TestPanicInTheChainIsAnswered(t *testing.T) {
	log := new(lockedBuffer)
	s, err := server.New(testConfig(), slog.New(breaksOnCalls{slog.NewTextHandler(log, nil)}), "", probe(succeed).service())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- s.Run(ctx) }()
	r := &running{Server: s}
	conn := r.connect(t, grpc.WithTransportCredentials(insecure.NewCredentials()))
	// Debug is not enabled, so that only calls that fail are told of.
	for range 2 {
		err := conn.Invoke(t.Context(), probeMethod, malformed{}, nil, grpc.ForceCodec(malformed{}))
		if status.Code(err) != codes.Internal || strings.Contains(err.Error(), "disk") {
			t.Errorf("the answer is %v", err)
		}
	}
	if err := callOn(t.Context(), conn); err != nil {
		t.Errorf("afterwards a call is answered %v", err)
	}
	if r.series(t)["emergod_panics_total"] != 2 || r.handled(t, "Internal") != 2 || !strings.Contains(log.String(), "the disk is full") {
		t.Errorf("the panics are not counted or not logged:\n%s", log)
	}
	stop()
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// malformed is a request that is no protobuf.
type malformed struct{}

func (malformed) Name() string                { return "proto" }
func (malformed) Marshal(any) ([]byte, error) { return []byte{0xff, 0xff, 0xff}, nil }
func (malformed) Unmarshal([]byte, any) error { return nil }

// gRPC by itself answers a request that is not there as if the server were at fault. It is not.
func TestMissingRequestIsCountedAsTheCallersFault(t *testing.T) {
	r := start(t, jsonConfig(), succeed)
	stream, err := r.conn.NewStream(t.Context(), &grpc.StreamDesc{ClientStreams: true}, probeMethod)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.CloseSend(); err != nil {
		t.Fatal(err)
	}
	if err := stream.RecvMsg(&emptypb.Empty{}); status.Code(err) != codes.Internal {
		t.Errorf("the answer is %v", err)
	}
	await(t, "the count", func() bool { return r.handled(t, "InvalidArgument") == 1 })
	if calls := r.logged(t, "call"); len(calls) != 1 || calls[0]["code"] != "InvalidArgument" {
		t.Errorf("it is logged as %v", calls)
	}
}

func TestMalformedRequestIsCountedAndLogged(t *testing.T) {
	r := start(t, jsonConfig(), succeed)
	err := r.conn.Invoke(t.Context(), probeMethod, malformed{}, nil, grpc.ForceCodec(malformed{}))
	if status.Code(err) != codes.InvalidArgument {
		t.Errorf("the answer is %v", err)
	}
	if calls := r.logged(t, "call"); r.handled(t, "InvalidArgument") != 1 || len(calls) != 1 || calls[0]["code"] != "InvalidArgument" {
		t.Errorf("the call is not counted, or logged as %v", calls)
	}
}
