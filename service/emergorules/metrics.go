package emergorules

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc/codes"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// metrics are the game's own figures. Their labels are the contract's enums, so no caller can add
// to them.
type metrics struct {
	adjudications *prometheus.CounterVec
	refused       *prometheus.CounterVec
	malformed     *prometheus.CounterVec
}

func newMetrics() *metrics {
	return &metrics{
		adjudications: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "emergo_adjudications_total",
			Help: "States answered, by the outcome of the game: its result and what ended it.",
		}, []string{"result", "reason"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "emergo_refused_moves_total",
			Help: "Calls refused because a move is against the rules, by the rule.",
		}, []string{"reason"}),
		malformed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "emergo_malformed_requests_total",
			Help: "Calls refused because they could not be read, by the reason.",
		}, []string{"reason"}),
	}
}

// Describe implements prometheus.Collector.
func (m *metrics) Describe(ch chan<- *prometheus.Desc) {
	m.adjudications.Describe(ch)
	m.refused.Describe(ch)
	m.malformed.Describe(ch)
}

// Collect implements prometheus.Collector.
func (m *metrics) Collect(ch chan<- prometheus.Metric) {
	m.adjudications.Collect(ch)
	m.refused.Collect(ch)
	m.malformed.Collect(ch)
}

// count counts what a call is answered with and returns the error.
func (m *metrics) count(state *emergov1.State, err error) error {
	var refusal *Error
	switch {
	case m == nil:
	case err == nil:
		outcome := state.GetOutcome()
		m.adjudications.WithLabelValues(outcome.GetResult().String(), outcome.GetReason().String()).Inc()
	case errors.As(err, &refusal) && refusal.Code() == codes.InvalidArgument:
		m.malformed.WithLabelValues(reasonName(refusal.Reason)).Inc()
	case refusal != nil:
		m.refused.WithLabelValues(reasonName(refusal.Reason)).Inc()
	}
	return err
}
