package main

import (
	"fmt"
	"strings"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

type evalCmd struct {
	askFlags   `embed:""`
	limitFlags `embed:""`
}

// Run prints what the position is worth and what each side has.
func (e *evalCmd) Run(s *session) error {
	return e.ask(s, func(c *client, game *emergov1.Game) (answer, error) {
		response, err := c.evaluate(game, e.limits(), e.Lines)
		if err != nil {
			return answer{}, err
		}
		return answer{message: response, lines: evalTable(response), line: evalLine(response)}, nil
	})
}

// tallies are the counts in the order in which they are shown.
var tallies = []struct {
	name string
	of   func(*emergov1.Tally) int32
}{
	{"pieces", (*emergov1.Tally).GetPieces},
	{"men in caps", (*emergov1.Tally).GetCaps},
	{"men held prisoner", (*emergov1.Tally).GetHeldPrisoner},
	{"men in hand", (*emergov1.Tally).GetInHand},
	{"legal moves", (*emergov1.Tally).GetLegalMoves},
}

func evalTable(r *emergov1.EvaluateResponse) []string {
	lines := []string{outcome(r.GetState()), ""}
	if !over(r.GetState()) {
		lines = append(lines, evaluationLines(r.GetEvaluation())...)
		lines = append(lines, effort(r.GetEvaluation()), "")
	}
	lines = append(lines, fmt.Sprintf("%-17s  White  Black", ""))
	for _, t := range tallies {
		lines = append(lines, fmt.Sprintf("%-17s  %5d  %5d", t.name, t.of(r.GetWhite()), t.of(r.GetBlack())))
	}
	return lines
}

// evalLine writes the table in a line: the outcome last, because it alone has spaces.
func evalLine(r *emergov1.EvaluateResponse) string {
	var b strings.Builder
	for _, side := range []*emergov1.Tally{r.GetWhite(), r.GetBlack()} {
		for _, t := range tallies {
			fmt.Fprintf(&b, "%d ", t.of(side))
		}
	}
	return b.String() + evaluationWords(r.GetEvaluation()) + " " + outcome(r.GetState())
}
