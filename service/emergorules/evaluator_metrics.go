package emergorules

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// evaluatorMetrics are the figures of evaluations. They have no labels.
type evaluatorMetrics struct {
	slots, busy, queue prometheus.Collector
	rejected           prometheus.Counter
	waited             prometheus.Histogram
	nodes, tableHits   prometheus.Counter
	depth              prometheus.Histogram
}

func newEvaluatorMetrics(e *evaluator) *evaluatorMetrics {
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
	}
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	histogram := func(name, help string, buckets ...float64) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets})
	}
	return &evaluatorMetrics{
		slots: gauge("emergod_evaluate_slots", "Evaluations that can be worked on at once.",
			func() float64 { return float64(e.slots) }),
		busy: gauge("emergod_evaluate_slots_busy", "Evaluations being worked on.",
			func() float64 { return float64(e.slots - len(e.free)) }),
		queue: gauge("emergod_evaluate_queue_length", "Evaluations waiting for others.",
			func() float64 { return float64(e.waiting.Load()) }),
		rejected: counter("emergod_evaluate_rejected_total", "Evaluations turned away because too many were waiting or their deadline was too near."),
		waited: histogram("emergod_evaluate_wait_seconds", "How long evaluations waited for others.",
			0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10),
		nodes:     counter("emergod_evaluate_nodes_total", "Positions visited by searches."),
		tableHits: counter("emergod_evaluate_table_hits_total", "Positions whose value searches found in endgame tables."),
		depth: histogram("emergod_evaluate_depth", "Depths that searches reached, in plies; 0 if no search was needed.",
			0, 2, 4, 6, 8, 10, 12, 14, 16, 20, 25, 30, 50),
	}
}

// searched counts what a search has done, or a look into the tables. A search that was broken off before
// it had searched to any depth has reached none.
func (m *evaluatorMetrics) searched(r search.Result) {
	m.nodes.Add(float64(r.Nodes))
	m.tableHits.Add(float64(r.TableHits))
	if r.Depth > 0 || r.Settled {
		m.depth.Observe(float64(r.Depth))
	}
}

func (m *evaluatorMetrics) all() []prometheus.Collector {
	return []prometheus.Collector{m.slots, m.busy, m.queue, m.rejected, m.waited, m.nodes, m.tableHits, m.depth}
}
