package server_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/luctor-et-emergo/emergod/service/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// probe is a service whose one method does what the test wants.
type probe func(context.Context) error

const probeMethod = "/test.v1.ProbeService/Call"

func (p probe) service() server.Service {
	return server.Service{Register: p.register}
}

func (p probe) register(s grpc.ServiceRegistrar) {
	server.Register(s, &grpc.ServiceDesc{
		ServiceName: "test.v1.ProbeService",
		HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{
			MethodName: "Call",
			Handler: func(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
				request := new(emptypb.Empty)
				if err := decode(request); err != nil {
					return nil, err
				}
				return request, p(ctx)
			},
		}},
	}, p, func(method string) error { return status.Error(codes.InvalidArgument, method+" is malformed") })
}

// A running is a server that a test has started.
type running struct {
	*server.Server
	conn    *grpc.ClientConn
	log     *lockedBuffer
	stop    context.CancelFunc
	stopped chan error
}

type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

// testConfig returns the default settings on free ports.
func testConfig() server.Config {
	config := server.DefaultConfig()
	config.Listen, config.AdminListen = "127.0.0.1:0", "127.0.0.1:0"
	config.LogLevel = slog.LevelDebug
	config.MaxWait = 0 // the machine that tests may be busy
	return config
}

// start serves call until the test ends.
func start(t *testing.T, config server.Config, call probe, options ...grpc.DialOption) *running {
	t.Helper()
	return serve(t, config, []server.Service{call.service()}, options...)
}

// serve serves services until the test ends.
func serve(t *testing.T, config server.Config, services []server.Service, options ...grpc.DialOption) *running {
	t.Helper()
	r := &running{log: new(lockedBuffer), stopped: make(chan error, 1)}
	var err error
	r.Server, err = server.New(config, server.NewLogger(r.log, config), "v1.2.3", services...)
	if err != nil {
		t.Fatal(err)
	}
	var ctx context.Context
	ctx, r.stop = context.WithCancel(context.Background())
	go func() { r.stopped <- r.Run(ctx) }()
	if len(options) == 0 {
		options = []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}
	}
	r.conn, err = grpc.NewClient(r.Addr().String(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.conn.Close()
		r.stop()
		select {
		case <-r.stopped:
		case <-time.After(time.Minute):
			t.Error("the server does not stop")
		}
	})
	return r
}

func (r *running) call(t *testing.T) error {
	return r.conn.Invoke(t.Context(), probeMethod, &emptypb.Empty{}, &emptypb.Empty{})
}

func (r *running) metrics(t *testing.T) string {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get("http://" + r.AdminAddr().String() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %v", response.StatusCode, err)
	}
	return string(body)
}

func (r *running) checkMetric(t *testing.T, want string) {
	t.Helper()
	if !strings.Contains(r.metrics(t), "\n"+want+"\n") {
		t.Errorf("the metrics do not say %s", want)
	}
}

func succeed(context.Context) error { return nil }

func TestMetrics(t *testing.T) {
	r := start(t, testConfig(), succeed)
	if err := r.call(t); err != nil {
		t.Fatal(err)
	}
	r.checkMetric(t, `grpc_server_handled_total{grpc_code="OK",grpc_method="Call",grpc_service="test.v1.ProbeService",grpc_type="unary"} 1`)
	r.checkMetric(t, `grpc_server_handling_seconds_count{grpc_method="Call",grpc_service="test.v1.ProbeService",grpc_type="unary"} 1`)
	r.checkMetric(t, `emergod_panics_total 0`)
	for _, part := range []string{`emergod_build_info{go_version="go`, `version="v1.2.3"} 1`, "\ngo_goroutines ", "\nprocess_cpu_seconds_total "} {
		if !strings.Contains(r.metrics(t), part) {
			t.Errorf("the metrics lack %s", part)
		}
	}
	if log := r.log.String(); !strings.Contains(log, "method=/test.v1.ProbeService/Call code=OK") {
		t.Errorf("the log does not tell of the call:\n%s", log)
	}
}

// A panic is counted, logged with its stack, and answered without detail; the server goes on.
func TestPanic(t *testing.T) {
	r := start(t, testConfig(), func(context.Context) error { panic("secret") })
	for range 2 {
		err := r.call(t)
		st := status.Convert(err)
		if st.Code() != codes.Internal || strings.Contains(st.String(), "secret") {
			t.Errorf("the answer is %v", err)
		}
		if len(st.Details()) != 1 || st.Details()[0].(*errdetails.ErrorInfo).GetReason() != "INTERNAL" {
			t.Errorf("the details are %v", st.Details())
		}
	}
	r.checkMetric(t, `emergod_panics_total 2`)
	r.checkMetric(t, `grpc_server_handled_total{grpc_code="Internal",grpc_method="Call",grpc_service="test.v1.ProbeService",grpc_type="unary"} 2`)
	if log := r.log.String(); !strings.Contains(log, "cause=secret") || !strings.Contains(log, "server_test.go") || !strings.Contains(log, "level=ERROR") {
		t.Errorf("the log does not explain the panic:\n%s", log)
	}
}

func TestMalformedAndTooLarge(t *testing.T) {
	config := testConfig()
	config.MaxRequestBytes = 1 << 10
	r := start(t, config, succeed)
	err := r.conn.Invoke(t.Context(), probeMethod, &healthv1.HealthCheckRequest{Service: strings.Repeat("x", 1<<10)}, &emptypb.Empty{})
	if status.Code(err) != codes.ResourceExhausted {
		t.Errorf("a request over the limit is answered %v", err)
	}
	// gRPC answers before the interceptors have returned.
	await(t, "the count of the call", func() bool { return r.handled(t, "ResourceExhausted") == 1 })
}

func TestHealthAndReflection(t *testing.T) {
	r := start(t, testConfig(), succeed)
	for _, service := range []string{"", "test.v1.ProbeService"} {
		checked, err := healthv1.NewHealthClient(r.conn).Check(t.Context(), &healthv1.HealthCheckRequest{Service: service})
		if err != nil || checked.GetStatus() != healthv1.HealthCheckResponse_SERVING {
			t.Errorf("health of %q is %v, %v", service, checked.GetStatus(), err)
		}
	}
	stream, err := reflectionv1.NewServerReflectionClient(r.conn).ServerReflectionInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(&reflectionv1.ServerReflectionRequest{
		MessageRequest: &reflectionv1.ServerReflectionRequest_ListServices{}}); err != nil {
		t.Fatal(err)
	}
	listed, err := stream.Recv()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, service := range listed.GetListServicesResponse().GetService() {
		names = append(names, service.GetName())
	}
	if !strings.Contains(strings.Join(names, " "), "test.v1.ProbeService") {
		t.Errorf("reflection lists %v", names)
	}
	if err := stream.CloseSend(); err != nil {
		t.Error(err)
	}
	if _, err := stream.Recv(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

// A stop turns health to NOT_SERVING, takes no new call, and lets the one in flight finish.
func TestStopLetsCallsFinish(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	r := start(t, testConfig(), func(context.Context) error {
		close(entered)
		<-leave
		return nil
	})
	watch, err := healthv1.NewHealthClient(r.conn).Watch(t.Context(), &healthv1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if first, err := watch.Recv(); err != nil || first.GetStatus() != healthv1.HealthCheckResponse_SERVING {
		t.Fatalf("health is %v, %v", first.GetStatus(), err)
	}
	answered := make(chan error, 1)
	go func() { answered <- r.call(t) }()
	<-entered
	r.stop()
	if second, err := watch.Recv(); err != nil || second.GetStatus() != healthv1.HealthCheckResponse_NOT_SERVING {
		t.Errorf("after the stop health is %v, %v", second.GetStatus(), err)
	}
	close(leave)
	if err := <-answered; err != nil {
		t.Errorf("the call in flight is answered %v", err)
	}
}

// A stop that outlasts the drain timeout cuts calls off and says so.
func TestStopIsBounded(t *testing.T) {
	entered := make(chan struct{})
	config := testConfig()
	config.DrainTimeout = time.Millisecond
	r := start(t, config, func(ctx context.Context) error {
		close(entered)
		<-ctx.Done()
		return ctx.Err()
	})
	answered := make(chan error, 1)
	go func() { answered <- r.call(t) }()
	<-entered
	r.stop()
	err := <-r.stopped
	r.stopped <- err // for the cleanup
	if !errors.Is(err, server.ErrDrainTimeout) {
		t.Errorf("Run returns %v", err)
	}
	if err := <-answered; err == nil {
		t.Error("the call that was cut off succeeded")
	}
}

func TestAddressInUse(t *testing.T) {
	r := start(t, testConfig(), succeed)
	for setting, change := range map[string]func(*server.Config){
		"--listen: ":       func(c *server.Config) { c.Listen = r.Addr().String() },
		"--admin-listen: ": func(c *server.Config) { c.AdminListen = r.AdminAddr().String() },
	} {
		config := testConfig()
		change(&config)
		if _, err := server.New(config, slog.New(slog.DiscardHandler), ""); err == nil || !strings.HasPrefix(err.Error(), setting) {
			t.Errorf("with %q taken the error is %v", setting, err)
		}
	}
}
