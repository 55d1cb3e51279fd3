package server

import (
	"context"
	"net/http"
	"runtime"

	grpcprom "github.com/grpc-ecosystem/go-grpc-middleware/providers/prometheus"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel/trace"
)

// latencyBuckets are in seconds: a call takes tens of microseconds, a long replay some
// milliseconds, and whatever takes a second is a fault.
var latencyBuckets = []float64{25e-6, 50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 100e-3, 1}

// metrics are what the server counts, on a registry of its own.
type metrics struct {
	registry *prometheus.Registry
	calls    *grpcprom.ServerMetrics
	panics   prometheus.Counter
	shed     prometheus.Counter
	limited  prometheus.Counter
	reloads  *prometheus.CounterVec
	loaded   *prometheus.GaugeVec
	shakes   *prometheus.CounterVec
	notAfter prometheus.Gauge
}

func newMetrics(version string) *metrics {
	registry := prometheus.NewRegistry()
	factory := promauto.With(registry)
	counter := func(name, help string) prometheus.Counter {
		return factory.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	m := &metrics{
		registry: registry,
		calls: grpcprom.NewServerMetrics(grpcprom.WithServerHandlingTimeHistogram(
			grpcprom.WithHistogramBuckets(latencyBuckets),
			func(o *prometheus.HistogramOpts) {
				// Native histograms too, for scrapers that ask for them: buckets grow by a tenth.
				o.NativeHistogramBucketFactor, o.NativeHistogramMaxBucketNumber = 1.1, 100
			},
		)),
		panics:  counter("emergod_panics_total", "Calls that panicked and were answered INTERNAL."),
		shed:    counter("emergod_shed_calls_total", "Calls turned away because too many were being worked on or they had waited too long."),
		limited: counter("emergod_rate_limited_calls_total", "Calls turned away because their client made too many."),
		reloads: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "emergod_tls_reloads_total",
			Help: "Times that changed certificates, authorities or tokens were loaded (ok) or could not be (failed).",
		}, []string{"result"}),
		loaded: factory.NewGaugeVec(prometheus.GaugeOpts{
			Name: "emergod_tls_last_reload_successful",
			Help: "1 if what is in use is what the files of a setting hold, or there are none; 0 if they cannot be used.",
		}, []string{"setting"}),
		shakes: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "emergod_tls_handshake_failures_total",
			Help: "Connections that failed in their TLS handshake.",
		}, []string{"reason"}),
		notAfter: factory.NewGauge(prometheus.GaugeOpts{
			Name: "emergod_tls_certificate_not_after_seconds",
			Help: "When the certificate in use expires, in seconds since 1970; 0 without TLS.",
		}),
	}
	m.reloads.WithLabelValues("ok")
	m.reloads.WithLabelValues("failed")
	for _, setting := range []string{settingTokens, settingCert, settingClientCA} {
		m.loaded.WithLabelValues(setting).Set(1)
	}
	for _, f := range handshakeFailures {
		m.shakes.WithLabelValues(f.reason)
	}
	factory.NewGauge(prometheus.GaugeOpts{
		Name:        "emergod_build_info",
		Help:        "Always 1; the labels say what is running.",
		ConstLabels: prometheus.Labels{"version": version, "go_version": runtime.Version()},
	}).Set(1)
	registry.MustRegister(
		m.calls,
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// watchInFlight exports how many calls the shedder counts.
func (m *metrics) watchInFlight(s *shedder) {
	promauto.With(m.registry).NewGaugeFunc(prometheus.GaugeOpts{
		Name: "emergod_in_flight_calls",
		Help: "Calls being worked on.",
	}, func() float64 { return float64(s.inFlight.Load()) })
}

// exemplars links the duration of a sampled call to its trace. Without tracing there is none, and
// looking for one is a twentieth of what a call costs.
func (c *chain) exemplars() []grpcprom.Option {
	if c.config.OTLPEndpoint == "" {
		return nil
	}
	return []grpcprom.Option{grpcprom.WithExemplarFromContext(func(ctx context.Context) prometheus.Labels {
		if span := trace.SpanContextFromContext(ctx); span.IsSampled() {
			return prometheus.Labels{"trace_id": span.TraceID().String()}
		}
		return nil
	})}
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry, EnableOpenMetrics: true})
}
