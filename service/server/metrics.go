package server

import (
	"net/http"
	"runtime"

	grpcprom "github.com/grpc-ecosystem/go-grpc-middleware/providers/prometheus"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// latencyBuckets are in seconds: a call takes tens of microseconds, a long replay some
// milliseconds, and whatever takes a second is a fault.
var latencyBuckets = []float64{25e-6, 50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 100e-3, 1}

// metrics are what the server counts, on a registry of its own.
type metrics struct {
	registry *prometheus.Registry
	calls    *grpcprom.ServerMetrics
	panics   prometheus.Counter
}

func newMetrics(version string) *metrics {
	registry := prometheus.NewRegistry()
	m := &metrics{
		registry: registry,
		calls:    grpcprom.NewServerMetrics(grpcprom.WithServerHandlingTimeHistogram(grpcprom.WithHistogramBuckets(latencyBuckets))),
		panics: promauto.With(registry).NewCounter(prometheus.CounterOpts{
			Name: "emergod_panics_total",
			Help: "Calls that panicked and were answered INTERNAL.",
		}),
	}
	promauto.With(registry).NewGauge(prometheus.GaugeOpts{
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

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}
