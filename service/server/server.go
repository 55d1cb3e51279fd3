// Package server runs gRPC services the way emergod does: with metrics, logging and panic recovery
// around each call, health and reflection beside them, an HTTP port for Prometheus, and a stop that
// lets calls finish. It knows nothing of any game.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"
)

// Defaults of Config.
const (
	// DefaultListen is on loopback, because nothing else guards the server yet. 50051 is the port
	// that gRPC's own examples use.
	DefaultListen = "127.0.0.1:50051"
	// DefaultAdminListen is on loopback too. 9464 is the port that Prometheus exporters of
	// OpenTelemetry use.
	DefaultAdminListen = "127.0.0.1:9464"
	// DefaultDrainTimeout is far longer than any call takes, and shorter than the 30 seconds after
	// which Kubernetes kills.
	DefaultDrainTimeout = 20 * time.Second
)

// Config says how to run the services.
type Config struct {
	// Listen is the TCP address for gRPC, host:port; port 0 picks a free one.
	Listen string
	// AdminListen is the TCP address for HTTP, host:port, with /metrics; "" means none.
	AdminListen string
	// DrainTimeout is how long a stop waits for calls in flight before it cuts them off.
	DrainTimeout time.Duration
	// MaxRequestBytes bounds an encoded request; 0 means gRPC's default, 4 MiB. A larger one is
	// answered RESOURCE_EXHAUSTED unread.
	MaxRequestBytes int
	// Log receives the server's log; nil means none.
	Log *slog.Logger
	// Version is exported as a label of emergod_build_info.
	Version string
}

// A Server is a set of gRPC services on open listeners.
type Server struct {
	config Config
	log    *slog.Logger
	grpc   *grpc.Server
	health *health.Server
	admin  *http.Server
	calls  net.Listener
	scrape net.Listener // nil without an admin port
}

// New opens the listeners and registers the services. Run must follow, to serve and then close
// them.
func New(config Config, register ...func(grpc.ServiceRegistrar)) (*Server, error) {
	s := &Server{config: config, log: config.Log, health: health.NewServer()}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	metrics := newMetrics(config.Version)
	options := []grpc.ServerOption{
		grpc.ForceServerCodecV2(protoCodec),
		grpc.ChainUnaryInterceptor(unaryChain(metrics, s.log)...),
		grpc.ChainStreamInterceptor(streamChain(metrics, s.log)...),
	}
	if config.MaxRequestBytes > 0 {
		options = append(options, grpc.MaxRecvMsgSize(config.MaxRequestBytes))
	}
	s.grpc = grpc.NewServer(options...)
	for _, r := range register {
		r(s.grpc)
	}
	for name := range s.grpc.GetServiceInfo() {
		s.health.SetServingStatus(name, healthv1.HealthCheckResponse_SERVING)
	}
	healthv1.RegisterHealthServer(s.grpc, s.health)
	reflection.Register(s.grpc)
	metrics.calls.InitializeMetrics(s.grpc)

	var err error
	if s.calls, err = net.Listen("tcp", config.Listen); err != nil {
		return nil, fmt.Errorf("listen for gRPC: %w", err)
	}
	if config.AdminListen == "" {
		return s, nil
	}
	if s.scrape, err = net.Listen("tcp", config.AdminListen); err != nil {
		return nil, errors.Join(fmt.Errorf("listen for admin HTTP: %w", err), s.calls.Close())
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics.handler())
	s.admin = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelWarn)}
	return s, nil
}

// Addr returns the address on which gRPC is served.
func (s *Server) Addr() net.Addr { return s.calls.Addr() }

// AdminAddr returns the address on which HTTP is served, or nil.
func (s *Server) AdminAddr() net.Addr {
	if s.scrape == nil {
		return nil
	}
	return s.scrape.Addr()
}

// ErrDrainTimeout is returned by Run if calls had to be cut off.
var ErrDrainTimeout = errors.New("calls in flight were cut off after the drain timeout")

// Run serves until ctx is done, then stops: health turns NOT_SERVING, no new calls are taken, those
// in flight may finish within the drain timeout. It returns nil after a clean stop, ErrDrainTimeout
// after one that was not, and any other error if serving failed.
func (s *Server) Run(ctx context.Context) error {
	failed := make(chan error, 2)
	go func() { failed <- s.grpc.Serve(s.calls) }()
	s.log.Info("serving gRPC", "address", s.Addr().String())
	if s.admin != nil {
		go func() { failed <- s.admin.Serve(s.scrape) }()
		s.log.Info("serving metrics", "url", "http://"+s.AdminAddr().String()+"/metrics")
	}
	var err error
	select {
	case err = <-failed:
		err = fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
		s.log.Info("stopping", "drain_timeout", s.config.DrainTimeout)
	}
	err = errors.Join(err, s.drain())
	if s.admin != nil {
		err = errors.Join(err, s.admin.Close())
	}
	s.log.Info("stopped")
	return err
}

func (s *Server) drain() error {
	s.health.Shutdown()
	drained := make(chan struct{})
	go func() {
		s.grpc.GracefulStop()
		close(drained)
	}()
	timeout := time.NewTimer(s.config.DrainTimeout)
	defer timeout.Stop()
	select {
	case <-drained:
		return nil
	case <-timeout.C:
		s.grpc.Stop()
		<-drained
		return ErrDrainTimeout
	}
}
