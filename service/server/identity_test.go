package server_test

import (
	"testing"

	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
)

func TestUnknownCallerIsCountedAndLogged(t *testing.T) {
	config := jsonConfig()
	config.Tokens = tokensFile(t, "alice")
	r := start(t, config, succeed)
	err := callOn(t.Context(), r.conn)
	if why, retry := reason(err); status.Code(err) != codes.Unauthenticated || why != "UNAUTHENTICATED" || retry != 0 {
		t.Errorf("the answer is %v, to be tried again after %s", err, retry)
	}
	if n := r.handled(t, "Unauthenticated"); n != 1 {
		t.Errorf("the metrics count %v", n)
	}
	calls := r.logged(t, "call")
	if len(calls) != 1 || calls[0]["code"] != "Unauthenticated" || calls[0]["level"] != "DEBUG" || calls[0]["client"] != nil {
		t.Errorf("the log says %v", calls)
	}
}

func TestWhatPassesForAToken(t *testing.T) {
	config := testConfig()
	config.Tokens = tokensFile(t, "alice", "bob")
	r := start(t, config, succeed)
	for _, c := range []struct {
		values []string
		code   codes.Code
	}{
		{[]string{"Bearer alice's token"}, codes.OK},
		{[]string{"bearer alice's token"}, codes.OK}, // the scheme's case does not matter
		{[]string{"BEARER   bob's token"}, codes.OK},
		{[]string{"Bearer Alice's token"}, codes.Unauthenticated},
		{[]string{"Bearer alice's toke"}, codes.Unauthenticated},
		{[]string{"Bearer alice's token."}, codes.Unauthenticated},
		{[]string{"alice's token"}, codes.Unauthenticated},
		{[]string{"Basic alice's token"}, codes.Unauthenticated},
		{[]string{"Bearer"}, codes.Unauthenticated},
		{[]string{"Bearer "}, codes.Unauthenticated},
		{[]string{""}, codes.Unauthenticated},
		{[]string{"Bearer alice's token", "Bearer bob's token"}, codes.Unauthenticated}, // whose call is it?
		{nil, codes.Unauthenticated},
	} {
		ctx := metadata.NewOutgoingContext(t.Context(), metadata.MD{"authorization": c.values})
		if err := callOn(ctx, r.conn); status.Code(err) != c.code {
			t.Errorf("authorization %q is answered %v, want %s", c.values, err, c.code)
		}
	}
}

// Probes have no credentials. Reflection tells what there is only to those who may use it.
func TestHealthIsForEverybodyReflectionIsNot(t *testing.T) {
	config := testConfig()
	config.Tokens = tokensFile(t, "alice")
	r := start(t, config, succeed)
	health := healthv1.NewHealthClient(r.conn)
	if _, err := health.Check(t.Context(), &healthv1.HealthCheckRequest{}); err != nil {
		t.Errorf("health is %v", err)
	}
	watch, err := health.Watch(t.Context(), &healthv1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := watch.Recv(); err != nil {
		t.Errorf("a watch of health is answered %v", err)
	}
	list := &reflectionv1.ServerReflectionRequest{MessageRequest: &reflectionv1.ServerReflectionRequest_ListServices{}}
	for who, c := range map[string]struct {
		metadata metadata.MD
		code     codes.Code
	}{
		"nobody": {nil, codes.Unauthenticated},
		"alice":  {metadata.Pairs("authorization", "Bearer alice's token"), codes.OK},
	} {
		stream, err := reflectionv1.NewServerReflectionClient(r.conn).ServerReflectionInfo(metadata.NewOutgoingContext(t.Context(), c.metadata))
		if err != nil {
			t.Fatal(err)
		}
		_ = stream.Send(list) // the answer tells of an error
		if _, err := stream.Recv(); status.Code(err) != c.code {
			t.Errorf("reflection answers %s %v, want %s", who, err, c.code)
		}
		_ = stream.CloseSend() // as above
	}
}
