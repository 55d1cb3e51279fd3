package emergo

// MoveKind tells the three kinds of move apart.
type MoveKind uint8

// The kinds of move.
const (
	Entry   MoveKind = iota + 1 // men from the hand onto a vacant square
	Step                        // a piece to a diagonally adjacent vacant square
	Capture                     // a piece over one or more enemy pieces
)

// A Move is a move in some position: a plain number that names an entry, a step or a whole capture
// path. The moves of one position compare in the byte order of their canonical notation. The zero
// Move is no move.
//
//	bits 62-63  kind
//	bits 56-61  the square entered or moved from
//	bits 32-55  directions of the jumps, two bits each, the first one highest
//	bits  6-9   men entered or men captured
//	bits  0-5   the square the piece ends on
type Move uint64

const (
	kindShift = 62
	fromShift = 56
	pathShift = 54 // of the first jump
	menShift  = 6

	// MaxJumps is the most jumps a capture can have: each takes a man, and no side has more than
	// 12.
	MaxJumps = 12
)

func newEntry(s Square, men uint8) Move {
	return Move(Entry)<<kindShift | Move(s)<<fromShift | Move(men)<<menShift | Move(s)
}

func newStep(from, to Square) Move {
	return Move(Step)<<kindShift | Move(from)<<fromShift | Move(to)
}

// newCapture returns a capture without a jump, to which jumping adds one after the other.
func newCapture(from Square) Move {
	return Move(Capture)<<kindShift | Move(from)<<fromShift | Move(from)
}

func (m Move) jumping(d direction, land Square) Move {
	return (m&^63 | Move(d)<<(pathShift-2*m.Men()) | Move(land)) + 1<<menShift
}

// direction returns the direction of jump number i, from 0.
func (m Move) direction(i int) direction { return direction(m >> (pathShift - 2*i) & 3) }

// Kind returns the kind of m.
func (m Move) Kind() MoveKind { return MoveKind(m >> kindShift) }

// From returns the square the piece comes from; for an entry, the square entered.
func (m Move) From() Square { return Square(m >> fromShift & 63) }

// To returns the square the piece ends on.
func (m Move) To() Square { return Square(m & 63) }

// Men returns the men entered by an entry, the men taken by a capture, which are also its jumps (1
// to 12), and 0 for a step.
func (m Move) Men() int { return int(m >> menShift & 15) }

// Jumps calls yield with the jumped square and the landing square of each jump, in order. It yields
// nothing for an entry or a step. It is an iterator, for use with range.
func (m Move) Jumps(yield func(over, land Square) bool) {
	if m.Kind() != Capture {
		return
	}
	at := m.From()
	for i := range m.Men() {
		d := deltas[m.direction(i)]
		if !yield(at+d, at+2*d) {
			return
		}
		at += 2 * d
	}
}
