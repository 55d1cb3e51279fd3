package server_test

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/encoding/protodelim"
)

// scrape asks for the metrics in the format that native histograms need, as Prometheus does.
func (r *running) scrape(t *testing.T) map[string]*dto.MetricFamily {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+r.AdminAddr().String()+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	families := map[string]*dto.MetricFamily{}
	for body := bufio.NewReader(response.Body); ; {
		family := new(dto.MetricFamily)
		if err := protodelim.UnmarshalFrom(body, family); errors.Is(err, io.EOF) {
			return families
		} else if err != nil {
			t.Fatal(err)
		}
		families[family.GetName()] = family
	}
}

// durations returns the histogram of how long calls of probeMethod took.
func (r *running) durations(t *testing.T) *dto.Histogram {
	t.Helper()
	for _, metric := range r.scrape(t)["grpc_server_handling_seconds"].GetMetric() {
		for _, label := range metric.GetLabel() {
			if label.GetName() == "grpc_service" && label.GetValue() == "test.v1.ProbeService" {
				return metric.GetHistogram()
			}
		}
	}
	t.Fatal("there is no histogram of the calls")
	return nil
}

// Durations are counted in classic buckets, for every scraper, and in native ones.
func TestDurationsInBothKindsOfBuckets(t *testing.T) {
	r := start(t, testConfig(), succeed)
	for range 5 {
		if err := r.call(t); err != nil {
			t.Fatal(err)
		}
	}
	h := r.durations(t)
	if h.GetSampleCount() != 5 || h.GetSampleSum() <= 0 {
		t.Errorf("counted are %d calls of %v seconds", h.GetSampleCount(), h.GetSampleSum())
	}
	if n := len(h.GetBucket()); n < 10 {
		t.Errorf("there are %d classic buckets", n)
	}
	// A growth of at most a tenth is schema 3 or finer: 2^(2^-3) is 1.09.
	if h.Schema == nil || h.GetSchema() < 3 || len(h.GetPositiveSpan()) == 0 {
		t.Fatalf("the native histogram is of schema %d with %d spans", h.GetSchema(), len(h.GetPositiveSpan()))
	}
	native := int64(h.GetZeroCount())
	for i, count := int(0), int64(0); i < len(h.GetPositiveDelta()); i++ {
		count += h.GetPositiveDelta()[i]
		native += count
	}
	if native != 5 {
		t.Errorf("the native buckets count %d calls", native)
	}
	for _, bucket := range h.GetBucket() {
		if bucket.Exemplar != nil {
			t.Errorf("without tracing there is the exemplar %v", bucket.GetExemplar())
		}
	}
}
