package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/match"
)

// matchFlags are the terms that all matches have.
type matchFlags struct {
	Board           board    `group:"rules" placeholder:"9x9|7x7" help:"The board (9x9)."`
	Blocked         blocked  `group:"rules" placeholder:"draw|loss" help:"What becomes of a side that cannot move (draw)."`
	NoProgressLimit int      `type:"whole" group:"rules" default:"${noProgressLimit}" placeholder:"N" help:"Draw after N plies in a row without an entry or a capture that leaves fewer pieces; 0 for never (${default})."`
	MaxPlies        int      `type:"whole" from:"1" group:"rules" default:"${maxPlies}" placeholder:"N" help:"Break a game off as a draw after N plies (${default})."`
	Opening         plies    `default:"${openingPlies}" placeholder:"MIN-MAX" help:"How many plies the random openings have (${default})."`
	Seed            uint64   `type:"whole" default:"1" placeholder:"N" help:"Choose openings and all other chance (${default})."`
	Threads         int      `type:"whole" placeholder:"N" help:"How many games to play at a time; 0 for as many as there are processors (0)."`
	Games           fileName `placeholder:"FILE" help:"Append the games to FILE, one a line, as JSON."`
}

// match returns a match between two players that can be played.
func (f *matchFlags) match(players [2]match.Spec, pairs int, test *match.SPRT) (*match.Match, error) {
	m := &match.Match{
		Players: players,
		Board:   f.Board.engine(),
		Rules: emergo.Rules{
			BlockedLoses:    f.Blocked.loses(),
			NoProgressLimit: f.NoProgressLimit,
		},
		MaxPlies:     f.MaxPlies,
		OpeningPlies: f.Opening,
		Seed:         f.Seed,
		Pairs:        pairs,
		SPRT:         test,
		Threads:      f.Threads,
	}
	if m.Threads == 0 {
		m.Threads = runtime.GOMAXPROCS(0)
	}
	if err := m.Check(); err != nil {
		return nil, usageError(err.Error())
	}
	for _, player := range players {
		if err := player.Suits(m.Board); err != nil {
			return nil, failuref("The match cannot begin: %v.", err)
		}
	}
	return m, nil
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
	if p[0] > p[1] {
		return errors.New("its first number must not be more than its second, as in 4-8")
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
	if !(b.elo0 < b.elo1) || math.IsInf(b.elo0, 0) || math.IsInf(b.elo1, 0) {
		return errors.New("its first Elo must be less than its second, as in 0,5")
	}
	return nil
}

// A chance is how often something may happen, less than every other time.
type chance float64

func (c *chance) UnmarshalText(text []byte) error {
	p, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(p > 0 && p < 0.5) {
		return errors.New("it must be more than 0 and less than 0.5, as in 0.05")
	}
	*c = chance(p)
	return nil
}

type matchCmd struct {
	matchFlags `embed:""`
	Pairs      int        `type:"whole" from:"1" default:"1000" placeholder:"N" help:"How many pairs of games to play at most (${default})."`
	SPRT       *eloBounds `name:"sprt" placeholder:"ELO0,ELO1" help:"Stop as soon as it is clear whether the first player is better by ELO0 or by ELO1."`
	Error      *chance    `placeholder:"P" help:"How often that test may take the one for the other (${sprtError})."`
	First      string     `arg:"" help:"A player, whose side the result is given from."`
	Second     string     `arg:"" help:"Its opponent."`
}

// Run plays a match and prints its result.
func (c *matchCmd) Run(s *session) error {
	players, err := parsePlayers(c.First, c.Second)
	if err != nil {
		return err
	}
	test, err := c.test()
	if err != nil {
		return err
	}
	m, err := c.match([2]match.Spec(players), c.Pairs, test)
	if err != nil {
		return err
	}
	games, err := openGames(c.Games)
	if err != nil {
		return err
	}
	ctx, stop := s.interruptible()
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

// test returns the test that ends the match, or nil.
func (c *matchCmd) test() (*match.SPRT, error) {
	if c.SPRT == nil {
		if c.Error != nil {
			return nil, usageError("--error: it is that of the test, so --sprt must name its hypotheses")
		}
		return nil, nil
	}
	wrong := match.DefaultError
	if c.Error != nil {
		wrong = float64(*c.Error)
	}
	return &match.SPRT{Elo0: c.SPRT.elo0, Elo1: c.SPRT.elo1, Alpha: wrong, Beta: wrong}, nil
}

// parsePlayers reads players as they are named on the command line.
func parsePlayers(texts ...string) ([]match.Spec, error) {
	players := make([]match.Spec, len(texts))
	for i, text := range texts {
		var err error
		players[i], err = match.ParseSpec(text)
		var file *fs.PathError
		switch {
		case errors.As(err, &file):
			return nil, failuref("A player cannot be had: %v.", err)
		case err != nil:
			return nil, usageError(err.Error())
		}
	}
	return players, nil
}

// gamesFile is where games are stored, or nil if they are not.
type gamesFile struct{ file *os.File }

func openGames(name fileName) (*gamesFile, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.OpenFile(string(name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		err = mendEnd(file)
	}
	if err != nil {
		return nil, failuref("The games cannot be stored: %v.", err)
	}
	return &gamesFile{file}, nil
}

// mendEnd makes a file of games, open for appending, end with a whole line: half a game, as a full disk
// leaves, is cut off, and anything else that has no end of line gets one.
func mendEnd(file *os.File) error {
	const most = 1 << 20 // of a game; fit reads no more either
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return err
	}
	games, err := os.Open(file.Name())
	if err != nil {
		return err
	}
	defer games.Close()
	end := make([]byte, min(info.Size(), most))
	if _, err := games.ReadAt(end, info.Size()-int64(len(end))); err != nil {
		return err
	}
	last := end[bytes.LastIndexByte(end, '\n')+1:]
	switch {
	case len(last) == 0:
		return nil
	case len(last) < most && last[0] == '{' && !json.Valid(last):
		return file.Truncate(info.Size() - int64(len(last)))
	}
	_, err = file.WriteString("\n")
	return err
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
