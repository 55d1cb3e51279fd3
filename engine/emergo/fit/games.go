package fit

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/match"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// ReadGames returns samples of the games in r that were played on board b, as "emergo match --games"
// writes them. A tenth of the games is held out. Positions in which the side to move can capture are
// left out, since the evaluation is never asked about them, and so are games that were broken off.
func ReadGames(r io.Reader, b emergo.Board) (samples []Sample, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var record struct {
			Board   string
			Opening int
			Moves   []string
			Result  string
			Reason  string
		}
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			return nil, fmt.Errorf("line %d is no game as emergo match --games writes it: %w", n, err)
		}
		white, ok := map[string]float64{"white": 1, "black": 0, "draw": 0.5}[record.Result]
		if !ok {
			return nil, fmt.Errorf("line %d: the result is %.40q, want white, black or draw", n, record.Result)
		}
		if record.Board != b.String() || record.Reason == match.BrokenOff {
			continue
		}
		held := rand.New(rand.NewPCG(1, uint64(n))).IntN(10) == 0
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
	return samples, lines.Err()
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
