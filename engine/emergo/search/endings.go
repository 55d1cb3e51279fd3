package search

import (
	"slices"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
)

// endings is what may be believed of the endgame tables in one game, with its rules and history.
type endings struct {
	tables    *endgame.Tables
	rules     emergo.Rules
	probed    int      // positions with at most so many pieces are looked up
	keys      []uint64 // of the game's positions since its last irreversible move, the current one last
	played    int      // plies of the game since its last irreversible move
	recurring bool     // a position of the game has occurred twice
	hits      uint64   // positions that the tables knew
}

// A standing is a position after the root.
type standing struct {
	position emergo.Position
	ply      int // from the root
	since    int // plies since the last irreversible move, those of the game included
}

// begin makes e answer for g, of which keys are those of all positions since the last irreversible
// move, the current one included.
func (e *endings) begin(g *emergo.Game, keys []uint64) {
	e.keys, e.played, e.recurring = keys, len(g.Moves()), occurTwice(keys)
	e.rules, e.probed, e.hits = g.Rules(), 0, 0
	if e.tables != nil && !e.rules.BlockedLoses {
		e.probed = e.tables.MaxPieces(g.Position().Board())
	}
}

// occurTwice reports whether a position, the current one included, has occurred twice since the last
// irreversible move. If none has, then a win by force is a win whatever was played before: its line
// visits each position once, so none for the third time.
func occurTwice(keys []uint64) bool {
	if len(keys) < 5 {
		return false // it takes two plies of each side to come back
	}
	sorted := slices.Clone(keys)
	slices.Sort(sorted)
	for i, key := range sorted[1:] {
		if key == sorted[i] {
			return true
		}
	}
	return false
}

// appendKeys appends the keys of g's positions since its last irreversible move, the current one last.
func appendKeys(keys []uint64, g *emergo.Game) []uint64 {
	at := *g.Anchor()
	for _, m := range g.Moves() {
		keys = append(keys, at.Key())
		at = at.Play(m)
	}
	return append(keys, at.Key())
}

// reach reports whether p is an ending that the tables may know.
func (e *endings) reach(p *emergo.Position) bool {
	return e.probed > 0 && pieces(p) <= e.probed && p.InHand(emergo.White)+p.InHand(emergo.Black) == 0
}

// probe looks p up, which stands at ply after since plies without an irreversible move. ok is false if
// the tables do not know it, or what they know need not hold with what was played before or a limit of
// plies without progress. A draw always holds: neither takes from a side what it can hold.
func (e *endings) probe(p *emergo.Position, ply, since int) (score Score, ok bool) {
	if !e.reach(p) {
		return 0, false
	}
	v, plies, counted := e.tables.ProbeDistance(p)
	if !counted {
		if v, ok = e.tables.Probe(p); !ok {
			return 0, false
		}
	}
	e.hits++
	limit := e.rules.NoProgressLimit
	switch {
	case v == endgame.Draw:
		return 0, true
	// Where no irreversible move lies between, positions of the game before the root can come back.
	case e.recurring && since == e.played+ply:
		return 0, false
	case limit > 0 && (!counted || since+plies > limit):
		return 0, false
	case counted:
		return signed(winIn(ply+plies), v == endgame.Win), true
	}
	return signed(wonSometime-Score(ply), v == endgame.Win), true
}

// worth returns what a standing is worth if the game is over there or the tables know it.
func (e *endings) worth(at *standing) (score Score, ok bool) {
	p := &at.position
	o := p.Outcome(e.rules)
	switch {
	case o.Result != emergo.Ongoing && o.Result != emergo.Draw:
		return -winIn(at.ply), true
	case o.Over(), e.occursAgain(at), e.rules.NoProgressLimit > 0 && at.since >= e.rules.NoProgressLimit:
		return 0, true
	}
	return e.probe(p, at.ply, at.since)
}

// occursAgain reports whether a standing right after the root occurs for the third time. Later in a
// line it would be the line that repeats itself.
func (e *endings) occursAgain(at *standing) bool {
	if !e.recurring || at.ply != 1 || at.since == 0 {
		return false
	}
	key, occurred := at.position.Key(), 1
	for _, k := range e.keys[:e.played] {
		if k == key {
			occurred++
		}
	}
	return occurred >= 3
}

// after returns the standing after m.
func (at *standing) after(m emergo.Move) (next standing) {
	next = standing{position: at.position.Play(m), ply: at.ply + 1, since: at.since + 1}
	if irreversible(&at.position, m, &next.position) {
		next.since = 0
	}
	return next
}

// probe looks the position at ply up in the endgame tables. Of endings in which the win is still to be
// found, the tables are believed only where they say that it is gone.
func (s *Searcher) probe(p *emergo.Position, ply int) (score Score, ok bool) {
	if !s.reach(p) { // as nearly always
		return 0, false
	}
	score, ok = s.endings.probe(p, ply, s.since[ply])
	if ok && pieces(p) == s.unsettled && score.uncounted() && score.Won() == (s.known.Won() == (ply%2 == 0)) {
		return 0, false
	}
	return score, ok
}

// certain makes sure that a score says no less than what a table knows.
func (s *Searcher) certain(score Score) Score {
	switch {
	case s.known.Won() && !score.Won(), s.known.Lost() && !score.Lost():
		return s.known
	}
	return score
}

// fromTable returns a score of the transposition table as seen from the root.
func fromTable(score int16, ply int) Score {
	switch n := Score(score); {
	case n.Won():
		return n - Score(ply)
	case n.Lost():
		return n + Score(ply)
	default:
		return n
	}
}

// toTable is the inverse of fromTable.
func toTable(score Score, ply int) int16 {
	switch {
	case score.Won():
		score += Score(ply)
	case score.Lost():
		score -= Score(ply)
	}
	return int16(score)
}
