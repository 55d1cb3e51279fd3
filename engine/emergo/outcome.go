package emergo

// Rules are the options of a ruleset. The zero value is the standard game.
type Rules struct {
	// BlockedLoses makes a side that has a piece or a man in hand but no legal move lose (Richard's
	// PBeM server). Otherwise the game is a draw (the inventors).
	BlockedLoses bool
	// NoProgressLimit ends the game as a draw after so many plies in a row without an irreversible
	// move; 0 means no limit.
	NoProgressLimit int
}

// Result is who has won, if the game is over.
type Result uint8

// The results.
const (
	Ongoing Result = iota
	WhiteWins
	BlackWins
	Draw
)

// String returns "ongoing", "White wins", "Black wins" or "draw".
func (r Result) String() string {
	return [...]string{"ongoing", "White wins", "Black wins", "draw"}[r]
}

func winFor(c Color) Result {
	if c == White {
		return WhiteWins
	}
	return BlackWins
}

// An End is the way in which a game ended.
type End uint8

// The ways in which a game ends.
const (
	NotEnded   End = iota
	NoPieces       // the side to move has no piece and no man in hand: it has lost
	Blocked        // the side to move has no legal move: a draw, or a loss by the ruleset
	Repetition     // the position has occurred three times: a draw
	NoProgress     // the ruleset's limit of plies without an irreversible move is reached: a draw
)

// String returns the way in words, such as "no pieces".
func (e End) String() string {
	return [...]string{"not ended", "no pieces", "blocked", "repetition", "no progress"}[e]
}

// An Outcome is the result of a game and the way it came about.
type Outcome struct {
	Result Result
	End    End
}

// Over reports whether the game has ended.
func (o Outcome) Over() bool { return o.Result != Ongoing }

// Outcome returns what the position by itself says: the side to move has lost for want of pieces,
// is blocked, or the game goes on. What needs the history, repetition and progress, is for Game to
// judge. It costs a few nanoseconds.
func (p *Position) Outcome(r Rules) Outcome {
	switch {
	case p.owned[p.turn&1] == 0 && p.hand[p.turn&1] == 0:
		return Outcome{winFor(p.turn.Other()), NoPieces}
	case p.HasMoves():
		return Outcome{}
	case r.BlockedLoses:
		return Outcome{winFor(p.turn.Other()), Blocked}
	}
	return Outcome{Draw, Blocked}
}
