package endgame

import (
	"fmt"
	"slices"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// A Value is what a position is worth to the side to move, if both sides play perfectly.
type Value int8

// The values.
const (
	Loss Value = -1
	Draw Value = 0
	Win  Value = 1
)

// String returns "loss", "draw" or "win".
func (v Value) String() string { return [...]string{"loss", "draw", "win"}[v+1] }

// A Table holds what is known of all positions with one number of pieces on one board: their values
// or, if it holds distances, also the plies to the end.
type Table struct {
	index *index
	bits  int // that a position takes: valueBits or outcomeBits
	data  []byte
}

// The bits that a position takes in a table without and with distances.
const (
	valueBits   = 2 // the position's number modulo 4 says which two of a byte, 0 the lowest
	outcomeBits = 8
)

// Board returns the board the table is for.
func (t *Table) Board() emergo.Board { return t.index.board }

// Pieces returns the number of pieces on the board, of both sides together.
func (t *Table) Pieces() int { return t.index.pieces }

// Distances reports whether the table holds the plies to the end.
func (t *Table) Distances() bool { return t.bits == outcomeBits }

// String returns a name such as "9x9, 3 pieces, distances".
func (t *Table) String() string {
	holds := "values"
	if t.Distances() {
		holds = "distances"
	}
	return fmt.Sprintf("%s, %d pieces, %s", t.Board(), t.Pieces(), holds)
}

// dataSize returns the bytes that the positions of an index take.
func dataSize(x *index, bits int) int { return int((uint64(x.size)*uint64(bits) + 7) / 8) }

// value returns the value of position i.
func (t *Table) value(i uint32) Value {
	if t.bits == valueBits {
		return values[t.data[i>>2]>>(i&3*valueBits)&3]
	}
	return t.outcome(i).value()
}

// outcome returns the outcome of position i. The table must hold distances.
func (t *Table) outcome(i uint32) outcome { return outcome(t.data[i]) }

// An outcome is how a position ends under perfect play: 0 for a draw, else the plies to the end
// plus one. They are odd if the side to move wins, since then the other one is to move at the end.
type outcome uint8

const (
	drawn     outcome = 0
	lostNow   outcome = 1
	mostPlies         = 254 // that an outcome can tell
)

func (o outcome) value() Value {
	if o == drawn {
		return Draw
	}
	return [...]Value{Win, Loss}[o&1]
}

// plies returns the plies to the end, 0 if there is none.
func (o outcome) plies() int { return max(int(o)-1, 0) }

// values holds the values by the two bits that stand for them. 3 stands for none, and is a draw
// only so that no data is wrong.
var values = [4]Value{Draw, Win, Loss, Draw}

// WithoutDistances returns a table of the same values that takes a quarter of the memory.
func (t *Table) WithoutDistances() *Table {
	if !t.Distances() {
		return t
	}
	short := &Table{index: t.index, bits: valueBits, data: make([]byte, dataSize(t.index, valueBits))}
	for i := range t.index.size {
		bits := byte(slices.Index(values[:], t.value(i)))
		short.data[i>>2] |= bits << (i & 3 * valueBits)
	}
	return short
}
