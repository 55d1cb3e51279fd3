package emergorules

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc/codes"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// metrics are the game's own figures. Their labels are the contract's enums, so no caller can add
// to them.
type metrics struct {
	adjudications *prometheus.CounterVec
	refused       *prometheus.CounterVec
	malformed     *prometheus.CounterVec
}

func (m *metrics) all() []prometheus.Collector {
	return []prometheus.Collector{m.adjudications, m.refused, m.malformed}
}

func newMetrics() *metrics {
	m := &metrics{
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
	// All series are there from the start, so that the first of a kind is an increase.
	for _, reason := range emergov1.ErrorReason_value {
		switch r := emergov1.ErrorReason(reason); {
		case r == emergov1.ErrorReason_ERROR_REASON_UNSPECIFIED, r >= emergov1.ErrorReason_ERROR_REASON_INTERNAL:
		case (&Error{Reason: r}).Code() == codes.InvalidArgument:
			m.malformed.WithLabelValues(reasonName(r))
		default:
			m.refused.WithLabelValues(reasonName(r))
		}
	}
	for end, results := range endResults {
		for _, result := range results {
			m.adjudications.WithLabelValues(result.String(), reasons[end].String())
		}
	}
	return m
}

// endResults are the results that a game can have by the way it ends.
var endResults = [...][]emergov1.Result{
	emergo.NotEnded:   {emergov1.Result_RESULT_ONGOING},
	emergo.NoPieces:   {emergov1.Result_RESULT_WHITE_WINS, emergov1.Result_RESULT_BLACK_WINS},
	emergo.Blocked:    {emergov1.Result_RESULT_DRAW, emergov1.Result_RESULT_WHITE_WINS, emergov1.Result_RESULT_BLACK_WINS},
	emergo.Repetition: {emergov1.Result_RESULT_DRAW},
	emergo.NoProgress: {emergov1.Result_RESULT_DRAW},
}

// collectors are several as one.
type collectors []prometheus.Collector

// Describe implements prometheus.Collector.
func (c collectors) Describe(ch chan<- *prometheus.Desc) {
	for _, each := range c {
		each.Describe(ch)
	}
}

// Collect implements prometheus.Collector.
func (c collectors) Collect(ch chan<- prometheus.Metric) {
	for _, each := range c {
		each.Collect(ch)
	}
}

// count counts what a call is answered with and returns the error.
func (m *metrics) count(state *emergov1.State, err error) error {
	var refusal *Error
	switch {
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
