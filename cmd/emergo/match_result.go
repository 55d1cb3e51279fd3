package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo/match"
)

// matchLine says in a line how a match stands.
func matchLine(m *match.Match, t *match.Tally) string {
	line := fmt.Sprintf("%d/%d pairs, %.1f%%, Elo %v", t.Pairs.Count(), m.Pairs, 100*t.Pairs.Score(), t.Pairs.Elo())
	if m.SPRT != nil {
		line += ", " + llr(m.SPRT, t.Pairs)
	}
	return line + fmt.Sprintf(", +%d =%d -%d", t.Games[2], t.Games[1], t.Games[0])
}

// llr says how far a test has come between its bounds.
func llr(test *match.SPRT, pairs match.Pentanomial) string {
	low, high := test.Bounds()
	return fmt.Sprintf("LLR %+.2f (%.2f to %.2f)", test.LogLikelihoodRatio(pairs), low, high)
}

var verdicts = map[match.Verdict]string{
	match.Undecided:   "undecided",
	match.AcceptsElo0: "no better than the first",
	match.AcceptsElo1: "as good as the second",
}

// printMatch prints the result of a match.
func printMatch(w io.Writer, m *match.Match, t *match.Tally, interrupted bool) error {
	lines := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(lines, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	pairs, games := t.Pairs.Count(), 2*t.Pairs.Count()
	row("match", "%v against %v, %v, seed %d", m.Players[0], m.Players[1], m.Board, m.Seed)
	if pairs == 0 {
		row("pairs", "none was finished before the interruption, so nothing can be said")
		return lines.Flush()
	}
	row("pairs", "%d%s", pairs, map[bool]string{true: ", then interrupted"}[interrupted])
	row("games", "%d won, %d drawn, %d lost", t.Games[2], t.Games[1], t.Games[0])
	row("pentanomial", "%v (pairs that made 0, ½, 1, 1½, 2 points)", t.Pairs)
	row("score", "%.2f%%", 100*t.Pairs.Score())
	row("Elo", "%v (95%%)", t.Pairs.Elo())
	row("superiority", "%.1f%% likely", 100*t.Pairs.LikelihoodOfSuperiority())
	row("draws", "%.1f%%", 100*t.DrawRatio())
	row("White", "%d won, %d drawn, %d lost", t.WhiteGames[2], t.WhiteGames[1], t.WhiteGames[0])
	row("a game", "%d plies; %s against %s", t.Plies/games, spent(t.Spent[0], games), spent(t.Spent[1], games))
	if m.SPRT != nil {
		row("SPRT", "%g against %g Elo: %s, %s", m.SPRT.Elo0, m.SPRT.Elo1, llr(m.SPRT, t.Pairs), verdicts[m.SPRT.Verdict(t.Pairs)])
	}
	return lines.Flush()
}

// spent says what a player spends on a game.
func spent(s match.Spent, games int) string {
	d := s.Time / time.Duration(games)
	text := d.Round(max(d/1000, time.Microsecond)).String()
	if s.Nodes > 0 {
		text += fmt.Sprintf(" and %d nodes", s.Nodes/uint64(games))
	}
	return text
}
