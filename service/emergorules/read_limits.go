package emergorules

import (
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// The bounds of what a search may be asked for.
const (
	maxNodes = 1_000_000_000
	maxTime  = 10 * time.Minute
	maxLines = 64 // the most legal moves known in any position
)

// A question is a request that asks what a game is worth.
type question interface {
	GetGame() *emergov1.Game
	GetLimits() *emergov1.SearchLimits
	GetLines() int32
}

func readQuestion(q question) (*emergo.Game, search.Limits, error) {
	limits, err := readLimits(q)
	if err != nil {
		return nil, limits, err
	}
	game, err := readGame("game", q.GetGame())
	return game, limits, err
}

func readLimits(q question) (search.Limits, error) {
	l := q.GetLimits()
	for _, n := range []struct {
		field, what string
		value       int32
		most        int
	}{
		{"limits.depth", "The limit of depth", l.GetDepth(), search.MaxDepth},
		{"limits.nodes", "The limit of nodes", l.GetNodes(), maxNodes},
		{"limits.milliseconds", "The limit of milliseconds", l.GetMilliseconds(), int(maxTime / time.Millisecond)},
		{"lines", "The number of lines", q.GetLines(), maxLines},
	} {
		if n.value < 0 || int(n.value) > n.most {
			return search.Limits{}, outOfRange(n.field, n.what, int(n.value), 0, n.most)
		}
	}
	return search.Limits{
		Depth: int(l.GetDepth()),
		Nodes: uint64(l.GetNodes()),
		Time:  time.Duration(l.GetMilliseconds()) * time.Millisecond,
		Lines: int(q.GetLines()),
	}, nil
}
