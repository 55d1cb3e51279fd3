package match

import (
	"encoding/json"
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// A Record is a game that was played. Its JSON is one line and holds moves in canonical notation.
type Record struct {
	Pair    int // its number in the match, from 0
	Seed    uint64
	Board   emergo.Board
	Rules   emergo.Rules
	Players [2]string // by colour
	Opening int       // how many of Moves were not chosen by the players
	Moves   []emergo.Move
	Choices []Choice // of the moves after the opening
	Spent   [2]Spent // by colour
	Result  emergo.Result
	End     emergo.End // NotEnded if the game was broken off as a draw at the limit of plies
}

// Spent is what a player has spent on a game.
type Spent struct {
	Nodes uint64
	Time  time.Duration
}

// BrokenOff is the reason of a game without an end.
const BrokenOff = "too long"

// Reason returns how the game ended, in words.
func (r *Record) Reason() string {
	if r.End == emergo.NotEnded {
		return BrokenOff
	}
	return r.End.String()
}

// jsonRecord is a Record's form in JSON.
type jsonRecord struct {
	Pair            int             `json:"pair"`
	Seed            uint64          `json:"seed"`
	Board           string          `json:"board"`
	BlockedLoses    bool            `json:"blockedLoses,omitempty"`
	NoProgressLimit int             `json:"noProgressLimit,omitempty"`
	White           string          `json:"white"`
	Black           string          `json:"black"`
	Result          string          `json:"result"` // "white", "black" or "draw"
	Reason          string          `json:"reason"`
	Plies           int             `json:"plies"`
	Opening         int             `json:"opening"`
	Moves           []string        `json:"moves"`
	Scores          []*search.Score `json:"scores"` // of the moves after the opening, by who made them
	Nodes           [2]uint64       `json:"nodes"`
	Milliseconds    [2]int64        `json:"ms"`
}

var resultWords = map[emergo.Result]string{emergo.WhiteWins: "white", emergo.BlackWins: "black", emergo.Draw: "draw"}

// MarshalJSON implements json.Marshaler.
func (r *Record) MarshalJSON() ([]byte, error) {
	j := jsonRecord{
		Pair: r.Pair, Seed: r.Seed, Board: r.Board.String(),
		BlockedLoses: r.Rules.BlockedLoses, NoProgressLimit: r.Rules.NoProgressLimit,
		White: r.Players[emergo.White], Black: r.Players[emergo.Black],
		Result: resultWords[r.Result], Reason: r.Reason(),
		Plies: len(r.Moves), Opening: r.Opening,
		Moves: make([]string, len(r.Moves)), Scores: make([]*search.Score, len(r.Choices)),
	}
	for i, m := range r.Moves {
		j.Moves[i] = m.String()
	}
	for i, c := range r.Choices {
		if c.Scored {
			j.Scores[i] = &c.Score
		}
	}
	for c, spent := range r.Spent {
		j.Nodes[c], j.Milliseconds[c] = spent.Nodes, spent.Time.Milliseconds()
	}
	return json.Marshal(j)
}
