package server

import (
	"context"
	"fmt"

	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/semconv/v1.26.0"
	"google.golang.org/grpc"
)

// newTracing returns the option by which calls are traced to an OTLP endpoint, and what sends the
// last traces on a stop. Callers who are not trusted do not decide which calls those are, neither by
// their flag nor by a trace id of their choice: it would cost the server and the collector.
func newTracing(c Config, version string) (grpc.ServerOption, func(context.Context) error, error) {
	exporter, err := otlptracegrpc.New(context.Background(), otlptracegrpc.WithEndpointURL(c.OTLPEndpoint))
	if err != nil {
		return nil, nil, fmt.Errorf("--otlp-endpoint: %w", err)
	}
	provider := trace.NewTracerProvider(
		trace.WithBatcher(exporter),
		trace.WithSampler(trace.ParentBased(trace.TraceIDRatioBased(c.TraceSampleRatio))),
		trace.WithResource(resource.NewSchemaless(semconv.ServiceName("emergod"), semconv.ServiceVersion(version))),
	)
	options := []otelgrpc.Option{
		otelgrpc.WithTracerProvider(provider),
		otelgrpc.WithPropagators(propagation.TraceContext{}),
	}
	if !c.TraceTrustCallers {
		options = append(options, otelgrpc.WithPublicEndpoint())
	}
	return grpc.StatsHandler(otelgrpc.NewServerHandler(options...)), provider.Shutdown, nil
}
