package server_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
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
