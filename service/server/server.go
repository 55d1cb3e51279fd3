// Package server runs gRPC services the way emergod does: measured, logged, bounded and guarded
// around each call, with health and reflection beside them, an HTTP port for operators, and a stop
// that lets calls finish. It knows nothing of any game.
package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"
)

// A Service is what a Server serves.
type Service struct {
	// Register registers the service's methods, by Register of this package.
	Register func(grpc.ServiceRegistrar)
	// Metrics are the service's own, or nil.
	Metrics prometheus.Collector
	// Settings are the service's own, by name, to be told beside the server's.
	Settings map[string]string
	// Stop, unless it is nil, is called when the server takes no more calls. Those that would not end by
	// themselves by then are to be ended before, with ErrStopping unless there is something to answer:
	// what is left is cut off.
	Stop func(by time.Time)
}

// A Server is a set of gRPC services on open listeners.
type Server struct {
	config      Config
	log         *slog.Logger
	metrics     *metrics
	grpc        *grpc.Server
	health      *health.Server
	admin       *http.Server
	calls       net.Listener
	scrapes     net.Listener // nil without an admin port
	files       []*watched
	services    []Service
	ready       atomic.Bool
	shed        *shedder
	flushTraces func(context.Context) error
}

// New opens the listeners and registers the services. Run must follow, to serve and then close
// them. log receives the server's log; version is told by the metric emergod_build_info. GOMAXPROCS must
// be the number of processors by now: from it follows how long calls have to wait.
func New(config Config, log *slog.Logger, version string, services ...Service) (*Server, error) {
	s, options, err := prepare(config, log, version)
	if err != nil {
		return nil, &ConfigError{err}
	}
	s.grpc, s.services = grpc.NewServer(options...), services
	for _, service := range services {
		service.Register(s.grpc)
		if service.Metrics != nil {
			s.metrics.registry.MustRegister(service.Metrics)
		}
	}
	for name := range s.grpc.GetServiceInfo() {
		s.health.SetServingStatus(name, healthv1.HealthCheckResponse_SERVING)
	}
	healthv1.RegisterHealthServer(s.grpc, s.health)
	reflection.Register(s.grpc)
	s.metrics.calls.InitializeMetrics(s.grpc)
	if err := s.listen(); err != nil {
		return nil, errors.Join(err, s.flushTraces(context.Background()))
	}
	return s, nil
}

// A ConfigError is what is wrong with a configuration, or with a file that it names.
type ConfigError struct{ error }

// Unwrap returns the error itself.
func (e *ConfigError) Unwrap() error { return e.error }

// Check returns the error that New would for a configuration, except for what listening may bring.
func Check(config Config) error {
	s, _, err := prepare(config, slog.New(slog.DiscardHandler), "")
	if err != nil {
		return &ConfigError{err}
	}
	return s.flushTraces(context.Background())
}

// prepare checks a configuration and loads the files it names.
func prepare(config Config, log *slog.Logger, version string) (*Server, []grpc.ServerOption, error) {
	if err := config.Validate(); err != nil {
		return nil, nil, err
	}
	s := &Server{
		config:      config,
		log:         log,
		metrics:     newMetrics(version),
		health:      health.NewServer(),
		flushTraces: func(context.Context) error { return nil },
	}
	options, err := s.options(version)
	return s, options, err
}

// options returns what the configuration means to gRPC.
func (s *Server) options(version string) ([]grpc.ServerOption, error) {
	c := s.config
	s.shed = &shedder{
		mostCalls: int64(c.MaxInFlight), longestWait: c.MaxWait, shed: s.metrics.shed,
		processors: int64(runtime.GOMAXPROCS(0)),
	}
	chain := &chain{
		metrics: s.metrics,
		log:     s.log,
		calls:   callLog{s.log, c.SlowCall},
		shed:    s.shed,
		config:  c,
	}
	s.metrics.watchInFlight(s.shed)
	if c.ClientRate > 0 {
		var err error
		if chain.rates, err = newRateLimiter(c.ClientRate, c.ClientBurst, s.metrics.limited); err != nil {
			return nil, err
		}
	}
	if c.authenticates() {
		chain.auth = new(authenticator)
	}
	security, err := s.secure(chain.auth)
	if err != nil {
		return nil, err
	}
	options := []grpc.ServerOption{
		grpc.ForceServerCodecV2(newCodec(c.MaxRequestBytes)),
		grpc.InTapHandle(arrive(c.MaxDeadline)),
		grpc.ChainUnaryInterceptor(chain.unary()...),
		grpc.ChainStreamInterceptor(chain.stream()...),
		grpc.MaxRecvMsgSize(readBytes(c.MaxRequestBytes)),
		grpc.MaxHeaderListSize(maxHeaderBytes),
		grpc.MaxConcurrentStreams(c.MaxConcurrentStreams),
		grpc.ConnectionTimeout(handshakeTimeout),
		grpc.KeepaliveParams(keepalive.ServerParameters{
			MaxConnectionAge:      c.MaxConnectionAge,
			MaxConnectionAgeGrace: c.MaxConnectionAgeGrace,
			Time:                  c.KeepaliveTime,
			Timeout:               c.KeepaliveTimeout,
		}),
		// Clients that ping between calls are ordinary.
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: c.KeepaliveMinTime, PermitWithoutStream: true}),
	}
	options = append(options, security...)
	if c.OTLPEndpoint != "" {
		tracing, flush, err := newTracing(c, version)
		if err != nil {
			return nil, err
		}
		options, s.flushTraces = append(options, tracing), flush
	}
	return options, nil
}

const (
	// maxHeaderBytes leaves room for tokens and trace context, and little more: gRPC allows 16 MiB.
	maxHeaderBytes = 16 << 10
	// handshakeTimeout bounds how long a connection may take to be set up; gRPC allows two minutes.
	handshakeTimeout = 10 * time.Second
	// flushTimeout bounds how long a stop waits for the last traces to be sent: a collector answers in
	// milliseconds, and one that is gone should hold up nothing.
	flushTimeout = 500 * time.Millisecond
)

// secure loads what the configuration names of certificates, authorities and tokens, to be watched
// while serving.
func (s *Server) secure(auth *authenticator) ([]grpc.ServerOption, error) {
	c := s.config
	if c.Tokens != "" {
		s.files = append(s.files, &watched{setting: settingTokens, files: []string{c.Tokens}, load: auth.load})
	}
	var options []grpc.ServerOption
	if c.TLSCert != "" {
		handshake := &serverTLS{notAfter: s.metrics.notAfter}
		s.files = append(s.files, &watched{setting: settingCert, files: []string{c.TLSCert, c.TLSKey}, load: handshake.loadCertificate})
		if c.TLSClientCA != "" {
			handshake.clientAuth = tls.RequireAndVerifyClientCert
			if c.Tokens != "" {
				handshake.clientAuth = tls.VerifyClientCertIfGiven // a token will do instead
			}
			s.files = append(s.files, &watched{setting: settingClientCA, files: []string{c.TLSClientCA}, load: handshake.loadClientCAs})
		}
		options = append(options, grpc.Creds(watchTLS(handshake.config(), s.metrics.shakes, s.log)))
	}
	for _, file := range s.files {
		if _, err := file.read(); err != nil {
			return nil, err
		}
	}
	return options, nil
}

func (s *Server) listen() (err error) {
	if s.calls, err = net.Listen("tcp", s.config.Listen); err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	if s.config.AdminListen == "" {
		return nil
	}
	if s.scrapes, err = net.Listen("tcp", s.config.AdminListen); err != nil {
		return errors.Join(fmt.Errorf("--admin-listen: %w", err), s.calls.Close())
	}
	s.admin = newAdmin(s.config, s.services, s.metrics, s.ready.Load, s.log)
	return nil
}

// Addr returns the address on which gRPC is served.
func (s *Server) Addr() net.Addr { return s.calls.Addr() }

// AdminAddr returns the address on which HTTP is served, or nil.
func (s *Server) AdminAddr() net.Addr {
	if s.scrapes == nil {
		return nil
	}
	return s.scrapes.Addr()
}

// ErrDrainTimeout is returned by Run if calls had to be cut off.
var ErrDrainTimeout = errors.New("calls in flight were cut off after the drain timeout")

// Run serves until ctx is done, then stops: it turns unready, goes on serving for the shutdown
// delay, then takes no new calls and lets those in flight finish within the drain timeout. It
// returns nil after a clean stop, ErrDrainTimeout after one that was not, and any other error if
// serving failed.
func (s *Server) Run(ctx context.Context) error {
	watching, stopWatching := context.WithCancel(context.Background())
	defer stopWatching()
	go watch(watching, s.config.ReloadInterval, s.files, s.log, s.metrics)

	failed := make(chan error, 2)
	go func() { failed <- s.grpc.Serve(s.calls) }()
	s.log.Info("serving gRPC", "address", s.Addr().String(), "tls", s.config.TLSCert != "", "authentication", s.config.authenticates())
	if s.admin != nil {
		go func() { failed <- s.admin.Serve(s.scrapes) }()
		s.log.Info("serving HTTP", "url", "http://"+s.AdminAddr().String()+"/metrics")
	}
	s.ready.Store(true)
	var err error
	select {
	case err = <-failed:
		err = fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
		s.log.Info("stopping", "shutdown_delay", s.config.ShutdownDelay.String(), "drain_timeout", s.config.DrainTimeout.String())
	}
	s.ready.Store(false)
	s.health.Shutdown()
	if err == nil {
		time.Sleep(s.config.ShutdownDelay)
	}
	err = errors.Join(err, s.drain())
	flushing, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	if flushed := s.flushTraces(flushing); flushed != nil {
		s.log.Warn("the last traces were not sent", "error", flushed)
	}
	if s.admin != nil {
		err = errors.Join(err, s.admin.Close())
	}
	s.log.Info("stopped")
	return err
}

// drain stops gRPC: gracefully, unless that takes too long. Connections without a call in flight do
// not hold it up, though gRPC waits for them too: some never finish their handshake, some hold a
// stream open for ever.
func (s *Server) drain() error {
	for _, service := range s.services {
		if service.Stop != nil {
			service.Stop(time.Now().Add(s.config.DrainTimeout))
		}
	}
	drained := make(chan struct{})
	go func() {
		s.grpc.GracefulStop()
		close(drained)
	}()
	idle := 0
	tick := time.NewTicker(drainCheck)
	defer tick.Stop()
	timeout := time.NewTimer(s.config.DrainTimeout)
	defer timeout.Stop()
	for idle < drainChecks {
		select {
		case <-drained:
			return nil
		case <-timeout.C:
			open := s.shed.unfinished()
			s.cutOff(drained)
			if open > 0 {
				return ErrDrainTimeout
			}
			return nil
		case <-tick.C:
			idle++
			if s.shed.unfinished() > 0 {
				idle = 0
			}
		}
	}
	s.cutOff(drained)
	return nil
}

// Connections are cut off once no call has been open at so many checks in a row: clients have then
// long been told to go, and have had time to read their answers.
const (
	drainCheck  = 100 * time.Millisecond
	drainChecks = 20
)

// cutOff closes what is left, without waiting for long: the process is about to end.
func (s *Server) cutOff(drained <-chan struct{}) {
	go s.grpc.Stop()
	select {
	case <-drained:
	case <-time.After(drainCheck):
	}
}
