package server_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
)

// A call that waited too long to be begun is shed, and gRPC clients are told when to try again.
func TestCallsThatWaitedTooLongAreShed(t *testing.T) {
	for _, c := range []struct {
		longest time.Duration
		code    codes.Code
	}{{time.Nanosecond, codes.ResourceExhausted}, {time.Hour, codes.OK}, {0, codes.OK}} {
		config := testConfig()
		config.MaxWait = c.longest
		r := start(t, config, succeed)
		var trailer metadata.MD
		err := r.conn.Invoke(t.Context(), probeMethod, &emptypb.Empty{}, &emptypb.Empty{}, grpc.Trailer(&trailer))
		if status.Code(err) != c.code {
			t.Errorf("with %s the answer is %v, want %v", c.longest, err, c.code)
		}
		want := "[]"
		if c.code != codes.OK {
			want = "[100]"
		}
		if got := fmt.Sprint(trailer.Get("grpc-retry-pushback-ms")); got != want {
			t.Errorf("with %s the push-back is %s, want %s", c.longest, got, want)
		}
	}
}

// Calls whose requests never come are not being worked on: others are, and these end at the deadline
// that all calls have.
func TestUnfinishedRequestsStarveNobody(t *testing.T) {
	config := testConfig()
	config.MaxInFlight = 3
	config.MaxDeadline = 200 * time.Millisecond
	r := start(t, config, succeed)
	streams := make([]grpc.ClientStream, 10)
	for i := range streams {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		stream, err := r.conn.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true}, probeMethod)
		if err != nil {
			t.Fatal(err)
		}
		streams[i] = stream
	}
	if err := r.call(t); err != nil {
		t.Errorf("beside unfinished requests a call is answered %v", err)
	}
	for _, stream := range streams {
		if err := stream.RecvMsg(&emptypb.Empty{}); status.Code(err) != codes.DeadlineExceeded {
			t.Errorf("a request that never comes is answered %v", err)
		}
	}
	if err := r.call(t); err != nil {
		t.Errorf("after unfinished requests a call is answered %v", err)
	}
}

// However many requests are on their way when the limit is reached, no more than the limit are worked on.
func TestMaxInFlightIsTheMost(t *testing.T) {
	config := testConfig()
	config.MaxInFlight = 2
	leave := make(chan struct{})
	r := start(t, config, func(context.Context) error {
		<-leave
		return nil
	})
	streams := make([]grpc.ClientStream, 20)
	for i := range streams {
		stream, err := r.conn.NewStream(t.Context(), &grpc.StreamDesc{ClientStreams: true}, probeMethod)
		if err != nil {
			t.Fatal(err)
		}
		streams[i] = stream
	}
	codesOf := make(chan codes.Code, len(streams))
	for _, stream := range streams {
		if err := stream.SendMsg(&emptypb.Empty{}); err != nil {
			t.Fatal(err)
		}
		if err := stream.CloseSend(); err != nil {
			t.Fatal(err)
		}
		go func() { codesOf <- status.Code(stream.RecvMsg(&emptypb.Empty{})) }()
	}
	for range len(streams) - config.MaxInFlight {
		if code := <-codesOf; code != codes.ResourceExhausted {
			t.Errorf("a call over the limit is answered %v", code)
		}
	}
	close(leave)
	for range config.MaxInFlight {
		if code := <-codesOf; code != codes.OK {
			t.Errorf("a call within the limit is answered %v", code)
		}
	}
}

// Health is open to everybody, so its calls are bounded like all others.
func TestUnfinishedHealthChecksEnd(t *testing.T) {
	config := testConfig()
	config.MaxDeadline = 100 * time.Millisecond
	r := start(t, config, succeed)
	for _, method := range []string{healthv1.Health_Check_FullMethodName, healthv1.Health_List_FullMethodName} {
		stream, err := r.conn.NewStream(t.Context(), &grpc.StreamDesc{ClientStreams: true}, method)
		if err != nil {
			t.Fatal(err)
		}
		if err := stream.RecvMsg(&emptypb.Empty{}); status.Code(err) != codes.DeadlineExceeded {
			t.Errorf("%s without a request is answered %v", method, err)
		}
	}
}

// A client's rate holds for what it asks of reflection too, message by message.
func TestReflectionIsLimited(t *testing.T) {
	config := testConfig()
	config.ClientRate, config.ClientBurst = 1e-6, 3
	r := start(t, config, succeed)
	stream, err := reflectionv1.NewServerReflectionClient(r.conn).ServerReflectionInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	answers := 0
	for range 10 {
		_ = stream.Send(&reflectionv1.ServerReflectionRequest{MessageRequest: &reflectionv1.ServerReflectionRequest_ListServices{}})
		if _, err = stream.Recv(); err != nil {
			break
		}
		answers++
	}
	if answers != config.ClientBurst || status.Code(err) != codes.ResourceExhausted {
		t.Errorf("%d answers, then %v", answers, err)
	}
}

// A call that would have to wait too long, going by how long calls take, how many are before it and how
// many processors there are, is shed when it arrives. That Go is told to use more processors than there
// are, once the server is made, changes nothing.
func TestCallsThatWouldWaitTooLongAreShed(t *testing.T) {
	config := testConfig()
	config.MaxWait = 10 * time.Millisecond
	block := make(chan struct{})
	close(block)
	r := start(t, config, func(context.Context) error {
		time.Sleep(5 * time.Millisecond)
		<-block
		return nil
	})
	processors := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(64 * processors))
	for range 50 { // so that the server knows how long a call takes
		if err := r.call(t); err != nil {
			t.Fatal(err)
		}
	}
	block = make(chan struct{})
	answers := make(chan error)
	calls := 50 * processors
	for range calls {
		go func() { answers <- r.call(t) }()
	}
	select {
	case err := <-answers:
		calls--
		if status.Code(err) != codes.ResourceExhausted {
			t.Errorf("behind a queue a call is answered %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Errorf("of %d calls none is shed", calls)
	}
	close(block)
	for range calls {
		if err := <-answers; err != nil && status.Code(err) != codes.ResourceExhausted {
			t.Errorf("a call is answered %v", err)
		}
	}
	if err := r.call(t); err != nil {
		t.Errorf("once the queue has gone a call is answered %v", err)
	}
}
