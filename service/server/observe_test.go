package server_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"

	"github.com/luctor-et-emergo/emergod/service/server"
)

// jsonConfig is testConfig with a log that logged reads.
func jsonConfig() server.Config {
	config := testConfig()
	config.LogFormat = "json"
	return config
}

// logged returns the lines of the log that have a message.
func (r *running) logged(t *testing.T, message string) []map[string]any {
	t.Helper()
	var found []map[string]any
	for line := range strings.Lines(r.log.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatalf("%q is no line of a log: %v", line, err)
		}
		if fields["msg"] == message {
			found = append(found, fields)
		}
	}
	return found
}

// series returns the metrics by name and labels.
func (r *running) series(t *testing.T) map[string]float64 {
	t.Helper()
	series := map[string]float64{}
	for line := range strings.Lines(r.metrics(t)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		line = strings.TrimSuffix(line, "\n")
		space := strings.LastIndexByte(line, ' ')
		value, err := strconv.ParseFloat(line[space+1:], 64)
		if err != nil {
			t.Fatalf("%q is no metric: %v", line, err)
		}
		series[line[:space]] = value
	}
	return series
}

// handled returns how many calls of probeMethod the metrics count with a code.
func (r *running) handled(t *testing.T, code string) float64 {
	t.Helper()
	return r.series(t)[`grpc_server_handled_total{grpc_code="`+code+`",grpc_method="Call",grpc_service="test.v1.ProbeService",grpc_type="unary"}`]
}

// reason returns the reason that an error is detailed with, and after how long to try again.
func reason(err error) (reason string, retry time.Duration) {
	for _, detail := range status.Convert(err).Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			if detail.GetDomain() == server.ErrorDomain {
				reason = detail.GetReason()
			}
		case *errdetails.RetryInfo:
			retry = detail.GetRetryDelay().AsDuration()
		}
	}
	return reason, retry
}
