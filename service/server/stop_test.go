package server_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/luctor-et-emergo/emergod/service/server"
)

// halt stops the server and returns what Run does, which must be long before a drain of an hour.
func (r *running) halt(t *testing.T) error {
	t.Helper()
	r.stop()
	select {
	case err := <-r.stopped:
		r.stopped <- err // for the cleanup
		return err
	case <-time.After(time.Minute):
		t.Fatal("the server does not stop")
		return nil
	}
}

// patient is a configuration of a server that waits an hour for calls in flight.
func patient() server.Config {
	config := testConfig()
	config.DrainTimeout = time.Hour
	return config
}

// Streams would last for ever: they end as the server stops, whatever they wait for.
func TestStreamsDoNotHoldUpTheStop(t *testing.T) {
	serverStream, bothStream := &grpc.StreamDesc{ServerStreams: true}, &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}
	for _, c := range []struct {
		name, method string
		desc         *grpc.StreamDesc
		request      any
	}{
		{"a health watch", healthv1.Health_Watch_FullMethodName, serverStream, &healthv1.HealthCheckRequest{}},
		{"a health watch of no such service", healthv1.Health_Watch_FullMethodName, serverStream, &healthv1.HealthCheckRequest{Service: "none"}},
		{"a health watch never asked for", healthv1.Health_Watch_FullMethodName, serverStream, nil},
		{"an idle reflection", reflectionv1.ServerReflection_ServerReflectionInfo_FullMethodName, bothStream, nil},
		{"a reflection that has been answered", reflectionv1.ServerReflection_ServerReflectionInfo_FullMethodName, bothStream,
			&reflectionv1.ServerReflectionRequest{MessageRequest: &reflectionv1.ServerReflectionRequest_ListServices{}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := start(t, patient(), succeed)
			stream, err := r.conn.NewStream(t.Context(), c.desc, c.method)
			if err != nil {
				t.Fatal(err)
			}
			if c.request != nil {
				if err := stream.SendMsg(c.request); err != nil {
					t.Fatal(err)
				}
				if err := stream.RecvMsg(new(emptypb.Empty)); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.call(t); err != nil { // the server has seen the stream, which was first
				t.Fatal(err)
			}
			if err := r.halt(t); err != nil {
				t.Errorf("Run returns %v", err)
			}
			for err == nil {
				err = stream.RecvMsg(new(emptypb.Empty)) // that it is not serving, perhaps
			}
			if status.Code(err) != codes.Unavailable {
				t.Errorf("the stream ends with %v", err)
			}
		})
	}
}

// A call whose request is on its way when the server stops is in flight.
func TestRequestOnItsWayIsAwaited(t *testing.T) {
	r := start(t, patient(), succeed)
	stream, err := r.conn.NewStream(t.Context(), &grpc.StreamDesc{ClientStreams: true}, probeMethod)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.call(t); err != nil {
		t.Fatal(err)
	}
	r.stop()
	await(t, "the end of listening", func() bool {
		conn, err := net.Dial("tcp", r.Addr().String())
		if err == nil {
			conn.Close()
		}
		return err != nil
	})
	if err := errors.Join(stream.SendMsg(&emptypb.Empty{}), stream.CloseSend(), stream.RecvMsg(&emptypb.Empty{})); err != nil {
		t.Errorf("the call is answered %v", err)
	}
	if err := r.halt(t); err != nil {
		t.Errorf("Run returns %v", err)
	}
}

// While the delay lasts the server says that it is stopping, and serves.
func TestShutdownDelay(t *testing.T) {
	t.Parallel()
	config := testConfig()
	config.ShutdownDelay = 2 * time.Second
	r := start(t, config, succeed)
	watch, err := healthv1.NewHealthClient(r.conn).Watch(t.Context(), &healthv1.HealthCheckRequest{Service: "test.v1.ProbeService"})
	if err != nil {
		t.Fatal(err)
	}
	if first, err := watch.Recv(); err != nil || first.GetStatus() != healthv1.HealthCheckResponse_SERVING {
		t.Fatalf("health is %v, %v", first.GetStatus(), err)
	}
	r.stop()
	if second, err := watch.Recv(); err != nil || second.GetStatus() != healthv1.HealthCheckResponse_NOT_SERVING {
		t.Errorf("health is %v, %v", second.GetStatus(), err)
	}
	if code, body := r.get(t, "/readyz"); code != 503 {
		t.Errorf("readiness is %d %s", code, body)
	}
	if code, _ := r.get(t, "/livez"); code != 200 {
		t.Errorf("liveness is %d: a server that is stopping must not be restarted", code)
	}
	if err := callOn(t.Context(), r.connect(t)); err != nil {
		t.Errorf("a call of a new client is answered %v", err)
	}
	if err := r.halt(t); err != nil {
		t.Errorf("Run returns %v", err)
	}
}

// Neither do connections over which nothing was ever said, nor those on which no call is made.
func TestIdleConnectionsDoNotHoldUpTheStop(t *testing.T) {
	a, config := newAuthority(t, "servers"), patient()
	a.serve(t, &config)
	r := start(t, config, succeed, a.dial())
	for _, says := range []string{"", "\x16\x03\x01"} {
		conn, err := net.Dial("tcp", r.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, says); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.call(t); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := r.halt(t); err != nil {
		t.Errorf("Run returns %v", err)
	}
	if took := time.Since(began); took > handshakes-time.Second {
		t.Errorf("it takes %s", took)
	}
}

// handshakes is how long a connection may take to be set up.
const handshakes = 10 * time.Second

// A connection that says nothing, or not enough, is closed by the server.
func TestSilentConnectionIsClosed(t *testing.T) {
	t.Parallel()
	a, secure := newAuthority(t, "servers"), testConfig()
	a.serve(t, &secure)
	silent, servers := map[string]net.Conn{}, map[string]*running{}
	for name, config := range map[string]server.Config{"plaintext": testConfig(), "TLS": secure} {
		r := start(t, config, succeed)
		servers[name] = r
		for _, says := range []string{"", "P", "PRI * HTTP/2.0\r\n\r\n", "\x16\x03\x01"} {
			conn, err := net.Dial("tcp", r.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_, _ = conn.Write([]byte(says)) // reading shows whether it was closed
			_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
			silent[fmt.Sprintf("%s: %q", name, says)] = conn
		}
	}
	for said, conn := range silent {
		// The server's settings may come first.
		if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: the connection stays open", said)
		}
	}
	for reason, want := range map[string]float64{"timed_out": 3, "not_tls": 1} {
		await(t, reason, func() bool { return servers["TLS"].failedHandshakes(t, reason) == want })
	}
}
