package fit

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/match"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// heldOut is of how many pairs of games one is held out.
const heldOut = 10

// longestLine bounds a game in bytes, far above the longest.
const longestLine = 1 << 20

// ReadGames returns samples of the games in r that were played on board b, as "emergo match --games"
// writes them. A tenth of the pairs of games is held out: both games of a pair, and of all pairs that had
// the same opening. Positions in which the side to move can capture are left out, since the evaluation is
// never asked about them, and so are games that were broken off. Games by other rules than the usual ones
// are refused: a blocked side must draw, and a limit of plies without progress, if there is one, must not
// be less than match.DefaultNoProgressLimit.
func ReadGames(r io.Reader, b emergo.Board) (samples []Sample, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	n := 1
	for ; lines.Scan(); n++ {
		var record struct {
			Pair            uint64
			Seed            uint64
			Board           string
			BlockedLoses    bool
			NoProgressLimit int
			Opening         int
			Plies           int
			Moves           []string
			Result          string
			Reason          string
		}
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			return nil, fmt.Errorf("line %d is no game as emergo match --games writes it: %w", n, err)
		}
		white, ok := map[string]float64{"white": 1, "black": 0, "draw": 0.5}[record.Result]
		if !ok {
			return nil, fmt.Errorf("line %d: the result is %.40q, want white, black or draw", n, record.Result)
		}
		if record.Opening < 0 || record.Plies < 0 {
			return nil, fmt.Errorf("line %d: neither opening, %d, nor plies, %d, can be less than 0", n, record.Opening, record.Plies)
		}
		if record.Board != b.String() || record.Reason == match.BrokenOff {
			continue
		}
		if limit := record.NoProgressLimit; record.BlockedLoses || limit != 0 && limit < match.DefaultNoProgressLimit {
			return nil, fmt.Errorf("line %d: its rules are not the usual ones, by which a blocked side draws and a game without progress lasts %d plies at least",
				n, match.DefaultNoProgressLimit)
		}
		held := rand.New(rand.NewPCG(^record.Seed, record.Pair)).IntN(heldOut) == 0
		game := emergo.NewGame(emergo.StartPosition(b), emergo.Rules{})
		for i, text := range record.Moves {
			if p := game.Position(); i >= record.Opening && !p.CanCapture(p.Turn()) {
				samples = append(samples, sample(p, white, held))
			}
			if _, err := game.PlayText(text); err != nil {
				return nil, fmt.Errorf("line %d, move %d: %w", n, i+1, err)
			}
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d is longer than %d bytes, so it is no game", n, longestLine)
	case err != nil:
		return nil, err
	}
	return samples, nil
}

func sample(p *emergo.Position, white float64, held bool) Sample {
	s := Sample{result: white, held: held, stages: search.StageShares(p)}
	if p.Turn() == emergo.Black {
		s.result = 1 - white
	}
	for _, t := range search.Traits(p) {
		s.traits = append(s.traits, trait{uint16(t.Index), int16(t.Count)})
	}
	return s
}
