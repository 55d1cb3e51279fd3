package match

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// The usual terms of a match.
const (
	// DefaultNoProgressLimit ends what neither player can win.
	DefaultNoProgressLimit = 200
	// DefaultMaxPlies is longer than games between sensible players get.
	DefaultMaxPlies = 600
)

// DefaultOpeningPlies is long enough for more openings than are ever played, and short enough that
// most are still even.
var DefaultOpeningPlies = [2]int{4, 8}

// A Match is a number of pairs of games between two players.
type Match struct {
	Players [2]Spec
	Board   emergo.Board
	Rules   emergo.Rules
	// MaxPlies breaks a game off as a draw after so many plies, those of the opening included.
	MaxPlies int
	// OpeningPlies are the least and the most plies of the random openings.
	OpeningPlies [2]int
	// Seed chooses the openings and all chance in the players.
	Seed uint64
	// Pairs is the number of pairs after which the match ends.
	Pairs int
	// SPRT, if it is not nil, ends the match as soon as it accepts a hypothesis.
	SPRT *SPRT
	// Threads is how many games are played at a time, 1 if it is less. Results do not depend on it
	// unless a player goes by the clock, which wants a processor for each game.
	Threads int
}

// A Pair is an opening played twice: in the first game player 0 has White, in the second Black.
type Pair [2]*Record

// HalfPoints returns what player 0 has made of the pair, from 0 to 4 half points.
func (p Pair) HalfPoints() int {
	return halfPoints(p[0].Result, emergo.White) + halfPoints(p[1].Result, emergo.Black)
}

// Check refuses terms by which no match can be played. Run does so too.
func (m *Match) Check() error {
	threads, processors := m.Threads, runtime.GOMAXPROCS(0)
	switch {
	case m.Pairs < 1:
		return fmt.Errorf("a match needs at least one pair of games, not %d", m.Pairs)
	case m.OpeningPlies[0] < 0 || m.OpeningPlies[1] < m.OpeningPlies[0]:
		return fmt.Errorf("openings cannot have from %d to %d plies; they can from 4 to 8", m.OpeningPlies[0], m.OpeningPlies[1])
	case m.MaxPlies <= m.OpeningPlies[1]:
		return fmt.Errorf("a limit of %d plies leaves nothing to play after openings of up to %d; it must be higher", m.MaxPlies, m.OpeningPlies[1])
	case m.Rules.NoProgressLimit < 0:
		return fmt.Errorf("a limit of %d plies without progress cannot be kept; 0 is none", m.Rules.NoProgressLimit)
	case (m.Players[0].Timed() || m.Players[1].Timed()) && threads > processors:
		return fmt.Errorf("players that go by the clock need a processor for each game, and %d games at a time are too many for %d", threads, processors)
	}
	if m.SPRT != nil {
		return m.SPRT.check()
	}
	return nil
}

// Run plays the match and returns its tally. It calls report, unless that is nil, after each pair, in
// the order of the pairs; an error of it ends the match. If ctx ends, so does the match: the tally is
// that of the pairs so far, and the error that of ctx.
func (m *Match) Run(ctx context.Context, report func(Pair, Tally) error) (Tally, error) {
	if err := m.Check(); err != nil {
		return Tally{}, err
	}
	for _, player := range m.Players {
		if err := player.Suits(m.Board); err != nil {
			return Tally{}, err
		}
	}
	playing, stop := context.WithCancel(ctx)
	results := make(chan result)
	var arenas sync.WaitGroup
	defer arenas.Wait()
	defer stop()
	var next atomic.Int64
	for range min(max(m.Threads, 1), m.Pairs) {
		arenas.Go(func() { m.playPairs(playing, &next, results) })
	}

	// Pairs count in their order, whenever they end, so that threads make no difference.
	var tally Tally
	early := map[int]Pair{}
	for done := 0; done < m.Pairs; {
		select {
		case <-ctx.Done():
			return tally, ctx.Err()
		case r := <-results:
			if r.err != nil {
				if ctx.Err() != nil {
					return tally, ctx.Err()
				}
				return tally, r.err
			}
			early[r.number] = r.pair
		}
		for pair, ok := early[done]; ok; pair, ok = early[done] {
			delete(early, done)
			done++
			tally.Add(pair)
			if report != nil {
				if err := report(pair, tally); err != nil {
					return tally, err
				}
			}
			if m.SPRT != nil && m.SPRT.Verdict(tally.Pairs) != Undecided {
				return tally, nil
			}
		}
	}
	return tally, nil
}

// A result is a pair that was played, or why it was not.
type result struct {
	number int
	pair   Pair
	err    error
}

// playPairs plays pairs until there is none left or ctx ends.
func (m *Match) playPairs(ctx context.Context, next *atomic.Int64, results chan<- result) {
	a, err := m.newArena()
	if err == nil {
		defer a.close()
	}
	for {
		r := result{err: err}
		if err == nil {
			if r.number = int(next.Add(1)) - 1; r.number >= m.Pairs {
				return
			}
			r.pair, r.err = a.pair(ctx, r.number)
		}
		select {
		case <-ctx.Done():
			return
		case results <- r:
		}
		if r.err != nil {
			return
		}
	}
}
