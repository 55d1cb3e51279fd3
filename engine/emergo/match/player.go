package match

import (
	"context"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// A Player chooses moves, in one game at a time. It is not safe for concurrent use.
type Player interface {
	// Begin prepares for a new game, which has the board and the rules of g. All chance in the player's
	// choices comes from seed.
	Begin(ctx context.Context, g *emergo.Game, seed uint64) error
	// Choose chooses one of the legal moves of g, which is not over and must not be changed.
	Choose(ctx context.Context, g *emergo.Game) (Choice, error)
	// Close frees what the player holds.
	Close() error
}

// A Choice is a move and what the player knows of it.
type Choice struct {
	Move emergo.Move
	// Nodes is the number of positions that the player visited, 0 if it does not count them.
	Nodes uint64
	// Score is what the player takes the position to be worth to itself, in hundredths of a man.
	// Scored tells whether it has an opinion.
	Score  search.Score
	Scored bool
}
