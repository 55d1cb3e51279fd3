package server_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
)

func noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	return b
}

// say writes to a connection, ends it, and waits for the server to do so too.
func say(t *testing.T, conn stream, what []byte) {
	t.Helper()
	_, _ = conn.Write(what) // the server may hang up before the end
	_ = conn.CloseWrite()
	if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("after %.20q the server does not hang up", what)
	}
	conn.Close()
}

func randomBytes(t *testing.T, to target) {
	for n := range 30 {
		say(t, to.tcp(t), noise(1<<n%(1<<13)+n))
		say(t, to.stream(t), noise(1<<n%(1<<13)+n))
	}
}

func randomBytesAfterPreface(t *testing.T, to target) {
	for range 30 {
		c := speakRaw(t, to.stream(t))
		say(t, c.Conn.(stream), noise(1<<16))
	}
}

func oldRequests(t *testing.T, to target) {
	for _, request := range []string{
		"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET / HTTP/1.0\r\n\r\n",
		"POST " + probeMethod + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/grpc\r\nContent-Length: 5\r\n\r\n\x00\x00\x00\x00\x00",
		"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
		"CONNECT localhost:22 HTTP/1.1\r\n\r\n",
		"SSH-2.0-OpenSSH_9.9\r\n",
	} {
		say(t, to.tcp(t), []byte(request))
		say(t, to.stream(t), []byte(request))
	}
}

func malformedFrames(t *testing.T, to target) {
	for name, write := range map[string]func(c *rawConn){
		"data on no stream":        func(c *rawConn) { c.send(0, true) },
		"data before its header":   func(c *rawConn) { c.send(1, true) },
		"header on no stream":      func(c *rawConn) { c.request(0, true) },
		"header on an even stream": func(c *rawConn) { c.request(2, true) },
		"streams in disorder":      func(c *rawConn) { c.request(5, false); c.request(3, false) },
		"a stream twice":           func(c *rawConn) { c.request(1, false); c.request(1, false) },
		"a header that is no HPACK": func(c *rawConn) {
			c.write(c.frames.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, EndHeaders: true, BlockFragment: bytes.Repeat([]byte{0xff}, 100)}))
		},
		"continuation of nothing": func(c *rawConn) { c.write(c.frames.WriteContinuation(1, true, c.headers())) },
		"a header broken into": func(c *rawConn) {
			c.write(c.frames.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: c.headers()}))
			c.write(c.frames.WritePing(false, [8]byte{}))
		},
		"a window that grows by nothing": func(c *rawConn) { c.write(c.frames.WriteWindowUpdate(0, 0)) },
		"a window that overflows": func(c *rawConn) {
			c.write(c.frames.WriteWindowUpdate(0, 1<<31-1))
			c.write(c.frames.WriteWindowUpdate(0, 1<<31-1))
		},
		"a window of no stream":  func(c *rawConn) { c.write(c.frames.WriteWindowUpdate(99, 1)) },
		"settings of half a one": func(c *rawConn) { c.write(c.frames.WriteRawFrame(http2.FrameSettings, 0, 0, []byte{0, 1, 2})) },
		"settings on a stream":   func(c *rawConn) { c.write(c.frames.WriteRawFrame(http2.FrameSettings, 0, 1, nil)) },
		"settings out of range": func(c *rawConn) {
			c.write(c.frames.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 1}, http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1<<32 - 1}))
		},
		"a short ping":     func(c *rawConn) { c.write(c.frames.WriteRawFrame(http2.FramePing, 0, 0, []byte{1})) },
		"reset of nothing": func(c *rawConn) { c.write(c.frames.WriteRSTStream(7, http2.ErrCodeCancel)) },
		"a promise": func(c *rawConn) {
			c.write(c.frames.WritePushPromise(http2.PushPromiseParam{StreamID: 1, PromiseID: 2, BlockFragment: c.headers(), EndHeaders: true}))
		},
		"an unknown frame": func(c *rawConn) { c.write(c.frames.WriteRawFrame(0xfa, 0xff, 1, noise(100))) },
		"too much padding": func(c *rawConn) {
			c.write(c.frames.WriteRawFrame(http2.FrameData, http2.FlagDataPadded, 1, []byte{200, 0}))
		},
		"a frame too large":     func(c *rawConn) { c.write(c.frames.WriteRawFrame(http2.FrameData, 0, 1, make([]byte, 1<<20))) },
		"a goodbye":             func(c *rawConn) { c.write(c.frames.WriteGoAway(0, http2.ErrCodeNo, noise(100))) },
		"a stream of itself":    func(c *rawConn) { c.write(c.frames.WritePriority(1, http2.PriorityParam{StreamDep: 1})) },
		"two paths":             func(c *rawConn) { c.request(1, true, "x-other", "", ":path", "/other") },
		"no gRPC":               func(c *rawConn) { c.request(1, true, "content-type", "text/html") },
		"a deadline of no unit": func(c *rawConn) { c.request(1, true, "grpc-timeout", "1") },
		"a negative deadline":   func(c *rawConn) { c.request(1, true, "grpc-timeout", "-1S") },
		"a bad binary field":    func(c *rawConn) { c.request(1, true, "grpc-trace-bin", "!!!") },
	} {
		c := speakRaw(t, to.stream(t))
		write(c)
		_ = c.Conn.(stream).CloseWrite()
		if _, err := io.Copy(io.Discard, c.Conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("after %s the server does not hang up", name)
		}
		c.Close()
	}
}

func oversizedMessages(t *testing.T, to target) {
	large := &healthv1.HealthCheckRequest{Service: strings.Repeat("x", 1<<20)}
	for range 10 {
		err := to.conn.Invoke(bearing(t.Context(), "alice"), probeMethod, large, &emptypb.Empty{})
		if status.Code(err) != codes.ResourceExhausted {
			t.Errorf("a large message is answered %v", err)
		}
	}
}

func falseSizes(t *testing.T, to target) {
	for _, c := range []struct {
		name    string
		message []byte
	}{
		{"four gigabytes", append([]byte{0, 0xff, 0xff, 0xff, 0xff}, noise(1000)...)},
		{"more than there is", append([]byte{0, 0, 0, 0, 200}, noise(100)...)},
		{"less than there is", append([]byte{0, 0, 0, 0, 1}, noise(100)...)},
		{"half a size", []byte{0, 0, 0}},
		{"compressed by nothing", []byte{1, 0, 0, 0, 0}},
		{"an unknown flag", []byte{7, 0, 0, 0, 0}},
		{"nothing", nil},
	} {
		conn := speakRaw(t, to.stream(t))
		conn.request(1, false, "authorization", "Bearer alice's token")
		conn.write(conn.frames.WriteData(1, true, c.message))
		if end := conn.awaitEnd(); end == codes.OK.String() {
			t.Errorf("a message of the size %s is answered %s", c.name, end)
		}
		conn.Close()
	}
}

func oversizedHeaders(t *testing.T, to target) {
	for range 10 {
		c := speakRaw(t, to.stream(t))
		block := c.headers("x-large", strings.Repeat("x", 100<<10))
		for first := true; len(block) > 0; first = false {
			part := block[:min(len(block), 16<<10)]
			block = block[len(part):]
			if first {
				c.write(c.frames.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: part, EndStream: true, EndHeaders: len(block) == 0}))
			} else {
				c.write(c.frames.WriteContinuation(1, len(block) == 0, part))
			}
		}
		if end := c.awaitEnd(); end == codes.OK.String() {
			t.Errorf("a large header is answered %s", end)
		}
		c.Close()
	}
}

func endlessHeaders(t *testing.T, to target) {
	c := speakRaw(t, to.stream(t))
	wait := c.ignore()
	c.write(c.frames.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: c.headers()}))
	for n := 0; c.write(c.frames.WriteContinuation(1, false, c.headers("x-more", strings.Repeat("x", 1<<10)))); n++ {
		if n == 100_000 {
			t.Error("the server takes headers without end")
			break
		}
	}
	c.Close()
	wait()
}

func halfOpen(t *testing.T, to target) {
	for n := range 200 {
		conn := to.tcp(t) // closed as the attack ends
		said := []string{"", "P", http2.ClientPreface[:20], http2.ClientPreface, "\x16\x03\x01\x02\x00\x01"}[n%5]
		if _, err := io.WriteString(conn, said); err != nil {
			t.Error(err)
		}
	}
	for range 10 {
		if err := callOn(bearing(t.Context(), "alice"), to.conn); err != nil {
			t.Error(err)
		}
	}
}

func unfinishedCalls(t *testing.T, to target) {
	for range 5 {
		c := speakRaw(t, to.stream(t))
		c.ignore()
		for n := range uint32(100) {
			c.request(2*n+1, false, "authorization", "Bearer alice's token")
			if n%2 == 0 {
				c.write(c.frames.WriteData(2*n+1, false, []byte{0, 0, 0, 1}))
			}
		}
	}
	for range 10 {
		if err := callOn(bearing(t.Context(), "alice"), to.conn); err != nil {
			t.Error(err)
		}
	}
}

func rapidResets(t *testing.T, to target) {
	for _, finished := range []bool{false, true} {
		c := speakRaw(t, to.stream(t))
		wait := c.ignore()
		for n := range uint32(2000) {
			ok := c.request(2*n+1, false, "authorization", "Bearer alice's token")
			if finished {
				ok = ok && c.send(2*n+1, true)
			}
			if !ok || !c.write(c.frames.WriteRSTStream(2*n+1, http2.ErrCodeCancel)) {
				break // which is as well
			}
		}
		c.Close()
		wait()
	}
}

func tooManyPings(t *testing.T, to target) {
	c := speakRaw(t, to.stream(t))
	for n := range 100 {
		c.write(c.frames.WritePing(false, [8]byte{byte(n)}))
	}
	if end := c.awaitEnd(); end != http2.ErrCodeEnhanceYourCalm.String() {
		t.Errorf("the server answers %s", end)
	}
	c.Close()
}

func tooManySettings(t *testing.T, to target) {
	c := speakRaw(t, to.stream(t))
	_ = c.SetWriteDeadline(time.Now().Add(time.Second)) // nobody reads the answers
	for range 100_000 {
		if !c.write(c.frames.WriteSettings(http2.Setting{ID: http2.SettingHeaderTableSize, Val: rand.Uint32N(4096)})) {
			break
		}
	}
	if err := callOn(bearing(t.Context(), "alice"), to.conn); err != nil {
		t.Error(err)
	}
	c.Close()
}

func slowReaders(t *testing.T, to target) {
	for range 5 {
		c := speakRaw(t, to.stream(t), http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})
		for n := range uint32(80) {
			c.request(2*n+1, false, "authorization", "Bearer alice's token")
			c.message(2*n+1, 0, append([]byte{0x12, 0xf4, 0x03}, noise(500)...)) // a field that is sent back
		}
	}
	for range 10 {
		if err := callOn(bearing(t.Context(), "alice"), to.conn); err != nil {
			t.Error(err)
		}
	}
}

func compressed(t *testing.T, to target) {
	zip := func(size int) []byte {
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		if _, err := w.Write(append([]byte{0x12}, slices.Concat(binary.AppendUvarint(nil, uint64(size)), make([]byte, size))...)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return zipped.Bytes()
	}
	bomb := zip(8 << 20)
	if len(bomb) > 64<<10 {
		t.Fatalf("the bomb has %d bytes", len(bomb))
	}
	for _, c := range []struct {
		name, encoding string
		message        []byte
		end            string
	}{
		{"gzip", "gzip", zip(100), "OK"},
		{"a bomb", "gzip", bomb, "ResourceExhausted"},
		{"no gzip", "gzip", noise(100), "Internal"},
		{"brotli", "br", noise(100), "Unimplemented"},
	} {
		conn := speakRaw(t, to.stream(t))
		conn.request(1, false, "authorization", "Bearer alice's token", "grpc-encoding", c.encoding)
		for message, end := append(binary.BigEndian.AppendUint32([]byte{1}, uint32(len(c.message))), c.message...), false; !end; {
			part := message[:min(len(message), 16<<10)]
			message = message[len(part):]
			end = len(message) == 0
			conn.write(conn.frames.WriteData(1, end, part))
		}
		if end := conn.awaitEnd(); end != c.end {
			t.Errorf("%s is answered %s, want %s", c.name, end, c.end)
		}
		conn.Close()
	}
}

// malformedStreams says nonsense to the services that the server has by itself.
func malformedStreams(t *testing.T, to target) {
	for _, method := range []string{
		healthv1.Health_Check_FullMethodName, healthv1.Health_Watch_FullMethodName, reflectionv1.ServerReflection_ServerReflectionInfo_FullMethodName,
	} {
		for _, message := range [][]byte{{0, 0, 0, 0, 3, 0xff, 0xff, 0xff}, {1, 0, 0, 0, 0}, {0, 0}, {0, 0, 0, 0, 9, 1}, nil} {
			c := speakRaw(t, to.stream(t))
			c.request(1, false, ":path", method, "authorization", "Bearer alice's token")
			c.write(c.frames.WriteData(1, true, message))
			c.awaitEnd()
			c.Close()
		}
	}
}

func unknownMethods(t *testing.T, to target) {
	for range 100 {
		name := strconv.FormatUint(rand.Uint64(), 36)
		for _, method := range []string{"/" + name + "/Call", "/test.v1.ProbeService/" + name, "/" + name, "/", probeMethod + "/" + name, "/grpc.health.v1.Health/" + name} {
			if err := to.conn.Invoke(bearing(t.Context(), "alice"), method, &emptypb.Empty{}, &emptypb.Empty{}); status.Code(err) != codes.Unimplemented {
				t.Errorf("%s is answered %v", method, err)
			}
		}
	}
}

func strangers(t *testing.T, to target) {
	want := codes.OK
	if to.tls != nil {
		want = codes.Unauthenticated
	}
	for range 300 {
		name := strconv.FormatUint(rand.Uint64(), 36)
		ctx := metadata.NewOutgoingContext(t.Context(), metadata.Pairs(
			"authorization", "Bearer "+name, "x-request-id", name, "x-client-name", name, "x-forwarded-for", name,
			"traceparent", "00-"+strings.Repeat(name, 5)[:32]+"-"+strings.Repeat(name, 5)[:16]+"-01",
		))
		if err := callOn(ctx, to.conn, grpc.StaticMethod()); status.Code(err) != want {
			t.Errorf("a stranger is answered %v", err)
		}
		if _, err := healthv1.NewHealthClient(to.conn).Check(ctx, &healthv1.HealthCheckRequest{Service: name}); status.Code(err) != codes.NotFound {
			t.Errorf("health of an unknown service is %v", err)
		}
	}
}
