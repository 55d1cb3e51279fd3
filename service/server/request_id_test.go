package server_test

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// A caller's name for its call is kept if it is short and harmless. Any other is replaced, and found
// nowhere in the log.
func TestRequestID(t *testing.T) {
	r := start(t, jsonConfig(), succeed)
	for name, c := range map[string]struct {
		given []string
		kept  bool
	}{
		"harmless":        {[]string{"Game_7.move:12-A"}, true},
		"as long as may":  {[]string{strings.Repeat("x", 64)}, true},
		"none":            {nil, false},
		"empty":           {[]string{""}, false},
		"too long":        {[]string{strings.Repeat("y", 65)}, false},
		"several":         {[]string{"first", "second"}, false},
		"a space":         {[]string{"hostile id"}, false},
		"a quote":         {[]string{`hostile"`}, false},
		"an equals sign":  {[]string{"level=hostile"}, false},
		"a brace":         {[]string{"{hostile}"}, false},
		"a line's end":    {[]string{`hostile\n`}, false},
		"percent":         {[]string{"hostile%0a"}, false},
		"a path":          {[]string{"../hostile"}, false},
		"several on line": {[]string{"hostile,id"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			before := len(r.logged(t, "call"))
			ctx := metadata.NewOutgoingContext(t.Context(), metadata.MD{"x-request-id": c.given})
			var header metadata.MD
			if err := callOn(ctx, r.conn, grpc.Header(&header)); err != nil {
				t.Fatal(err)
			}
			returned := header.Get("x-request-id")
			if len(returned) != 1 || returned[0] == "" {
				t.Fatalf("the header says %q", returned)
			}
			if (len(c.given) == 1 && returned[0] == c.given[0]) != c.kept {
				t.Errorf("%q is returned as %q", c.given, returned)
			}
			if calls := r.logged(t, "call"); len(calls) != before+1 || calls[before]["request_id"] != returned[0] {
				t.Errorf("the log says %v, want request_id %s", calls[before:], returned[0])
			}
		})
	}
	for _, part := range []string{"hostile", strings.Repeat("y", 65), "first", "second"} {
		if strings.Contains(r.log.String(), part) {
			t.Errorf("the log has %s", part)
		}
	}
}

// gRPC itself lets no control character through, which no client of Go's can send.
func TestControlCharactersAreCutOff(t *testing.T) {
	r := start(t, jsonConfig(), succeed)
	c := dialRaw(t, r.Addr().String())
	c.request(1, false, "x-request-id", "hostile\nlevel=ERROR")
	c.send(1, true)
	c.awaitEnd()
	c.Close()
	// Others than those of ASCII are let through.
	c = dialRaw(t, r.Addr().String())
	c.request(1, false, "x-request-id", "hostile\u0085\u202e")
	c.send(1, true)
	c.awaitEnd()
	c.Close()
	await(t, "the second call", func() bool { return len(r.logged(t, "call")) == 1 })
	if log := r.log.String(); strings.Contains(log, "hostile") {
		t.Errorf("the log says\n%s", log)
	}
}

// Made names differ.
func TestMadeRequestIDsDiffer(t *testing.T) {
	r := start(t, testConfig(), succeed)
	seen := map[string]bool{}
	for range 100 {
		var header metadata.MD
		if err := callOn(t.Context(), r.conn, grpc.Header(&header)); err != nil {
			t.Fatal(err)
		}
		seen[header.Get("x-request-id")[0]] = true
	}
	if len(seen) != 100 {
		t.Errorf("100 calls have %d names", len(seen))
	}
}

// Also a call that fails or is turned away can be found in the log by its caller, and a stream.
func TestRequestIDIsAlwaysReturned(t *testing.T) {
	config := jsonConfig()
	config.Tokens = tokensFile(t, "alice")
	r := start(t, config, func(context.Context) error { panic("lost") })
	for code, ctx := range map[codes.Code]context.Context{
		codes.Unauthenticated: t.Context(),
		codes.Internal:        bearing(t.Context(), "alice"),
	} {
		var header, trailer metadata.MD
		err := callOn(metadata.AppendToOutgoingContext(ctx, "x-request-id", "lost-"+code.String()), r.conn, grpc.Header(&header), grpc.Trailer(&trailer))
		if status.Code(err) != code {
			t.Errorf("the answer is %v", err)
		}
		if id := append(header.Get("x-request-id"), trailer.Get("x-request-id")...); len(id) != 1 || id[0] != "lost-"+code.String() {
			t.Errorf("%s is returned with the name %q", code, id)
		}
	}
	watch, err := healthv1.NewHealthClient(r.conn).Watch(metadata.AppendToOutgoingContext(t.Context(), "x-request-id", "watch-1"), &healthv1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if header, err := watch.Header(); err != nil || len(header.Get("x-request-id")) != 1 || header.Get("x-request-id")[0] != "watch-1" {
		t.Errorf("a watch's header is %v, %v", header, err)
	}
}
