package server_test

import (
	"context"
	"encoding/hex"
	"net"
	"slices"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/trace"
	collectorv1 "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracev1 "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/luctor-et-emergo/emergod/service/server"
)

// A collector receives spans as one of OpenTelemetry's does.
type collector struct {
	collectorv1.UnimplementedTraceServiceServer
	mu       sync.Mutex
	spans    []*tracev1.Span
	services []string
}

func (c *collector) Export(_ context.Context, request *collectorv1.ExportTraceServiceRequest) (*collectorv1.ExportTraceServiceResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, resource := range request.GetResourceSpans() {
		for _, attribute := range resource.GetResource().GetAttributes() {
			c.services = append(c.services, attribute.GetKey()+"="+attribute.GetValue().GetStringValue())
		}
		for _, scope := range resource.GetScopeSpans() {
			c.spans = append(c.spans, scope.GetSpans()...)
		}
	}
	return &collectorv1.ExportTraceServiceResponse{}, nil
}

// collect starts a collector and returns its URL.
func collect(t *testing.T) (*collector, string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c, s := new(collector), grpc.NewServer()
	collectorv1.RegisterTraceServiceServer(s, c)
	go func() { _ = s.Serve(listener) }() // until it is stopped
	t.Cleanup(s.Stop)
	return c, "http://" + listener.Addr().String()
}

const (
	traceID     = "0af7651916cd43dd8448eb211c80319c"
	otherID     = "1bf7651916cd43dd8448eb211c80319d"
	spanID      = "b7ad6b7169203331"
	sampled     = "00-" + traceID + "-" + spanID + "-01"
	leftOut     = "00-" + otherID + "-" + spanID + "-00"
	traceparent = "traceparent"
)

// A sampled call leads from the metrics to its trace, which arrives at the latest as the server stops.
// Here the caller is trusted to sample.
func TestSampledCallIsTraced(t *testing.T) {
	spans, endpoint := collect(t)
	config := testConfig()
	config.OTLPEndpoint, config.TraceTrustCallers, config.TraceSampleRatio = endpoint, true, 0
	var inside trace.SpanContext
	r := start(t, config, func(ctx context.Context) error {
		inside = trace.SpanContextFromContext(ctx)
		return nil
	})
	if err := callOn(metadata.AppendToOutgoingContext(t.Context(), traceparent, leftOut), r.conn); err != nil {
		t.Fatal(err)
	}
	if inside.TraceID().String() != otherID || inside.IsSampled() {
		t.Errorf("within a call that is left out the trace is %v", inside)
	}
	if err := callOn(metadata.AppendToOutgoingContext(t.Context(), traceparent, sampled), r.conn); err != nil {
		t.Fatal(err)
	}
	if inside.TraceID().String() != traceID || !inside.IsSampled() {
		t.Errorf("within the sampled call the trace is %v", inside)
	}
	var exemplars []string
	for _, bucket := range r.durations(t).GetBucket() {
		for _, label := range bucket.GetExemplar().GetLabel() {
			exemplars = append(exemplars, label.GetName()+"="+label.GetValue())
		}
	}
	if !slices.Equal(exemplars, []string{"trace_id=" + traceID}) {
		t.Errorf("the exemplars are %v", exemplars)
	}
	if err := r.halt(t); err != nil {
		t.Error(err)
	}
	spans.mu.Lock()
	defer spans.mu.Unlock()
	if len(spans.spans) != 1 {
		t.Fatalf("%d spans arrive", len(spans.spans))
	}
	span := spans.spans[0]
	if hex.EncodeToString(span.GetTraceId()) != traceID || hex.EncodeToString(span.GetParentSpanId()) != spanID ||
		span.GetName() != probeMethod[1:] || span.GetKind() != tracev1.Span_SPAN_KIND_SERVER {
		t.Errorf("the span is %v", span)
	}
	if !slices.Contains(spans.services, "service.name=emergod") || !slices.Contains(spans.services, "service.version=v1.2.3") {
		t.Errorf("the span is of %v", spans.services)
	}
}

// Whether a call is traced, and under which name, is not for any caller to choose. What it says is
// kept as a link.
func TestCallersDoNotDecideWhatIsTraced(t *testing.T) {
	for name, c := range map[string]struct {
		ratio float64
		sent  string
	}{
		"none, but the caller wants it": {0, sampled},
		"all, but the caller does not":  {1, leftOut},
	} {
		t.Run(name, func(t *testing.T) {
			spans, endpoint := collect(t)
			config := testConfig()
			config.OTLPEndpoint, config.TraceSampleRatio = endpoint, c.ratio
			var inside trace.SpanContext
			r := start(t, config, func(ctx context.Context) error {
				inside = trace.SpanContextFromContext(ctx)
				return nil
			})
			if err := callOn(metadata.AppendToOutgoingContext(t.Context(), traceparent, c.sent), r.conn); err != nil {
				t.Fatal(err)
			}
			if id := inside.TraceID().String(); inside.IsSampled() != (c.ratio == 1) || id == traceID || id == otherID {
				t.Errorf("within the call the trace is %v", inside)
			}
			if err := r.halt(t); err != nil {
				t.Error(err)
			}
			spans.mu.Lock()
			defer spans.mu.Unlock()
			if len(spans.spans) != int(c.ratio) {
				t.Fatalf("%d spans arrive", len(spans.spans))
			}
			for _, span := range spans.spans {
				links := span.GetLinks()
				if len(span.GetParentSpanId()) != 0 || len(links) != 1 || hex.EncodeToString(links[0].GetTraceId()) != otherID {
					t.Errorf("the span is %v", span)
				}
			}
		})
	}
}

func TestNoTracingByDefault(t *testing.T) {
	var inside trace.SpanContext
	r := start(t, testConfig(), func(ctx context.Context) error {
		inside = trace.SpanContextFromContext(ctx)
		return nil
	})
	if err := callOn(metadata.AppendToOutgoingContext(t.Context(), traceparent, sampled), r.conn); err != nil {
		t.Fatal(err)
	}
	if inside.IsValid() {
		t.Errorf("there is a span: %v", inside)
	}
	for _, bucket := range r.durations(t).GetBucket() {
		if bucket.Exemplar != nil {
			t.Errorf("there is the exemplar %v", bucket.GetExemplar())
		}
	}
}

// What New began it ends if it fails, and Check always: TestMain would find what is left.
func TestTracingEndsIfThereIsNoServer(t *testing.T) {
	_, endpoint := collect(t)
	taken := start(t, testConfig(), succeed)
	config := testConfig()
	config.OTLPEndpoint, config.Listen = endpoint, taken.Addr().String()
	if err := errorOfNew(config); err == nil {
		t.Error("two servers listen on one address")
	}
	config.Listen = "127.0.0.1:0"
	if err := server.Check(config); err != nil {
		t.Error(err)
	}
}
