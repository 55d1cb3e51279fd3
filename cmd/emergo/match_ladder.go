package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/luctor-et-emergo/emergod/engine/emergo/match"
)

type ladderCmd struct {
	matchFlags `embed:""`
	Pairs      int      `type:"whole" from:"1" default:"50" placeholder:"N" help:"How many pairs of games each match has (${default})."`
	Rungs      []string `arg:"" optional:"" sep:"none" help:"The players from the weakest to the strongest (${ladder})."`
}

// ladderRow is the form of a row of the table.
const ladderRow = "%-16s %-16s %6s %-15s %7s  %-18s %s\n"

// Run plays the matches of a ladder and prints a row for each.
func (c *ladderCmd) Run(s *session) error {
	rungs := c.Rungs
	if len(rungs) == 0 {
		rungs = match.DefaultLadder
	}
	if len(rungs) < 2 {
		return usageError("a ladder needs at least two players")
	}
	players, err := parsePlayers(rungs...)
	if err != nil {
		return err
	}
	contests := match.Ladder(players)
	matches := make([]*match.Match, len(contests))
	for i, contest := range contests {
		if matches[i], err = c.match(contest.Players, c.Pairs, nil); err != nil {
			return err
		}
	}
	games, err := openGames(c.Games)
	if err != nil {
		return err
	}
	ctx, stop := s.interruptible()
	defer stop()
	_, err = fmt.Fprintf(s.out, ladderRow, "player", "against", "games", "  +    =    -", "score", "Elo (95%)", "aim")
	for i := 0; i < len(matches) && err == nil; i++ {
		err = playRow(ctx, s, matches[i], contests[i].Aim, games)
	}
	if closing := games.close(); err == nil {
		err = closing
	}
	switch {
	case errors.Is(err, context.Canceled):
		return failure("The ladder was interrupted.")
	case err != nil:
		return failuref("The ladder cannot go on: %v.", err)
	}
	return nil
}

// playRow plays one match and prints its row.
func playRow(ctx context.Context, s *session, m *match.Match, aim float64, games *gamesFile) error {
	progress := newProgress(s.err)
	tally, err := m.Run(ctx, func(pair match.Pair, tally match.Tally) error {
		progress.show(fmt.Sprintf("%v against %v: %s", m.Players[0], m.Players[1], matchLine(m, &tally)))
		return games.add(pair)
	})
	progress.end()
	if err != nil && !errors.Is(err, context.Canceled) || tally.Pairs.Count() == 0 {
		return err
	}
	_, unsaid := fmt.Fprintf(s.out, ladderRow, m.Players[0], m.Players[1],
		fmt.Sprint(2*tally.Pairs.Count()),
		fmt.Sprintf("%3d  %3d  %3d", tally.Games[2], tally.Games[1], tally.Games[0]),
		fmt.Sprintf("%.1f%%", 100*tally.Pairs.Score()), tally.Pairs.Elo(), aimed(aim, tally.Pairs.Score()))
	if err == nil {
		err = unsaid
	}
	return err
}

// aimed says whether a score reaches what it was to be.
func aimed(aim, score float64) string {
	switch {
	case aim == 0:
		return ""
	case score >= aim:
		return fmt.Sprintf("%.1f%% reached", 100*aim)
	}
	return fmt.Sprintf("%.1f%% missed", 100*aim)
}
