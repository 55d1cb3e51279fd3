package emergo

import "slices"

// A Game is a position with as much of its history as the rules can ask for: all positions since
// the last irreversible move. NewGame makes one. It must not be copied, and is not safe for
// concurrent use.
//
// An entry is irreversible, and so is a capture after which there are fewer pieces, since nothing
// but entering makes pieces more. Other captures are not: play can come back through them to the
// very same position.
type Game struct {
	rules     Rules
	positions []Position // since the last irreversible move; the current one is last
	keys      []uint64   // of positions, apart, so that looking for repetitions is one linear scan
	moves     []Move     // between positions
	occurred  int
	outcome   Outcome
	legal     []Move // memory for PlayText
}

// NewGame returns a game that stands at p. What was played before does not count for repetition or
// progress.
func NewGame(p Position, r Rules) *Game {
	g := &Game{rules: r}
	g.restart(p)
	g.occurred = 1
	g.outcome = p.Outcome(r)
	return g
}

func (g *Game) restart(p Position) {
	g.positions = append(g.positions[:0], p)
	g.keys = append(g.keys[:0], p.key)
	g.moves = g.moves[:0]
}

// Grow makes room for n more moves, to spare allocations when they are played.
func (g *Game) Grow(n int) {
	g.positions = slices.Grow(g.positions, n)
	g.keys = slices.Grow(g.keys, n)
	g.moves = slices.Grow(g.moves, n)
}

// Rules returns the options the game is played by.
func (g *Game) Rules() Rules { return g.rules }

// Position returns the current position. It belongs to the game: it is not to be changed, and to be
// copied if it is needed after the next move.
func (g *Game) Position() *Position { return &g.positions[len(g.positions)-1] }

// Anchor returns the position after the last irreversible move or, if there was none, the one the
// game began with. It belongs to the game like Position.
func (g *Game) Anchor() *Position { return &g.positions[0] }

// Moves returns the moves played since Anchor. The slice belongs to the game.
func (g *Game) Moves() []Move { return g.moves }

// Occurrences returns how many times the current position has occurred, this time included: 1, 2,
// or 3, which ends the game.
func (g *Game) Occurrences() int { return g.occurred }

// Outcome returns whether and how the game has ended. If several endings hold at once, the first of
// no pieces, blocked, repetition, no progress is given.
func (g *Game) Outcome() Outcome { return g.outcome }

// AppendMoves appends the legal moves in canonical order: none if the game is over.
func (g *Game) AppendMoves(dst []Move) []Move {
	if g.outcome.Over() {
		return dst
	}
	return g.Position().AppendMoves(dst)
}

// CaptureObligatory reports whether the side to move must capture: it can, and the game is not
// over.
func (g *Game) CaptureObligatory() bool {
	p := g.Position()
	return !g.outcome.Over() && p.CanCapture(p.turn)
}

// PlayText plays a move given in any accepted notation and returns it. If it is refused, the error
// is a *Refusal and the game is unchanged.
func (g *Game) PlayText(s string) (Move, error) {
	p := g.Position()
	n, kind, err := p.readMove(s)
	if err != nil {
		return 0, err
	}
	if g.outcome.Over() {
		return 0, &Refusal{Reason: GameOver, Outcome: g.outcome}
	}
	g.legal = p.AppendMoves(g.legal[:0])
	m, err := p.findMove(&n, kind, g.legal)
	if err != nil {
		return 0, err
	}
	g.Play(m)
	return m, nil
}

// Play plays m, which must be one of the legal moves of a game that is not over. Its cost grows
// with the number of moves since the last irreversible one, by less than a nanosecond each.
func (g *Game) Play(m Move) {
	before := g.Position()
	next := before.Play(m)
	if irreversible(before, m, &next) {
		g.restart(next)
		g.occurred = 1
	} else {
		g.occurred = 1 + g.countEarlier(&next)
		g.positions = append(g.positions, next)
		g.keys = append(g.keys, next.key)
		g.moves = append(g.moves, m)
	}
	g.outcome = next.Outcome(g.rules)
	switch {
	case g.outcome.Over():
	case g.occurred >= 3:
		g.outcome = Outcome{Draw, Repetition}
	case g.rules.NoProgressLimit > 0 && len(g.moves) >= g.rules.NoProgressLimit:
		g.outcome = Outcome{Draw, NoProgress}
	}
}

func irreversible(before *Position, m Move, after *Position) bool {
	return m.Kind() == Entry || m.Kind() == Capture && after.pieceTotal() < before.pieceTotal()
}

func (p *Position) pieceTotal() int { return (p.owned[White] | p.owned[Black]).Count() }

// countEarlier returns how often p, about to become the current position, has occurred.
func (g *Game) countEarlier(p *Position) (n int) {
	// The same side is to move in every other position, the one before last first.
	for i := len(g.keys) - 2; i >= 0; i -= 2 {
		if g.keys[i] == p.key && g.positions[i].Repeats(p) {
			n++
		}
	}
	return n
}
