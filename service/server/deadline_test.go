package server_test

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/luctor-et-emergo/emergod/service/server"
)

// A call takes no longer than the server allows, nor than its caller asks for.
func TestDeadlineIsTheShorterOfTwo(t *testing.T) {
	const most = time.Hour
	config := testConfig()
	config.MaxDeadline = most
	var left time.Duration
	r := start(t, config, func(ctx context.Context) error {
		until, ok := ctx.Deadline()
		if !ok {
			t.Error("there is no deadline")
		}
		left = time.Until(until)
		return nil
	})
	for _, c := range []struct {
		name        string
		asked       time.Duration
		least, most time.Duration
	}{
		{"none", 0, most / 2, most},
		{"longer", 24 * most, most / 2, most},
		{"shorter", most / 4, most / 8, most / 4},
	} {
		ctx, cancel := t.Context(), context.CancelFunc(func() {})
		if c.asked > 0 {
			ctx, cancel = context.WithTimeout(ctx, c.asked)
		}
		if err := callOn(ctx, r.conn); err != nil {
			t.Error(err)
		}
		cancel()
		if left < c.least || left > c.most {
			t.Errorf("%s: the handler has %s, want %s to %s", c.name, left, c.least, c.most)
		}
	}
}

// The log and the metrics call it what the caller is told.
func TestDeadlineExceeded(t *testing.T) {
	config := jsonConfig()
	config.MaxDeadline = 10 * time.Millisecond
	r := start(t, config, func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	})
	if err := r.call(t); status.Code(err) != codes.DeadlineExceeded {
		t.Errorf("the answer is %v", err)
	}
	if n := r.handled(t, "DeadlineExceeded"); n != 1 {
		t.Errorf("the metrics count %v", n)
	}
	if calls := r.logged(t, "call"); len(calls) != 1 || calls[0]["code"] != "DeadlineExceeded" || calls[0]["level"] != "WARN" {
		t.Errorf("the log says %v", calls)
	}
}

// A stream is held up by a client who does not read it, but no longer than until its deadline, of which the
// server sets one if the client does not.
func TestUnreadStreamEndsWithItsDeadline(t *testing.T) {
	config := testConfig()
	config.MaxDeadline = 300 * time.Millisecond
	ended := make(chan error, 1)
	desc := grpc.StreamDesc{StreamName: "Flood", ServerStreams: true, Handler: func(_ any, stream grpc.ServerStream) error {
		err := stream.RecvMsg(new(emptypb.Empty))
		for err == nil {
			err = stream.SendMsg(wrapperspb.Bytes(make([]byte, 1<<20)))
		}
		ended <- err
		return err
	}}
	flood := server.Service{Register: func(s grpc.ServiceRegistrar) {
		server.Register(s, &grpc.ServiceDesc{ServiceName: "test.v1.FloodService", HandlerType: (*any)(nil), Streams: []grpc.StreamDesc{desc}},
			struct{}{}, func(string) error { return status.Error(codes.InvalidArgument, "") })
	}}
	r := serve(t, config, []server.Service{flood})
	stream, err := r.conn.NewStream(t.Context(), &grpc.StreamDesc{ServerStreams: true}, "/test.v1.FloodService/Flood")
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.SendMsg(&emptypb.Empty{}); err != nil {
		t.Fatal(err)
	}
	if err := stream.CloseSend(); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if status.Code(err) != codes.DeadlineExceeded {
			t.Errorf("it ends with %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("it does not end")
	}
}
