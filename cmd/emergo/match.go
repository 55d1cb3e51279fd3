package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/match"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// matchFlags are the terms that all matches have.
type matchFlags struct {
	boardFlag       `embed:""`
	Blocked         blocked `group:"rules" placeholder:"draw|loss" help:"What becomes of a side that cannot move (draw)."`
	NoProgressLimit int     `group:"rules" default:"${noProgressLimit}" placeholder:"N" help:"Draw after N plies in a row without an entry or a capture that leaves fewer pieces; 0 for never (${default})."`
	MaxPlies        int     `group:"rules" default:"${maxPlies}" placeholder:"N" help:"Break a game off as a draw after N plies (${default})."`
	Opening         plies   `default:"${openingPlies}" placeholder:"MIN-MAX" help:"How many plies the random openings have (${default})."`
	Seed            uint64  `default:"1" placeholder:"N" help:"Choose openings and all other chance (${default})."`
	Threads         int     `placeholder:"N" help:"How many games to play at a time (the processors)."`
	Games           string  `placeholder:"FILE" help:"Append the games to FILE, one a line, as JSON."`
}

// terms returns a match between two players.
func (f *matchFlags) terms(players [2]match.Spec, pairs int) *match.Match {
	m := &match.Match{
		Players: players,
		Board:   f.Board.engine(),
		Rules: emergo.Rules{
			BlockedLoses:    emergov1.BlockedResult(f.Blocked) == emergov1.BlockedResult_BLOCKED_RESULT_LOSS,
			NoProgressLimit: f.NoProgressLimit,
		},
		MaxPlies:     f.MaxPlies,
		OpeningPlies: f.Opening,
		Seed:         f.Seed,
		Pairs:        pairs,
		Threads:      f.Threads,
	}
	if m.Threads == 0 {
		m.Threads = runtime.GOMAXPROCS(0)
	}
	return m
}

// matchVars are the defaults of the flags.
var matchVars = map[string]string{
	"noProgressLimit": strconv.Itoa(match.DefaultNoProgressLimit),
	"maxPlies":        strconv.Itoa(match.DefaultMaxPlies),
	"openingPlies":    fmt.Sprintf("%d-%d", match.DefaultOpeningPlies[0], match.DefaultOpeningPlies[1]),
	"sprtError":       fmt.Sprint(match.DefaultError),
	"ladder":          strings.Join(match.DefaultLadder, " "),
}

// plies is a range of numbers of plies.
type plies [2]int

func (p *plies) UnmarshalText(text []byte) error {
	least, most, ranged := strings.Cut(string(text), "-")
	if !ranged {
		most = least
	}
	for i, s := range []string{least, most} {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			return errors.New("it must be a number of plies, as in 6, or a range, as in 4-8")
		}
		p[i] = n
	}
	return nil
}

// An eloBounds is the two hypotheses of a sequential test.
type eloBounds struct{ elo0, elo1 float64 }

func (b *eloBounds) UnmarshalText(text []byte) error {
	first, second, _ := strings.Cut(string(text), ",")
	var err0, err1 error
	b.elo0, err0 = strconv.ParseFloat(first, 64)
	b.elo1, err1 = strconv.ParseFloat(second, 64)
	if err0 != nil || err1 != nil {
		return errors.New("it must be two differences in Elo, as in 0,5")
	}
	return nil
}

type matchCmd struct {
	matchFlags `embed:""`
	Pairs      int        `default:"1000" placeholder:"N" help:"How many pairs of games to play at most (${default})."`
	SPRT       *eloBounds `name:"sprt" placeholder:"ELO0,ELO1" help:"Stop as soon as it is clear whether the first player is better by ELO0 or by ELO1."`
	Error      float64    `default:"${sprtError}" placeholder:"P" help:"How often the test may take the one for the other (${default})."`
	First      string     `arg:"" help:"A player, whose side the result is given from."`
	Second     string     `arg:"" help:"Its opponent."`
}

// Run plays a match and prints its result.
func (c *matchCmd) Run(s *session) error {
	players, err := parsePlayers(c.First, c.Second)
	if err != nil {
		return err
	}
	m := c.terms([2]match.Spec(players), c.Pairs)
	if c.SPRT != nil {
		m.SPRT = &match.SPRT{Elo0: c.SPRT.elo0, Elo1: c.SPRT.elo1, Alpha: c.Error, Beta: c.Error}
	}
	games, err := openGames(c.Games)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(s.ctx, os.Interrupt)
	defer stop()
	progress := newProgress(s.err)
	tally, err := m.Run(ctx, func(pair match.Pair, tally match.Tally) error {
		progress.show(matchLine(m, &tally))
		return games.add(pair)
	})
	progress.end()
	if closing := games.close(); err == nil {
		err = closing
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return failuref("The match cannot go on: %v.", err)
	}
	return printMatch(s.out, m, &tally, err != nil)
}

// parsePlayers reads players as they are named on the command line.
func parsePlayers(texts ...string) ([]match.Spec, error) {
	players := make([]match.Spec, len(texts))
	for i, text := range texts {
		var err error
		if players[i], err = match.ParseSpec(text); err != nil {
			return nil, usageError(err.Error())
		}
	}
	return players, nil
}

// gamesFile is where games are stored, or nil if they are not.
type gamesFile struct{ file *os.File }

func openGames(name string) (*gamesFile, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, failuref("The games cannot be stored: %v.", err)
	}
	return &gamesFile{file}, nil
}

// add stores the games of a pair, so that all pairs that were counted are there whatever happens next.
func (f *gamesFile) add(pair match.Pair) error {
	if f == nil {
		return nil
	}
	encoder := json.NewEncoder(f.file)
	for _, game := range pair {
		if err := encoder.Encode(game); err != nil {
			return fmt.Errorf("a game cannot be stored: %w", err)
		}
	}
	return nil
}

func (f *gamesFile) close() error {
	if f == nil {
		return nil
	}
	return f.file.Close()
}
