package match

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// An arena is where pairs of games are played, one game at a time.
type arena struct {
	match   *Match
	players [2]Player // those of the match, by number
	legal   []emergo.Move
}

func (m *Match) newArena() (*arena, error) {
	a := &arena{match: m}
	for i, spec := range m.Players {
		var err error
		if a.players[i], err = spec.New(); err != nil {
			a.close()
			return nil, fmt.Errorf("player %q: %w", spec, err)
		}
	}
	return a, nil
}

func (a *arena) close() {
	for _, p := range a.players {
		if p != nil {
			p.Close()
		}
	}
}

// pair plays pair number k: the same opening twice, with colours swapped.
func (a *arena) pair(ctx context.Context, k int) (Pair, error) {
	m := a.match
	opening, err := Opening(m.Board, m.Rules, m.OpeningPlies[0], m.OpeningPlies[1], m.Seed, uint64(k))
	if err != nil {
		return Pair{}, err
	}
	var pair Pair
	for i, white := range [2]int{0, 1} {
		r, err := a.game(ctx, k, white, opening)
		if err != nil {
			return Pair{}, err
		}
		pair[i] = r
	}
	return pair, nil
}

// game plays one game in which player number white has White.
func (a *arena) game(ctx context.Context, k, white int, opening []emergo.Move) (*Record, error) {
	m := a.match
	r := &Record{Pair: k, Seed: m.Seed, Board: m.Board, Rules: m.Rules, Opening: len(opening), Moves: slices.Clone(opening)}
	seat := [2]int{emergo.White: white, emergo.Black: 1 - white}
	chance := newChance(m.Seed ^ uint64(2*k+white+1)<<20)
	g := emergo.NewGame(emergo.StartPosition(m.Board), m.Rules)
	for c, player := range seat {
		r.Players[c] = m.Players[player].String()
		if err := a.players[player].Begin(ctx, g, chance.Uint64()); err != nil {
			return nil, fmt.Errorf("player %q: %w", m.Players[player], err)
		}
	}
	for _, move := range opening {
		g.Play(move)
	}
	for !g.Outcome().Over() && len(r.Moves) < m.MaxPlies {
		turn := g.Position().Turn()
		player := seat[turn]
		start := time.Now()
		choice, err := a.players[player].Choose(ctx, g)
		r.Spent[turn].Time += time.Since(start)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return nil, fmt.Errorf("player %q: %w", m.Players[player], err)
		}
		if a.legal = g.AppendMoves(a.legal[:0]); !slices.Contains(a.legal, choice.Move) {
			return nil, fmt.Errorf("player %q: %v is no legal move in %s", m.Players[player], choice.Move, g.Position())
		}
		r.Spent[turn].Nodes += choice.Nodes
		r.Moves, r.Choices = append(r.Moves, choice.Move), append(r.Choices, choice)
		g.Play(choice.Move)
	}
	r.Result, r.End = g.Outcome().Result, g.Outcome().End
	if r.Result == emergo.Ongoing {
		r.Result = emergo.Draw
	}
	return r, nil
}
