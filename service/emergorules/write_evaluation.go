package emergorules

import (
	"math"

	"google.golang.org/protobuf/proto"

	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

func writeEvaluation(r search.Result) *emergov1.Evaluation {
	e := &emergov1.Evaluation{
		Lines:        make([]*emergov1.Line, len(r.Lines)),
		Depth:        int32(r.Depth),
		DeepestLine:  int32(r.DeepestLine),
		Nodes:        int32(min(r.Nodes, maxNodes)),
		Milliseconds: int32(r.Time.Milliseconds()),
		TableHits:    int32(min(r.TableHits, math.MaxInt32)),
	}
	for i, l := range r.Lines {
		e.Lines[i] = &emergov1.Line{Value: writeValue(l), Moves: writeMoves(l.Moves)}
	}
	return e
}

func writeValue(l search.Line) *emergov1.Value {
	switch {
	case l.Score.Won():
		return &emergov1.Value{Exact: true, Worth: &emergov1.Value_Win{Win: writeDistance(l.Score)}}
	case l.Score.Lost():
		return &emergov1.Value{Exact: true, Worth: &emergov1.Value_Loss{Loss: writeDistance(l.Score)}}
	case l.Exact:
		return &emergov1.Value{Exact: true, Worth: &emergov1.Value_Draw{Draw: &emergov1.Draw{}}}
	}
	return &emergov1.Value{Worth: &emergov1.Value_Estimate{Estimate: int32(l.Score)}}
}

func writeDistance(s search.Score) *emergov1.Distance {
	if plies, known := s.Plies(); known {
		return &emergov1.Distance{Plies: proto.Int32(int32(plies))}
	}
	return &emergov1.Distance{}
}

// stoppedBy returns what ended a search that had limits of nodes and of time.
func stoppedBy(r search.Result, l search.Limits) emergov1.Stop {
	switch {
	case r.Settled:
		return emergov1.Stop_STOP_SETTLED
	case r.Depth == search.MaxDepth || l.Depth > 0 && r.Depth == l.Depth:
		return emergov1.Stop_STOP_DEPTH
	case r.Nodes >= l.Nodes:
		return emergov1.Stop_STOP_NODES
	}
	return emergov1.Stop_STOP_TIME // its own, the deadline, or that of a stop
}
