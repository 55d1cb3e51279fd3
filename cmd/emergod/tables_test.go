package main

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// tablesFile writes endgame tables with distances, of up to a number of pieces.
func tablesFile(t *testing.T, pieces int) string {
	t.Helper()
	tables, err := endgame.Build(t.Context(), emergo.Board7x7, pieces, func(endgame.Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	var content bytes.Buffer
	if err := endgame.Write(&content, tables...); err != nil {
		t.Fatal(err)
	}
	return file(t, "7x7.tables", content.String())
}

// The distances in a file are answered, and the looks into it counted.
func TestServesTables(t *testing.T) {
	const threePieces = "6ga/7/ad6/7/7/1C@5/7 w 0 0,0"
	for _, c := range []struct {
		name  string
		args  []string
		plies int32
	}{
		{"without a file", nil, 0},
		{"with a file", []string{"--tables=" + tablesFile(t, 3)}, 141},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := serve(t, c.args...)
			answer, err := emergov1.NewRulesServiceClient(p.connect(t)).Evaluate(t.Context(), &emergov1.EvaluateRequest{
				Game: &emergov1.Game{Position: threePieces}, Limits: &emergov1.SearchLimits{Nodes: 10_000},
			})
			if err != nil {
				t.Fatal(err)
			}
			win, won := answer.GetEvaluation().GetLines()[0].GetValue().GetWorth().(*emergov1.Value_Win)
			if !won || win.Win.GetPlies() != c.plies || (win.Win.Plies != nil) != (c.plies > 0) {
				t.Errorf("the answer is %v, want a win in %d", answer, c.plies)
			}
			if metrics := p.metrics(t); !strings.Contains(metrics, "\nemergod_evaluate_table_hits_total ") || strings.Contains(metrics, "\nemergod_evaluate_table_hits_total 0\n") {
				t.Error("no table hits are counted")
			}
		})
	}
}

// metrics returns what /metrics answers.
func (p *process) metrics(t *testing.T) string {
	t.Helper()
	response, err := http.Get("http://" + p.admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(response.Body); err != nil {
		t.Fatal(err)
	}
	return body.String()
}

// A closer counts how often it is closed.
type closer int

func (c *closer) Close() error {
	*c++
	return errClosing
}

var errClosing = errors.New("it does not close")

// What a stopped server has open is closed, unless calls that were cut off may still read it.
func TestClosedOnceNobodyReads(t *testing.T) {
	failed := errors.New("serving failed")
	for _, c := range []struct {
		name   string
		ran    error
		closes closer
		want   []error
	}{
		{"a clean stop", nil, 1, []error{errClosing}},
		{"a failure", failed, 1, []error{failed, errClosing}},
		{"calls were cut off", server.ErrDrainTimeout, 0, []error{server.ErrDrainTimeout}},
		{"a failure, and calls were cut off", errors.Join(failed, server.ErrDrainTimeout), 0, []error{failed, server.ErrDrainTimeout}},
	} {
		var closes closer
		err := closed(&closes, c.ran)
		if closes != c.closes {
			t.Errorf("%s: it is closed %d times, want %d", c.name, closes, c.closes)
		}
		for _, want := range c.want {
			if !errors.Is(err, want) {
				t.Errorf("%s: the error is %v, want %v in it", c.name, err, want)
			}
		}
	}
}
