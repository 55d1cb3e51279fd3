package emergo

// A Reason tells why a move is refused: the first of these questions, in the order of the rules,
// whose answer is no.
//
//   - Can it be read? Is the game not over?
//   - Is it of the kind that the turn asks for: a capture, else an entry, else a step?
//   - Of an entry: is the square vacant, the number of men right, the square not the centre, and not
//     next to an enemy that could capture there?
//   - Of a step: does it start from a piece of the side to move, go to an adjacent square, and is
//     that vacant?
//   - Of a capture: does it start from a piece of the side to move? Then of each jump: is it two
//     squares along a diagonal, over an enemy piece, to a vacant square, and not straight back? Does
//     the capture go on as long as it can? Does it take the most men?
type Reason uint8

// The reasons.
const (
	// MoveMalformed: the string is not a move. Problem says what is wrong.
	MoveMalformed Reason = iota + 1
	// GameOver: the game has ended. Outcome says how.
	GameOver
	// CaptureObligatory: the side to move can capture and must. Number is how many men it must
	// take, Moves some of the captures.
	CaptureObligatory
	// EntryObligatory: the side to move has men in hand and nothing to capture, so it must enter.
	// Number is how many men it holds.
	EntryObligatory
	// NoMenInHand: an entry, but all men of the side to move have been entered. Moves are some of its
	// steps.
	NoMenInHand
	// SquareOccupied: Square, on which the move would end or land, is not vacant.
	SquareOccupied
	// EntryCountWrong: the move enters Men men onto Square, and the rules say Number: one, or the
	// whole shadowpiece if the opponent has no man in hand.
	EntryCountWrong
	// EntryOnCentre: Square is the centre, on which White's very first entry may not be.
	EntryOnCentre
	// EntryFeeds: the piece on Other could capture what is entered on Square.
	EntryFeeds
	// SquareEmpty: there is no piece to move on Square.
	SquareEmpty
	// PieceNotOwned: the piece on Square is the opponent's.
	PieceNotOwned
	// NotAdjacent: a step from Other does not lead to Square, which is not diagonally adjacent; or
	// a jump does not, which is not two squares away on a diagonal.
	NotAdjacent
	// NothingToCapture: the jump from Other goes over Square, which is vacant (by then).
	NothingToCapture
	// JumpsOwnPiece: the jump from Other goes over Square, whose piece is the jumper's own (by
	// then: it may have been freed in the same move).
	JumpsOwnPiece
	// CaptureReverses: the jump from Other over Square turns straight back over the piece just
	// jumped.
	CaptureReverses
	// CaptureIncomplete: after Men jumps the piece stands on Square and could go on, to Other for
	// one.
	CaptureIncomplete
	// CaptureNotMaximal: the capture takes Men men where Number can be taken, by Moves.
	CaptureNotMaximal
	// MoveAmbiguous: from Square to Other lead Number legal captures, some of them in Moves. The
	// whole path is needed.
	MoveAmbiguous
)

var reasonNames = [...]string{
	MoveMalformed:     "move malformed",
	GameOver:          "game over",
	CaptureObligatory: "capture obligatory",
	EntryObligatory:   "entry obligatory",
	NoMenInHand:       "no men in hand",
	SquareOccupied:    "square occupied",
	EntryCountWrong:   "entry count wrong",
	EntryOnCentre:     "entry on centre",
	EntryFeeds:        "entry feeds",
	SquareEmpty:       "square empty",
	PieceNotOwned:     "piece not owned",
	NotAdjacent:       "not adjacent",
	NothingToCapture:  "nothing to capture",
	JumpsOwnPiece:     "jumps own piece",
	CaptureReverses:   "capture reverses",
	CaptureIncomplete: "capture incomplete",
	CaptureNotMaximal: "capture not maximal",
	MoveAmbiguous:     "move ambiguous",
}

// String returns the reason in words, such as "capture not maximal".
func (r Reason) String() string { return reasonNames[r] }

// A Refusal is the error of a move that is not accepted. What each field holds is said at the
// reasons; a field that the reason does not mention is zero.
type Refusal struct {
	Reason  Reason
	Square  Square
	Other   Square
	Men     int     // what the move does
	Number  int     // what the rules say
	Moves   []Move  // legal moves as examples, at most three
	Outcome Outcome // of GameOver
	Problem string  // of MoveMalformed
}

func (r *Refusal) Error() string {
	switch {
	case r.Problem != "":
		return r.Reason.String() + ": " + r.Problem
	case r.Square != 0:
		return r.Reason.String() + ": " + r.Square.String()
	}
	return r.Reason.String()
}

// examples returns the first few moves, copied, so that a refusal neither grows with the position
// nor keeps a list alive.
func examples(moves []Move) []Move {
	const most = 3
	return append([]Move(nil), moves[:min(len(moves), most)]...)
}

// refuseOutOfTurn returns the refusal of a move whose kind is not the one that the turn asks for,
// or nil.
func (p *Position) refuseOutOfTurn(kind MoveKind, legal []Move) error {
	obliged := Step
	switch {
	case len(legal) > 0 && legal[0].Kind() == Capture:
		obliged = Capture
	case p.hand[p.turn] > 0:
		obliged = Entry
	}
	switch {
	case kind == obliged:
		return nil
	case obliged == Capture:
		return &Refusal{Reason: CaptureObligatory, Number: legal[0].Men(), Moves: examples(legal)}
	case obliged == Entry:
		return &Refusal{Reason: EntryObligatory, Number: int(p.hand[p.turn]), Moves: examples(legal)}
	case kind == Entry:
		return &Refusal{Reason: NoMenInHand, Moves: examples(legal)}
	}
	return nil // a capture where there is none: its first jump says why
}

// refuseEntry explains why entering men (0 if not said) onto s is not legal.
func (p *Position) refuseEntry(s Square, men int, legal []Move) error {
	if err := p.refuseOutOfTurn(Entry, legal); err != nil {
		return err
	}
	own, enemy, vacant := p.owned[p.turn], p.owned[p.turn.Other()], p.Vacant()
	right := int(p.entering())
	switch {
	case !vacant.Has(s):
		return &Refusal{Reason: SquareOccupied, Square: s}
	case men != 0 && men != right:
		return &Refusal{Reason: EntryCountWrong, Square: s, Men: men, Number: right}
	case s == p.board.Centre() && p.turn == White && p.whiteIsNew():
		return &Refusal{Reason: EntryOnCentre, Square: s}
	}
	feeders := ableToJump(enemy, own|s.bit(), vacant&^s.bit()) & neighbours[s]
	return &Refusal{Reason: EntryFeeds, Square: s, Other: feeders.First()}
}

// refuseStep explains why stepping between two squares is not legal.
func (p *Position) refuseStep(from, to Square, legal []Move) error {
	if err := p.refuseOutOfTurn(Step, legal); err != nil {
		return err
	}
	if err := p.refuseOrigin(from); err != nil {
		return err
	}
	if !neighbours[from].Has(to) {
		return &Refusal{Reason: NotAdjacent, Square: to, Other: from}
	}
	return &Refusal{Reason: SquareOccupied, Square: to}
}

// refuseOrigin returns the refusal of moving a piece that is not there or not the mover's, or nil.
func (p *Position) refuseOrigin(from Square) error {
	switch {
	case p.Vacant().Has(from):
		return &Refusal{Reason: SquareEmpty, Square: from}
	case p.owned[p.turn.Other()].Has(from):
		return &Refusal{Reason: PieceNotOwned, Square: from}
	}
	return nil
}

// refuseCapture explains why capturing along a path is not legal. A path of two squares that is no
// jump stands for a longer capture, named by its ends.
func (p *Position) refuseCapture(path []Square, legal []Move) error {
	if err := p.refuseOutOfTurn(Capture, legal); err != nil {
		return err
	}
	if err := p.refuseOrigin(path[0]); err != nil {
		return err
	}
	w := newWalk(p, path[0])
	if _, ok := between(path[0], path[1]); !ok && len(path) == 2 {
		if w, ok = w.find(path[1]); !ok {
			return &Refusal{Reason: NotAdjacent, Square: path[1], Other: path[0]}
		}
	} else {
		for _, land := range path[1:] {
			if err := w.jump(land); err != nil {
				return err
			}
		}
	}
	if next := w.landings(); next != 0 {
		return &Refusal{Reason: CaptureIncomplete, Square: w.at, Other: next.First(), Men: w.taken}
	}
	return &Refusal{Reason: CaptureNotMaximal, Square: path[0], Men: w.taken, Number: legal[0].Men(), Moves: examples(legal)}
}

// A walk is a capture under way, jump by jump, held as a position from which the walking piece has
// been lifted.
type walk struct {
	position Position
	at       Square
	last     Square // the square jumped last, or 0
	taken    int
}

func newWalk(p *Position, from Square) walk {
	w := walk{position: *p, at: from}
	w.position.owned[p.turn] &^= from.bit()
	return w
}

// jump makes the jump to land, or says why it is against the rules.
func (w *walk) jump(land Square) error {
	p := &w.position
	over, ok := between(w.at, land)
	switch {
	case !ok:
		return &Refusal{Reason: NotAdjacent, Square: land, Other: w.at}
	case p.Vacant().Has(over):
		return &Refusal{Reason: NothingToCapture, Square: over, Other: w.at}
	case p.owned[p.turn].Has(over):
		return &Refusal{Reason: JumpsOwnPiece, Square: over, Other: w.at}
	case !p.Vacant().Has(land):
		return &Refusal{Reason: SquareOccupied, Square: land}
	case over == w.last:
		return &Refusal{Reason: CaptureReverses, Square: over, Other: w.at}
	}
	p.jump(p.turn, over)
	w.at, w.last = land, over
	w.taken++
	return nil
}

// landings returns the squares to which the piece can jump on.
func (w *walk) landings() (squares Bitboard) {
	p := &w.position
	for rest := neighbours[w.at] & p.owned[p.turn.Other()]; rest != 0; rest = rest.Rest() {
		over := rest.First()
		if land := w.at.beyond(over); over != w.last && p.Vacant().Has(land) {
			squares |= land.bit()
		}
	}
	return squares
}

// find returns a walk on from w that stands on target: one that has come to its end if there is
// one, else one that could go on.
func (w walk) find(target Square) (found walk, ok bool) {
	next := w.landings()
	if w.at == target && w.taken > 0 {
		found, ok = w, true
		if next == 0 {
			return found, ok
		}
	}
	for ; next != 0; next = next.Rest() {
		longer := w
		_ = longer.jump(next.First()) // landings are where it can jump
		if deeper, reached := longer.find(target); reached {
			if deeper.landings() == 0 {
				return deeper, true
			}
			if !ok {
				found, ok = deeper, true
			}
		}
	}
	return found, ok
}
