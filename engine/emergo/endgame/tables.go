package endgame

import (
	"errors"
	"fmt"
	"os"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// Tables answers from the embedded tables and, if given, distance files. It is read-only and safe
// for concurrent use. A nil *Tables answers for nothing.
type Tables struct {
	boards [2]boardTables
	files  []mapping
	memory int
}

// boardTables holds the tables of a board by their number of pieces, nil where there is none.
type boardTables struct {
	most      int // pieces
	values    [mostPieces + 1]*Table
	distances [mostPieces + 1]*Table
}

// Open returns the embedded tables together with those of distance files, as Write writes them. The
// files are mapped into memory where the system can, so they must not be overwritten while they are
// in use; to replace one, rename another to its name. All checksums are verified, which reads the
// files once. An error says which file it is about.
func Open(paths ...string) (*Tables, error) {
	t := new(Tables)
	*t = *Embedded()
	for _, path := range paths {
		if err := checkRegular(path); err != nil {
			return nil, errors.Join(err, t.Close())
		}
		m, err := mapFile(path)
		if err != nil {
			return nil, errors.Join(err, t.Close())
		}
		t.files = append(t.files, m)
		t.memory += m.heap
		tables, err := read(m.data)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", path, err), t.Close())
		}
		for _, table := range tables {
			t.add(table)
		}
	}
	return t, nil
}

// checkRegular returns an error if path is no regular file: to open a pipe would be to wait for its
// other end, and a device need not have an end.
func checkRegular(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: it is not a regular file", path)
	}
	return nil
}

// add makes t answer from a table too. Values are read from a table without distances if there is
// one, since it is the smaller.
func (t *Tables) add(table *Table) {
	b, n := &t.boards[table.Board()&1], table.Pieces()
	if table.Distances() {
		b.distances[n] = table
	}
	if b.values[n] == nil || !table.Distances() {
		b.values[n] = table
	}
	b.most = max(b.most, n)
}

// Close unmaps the files. The tables must not be used after it, nor while it runs; what Embedded
// returned is not touched. It does nothing to tables without files.
func (t *Tables) Close() error {
	var err error
	for _, m := range t.files {
		err = errors.Join(err, m.unmap())
	}
	t.files = nil
	return err
}

// MemoryBytes returns the bytes of memory that the tables hold, without files that are mapped.
func (t *Tables) MemoryBytes() int {
	if t == nil {
		return 0
	}
	n := t.memory
	for b := range t.boards {
		for _, table := range t.boards[b].values {
			if table != nil {
				n += table.index.memoryBytes()
			}
		}
	}
	return n
}

// MaxPieces returns the most pieces on a board that the tables answer for: 3, or 4 on 7x7 if a file
// has them.
func (t *Tables) MaxPieces(b emergo.Board) int {
	if t == nil {
		return 0
	}
	return t.boards[b&1].most
}

// Probe returns the value of p for the side to move. ok is false unless the tables have p: all men
// are on the board, in no more than MaxPieces pieces, and each side owns one; or the side to move
// has none, and no man in hand, and has lost. It costs little more than listing the moves of p does,
// and a few nanoseconds if the tables do not have p.
//
// The value is that of a game under the standard rules that begins with p: an endless game is a
// draw, and so is a blocked one. It tells nothing of games in which the blocked side loses or that
// end after a number of plies without progress. In a game with a history, a draw is a draw
// still; a win or a loss holds if no position since the last irreversible move has occurred twice,
// since otherwise the defender may reach its third occurrence.
func (t *Tables) Probe(p *emergo.Position) (v Value, ok bool) {
	if t == nil {
		return 0, false
	}
	own, enemy := p.Owned(p.Turn()), p.Owned(p.Turn().Other())
	if own == 0 {
		return lostValue(p)
	}
	b := &t.boards[p.Board()&1]
	n := own.Count() + enemy.Count()
	if n > b.most {
		return 0, false
	}
	table := b.values[n]
	if table == nil {
		return 0, false
	}
	i, ok := table.index.find(p)
	if !ok {
		return 0, false
	}
	return table.value(i), true
}

// ProbeDistance returns the value of p like Probe, and the plies to the end of the game, when the
// side to move owns no piece, if the winner hurries and the loser delays: 0 for a draw. ok is false
// unless the tables know the distance.
func (t *Tables) ProbeDistance(p *emergo.Position) (v Value, plies int, ok bool) {
	if t == nil {
		return 0, 0, false
	}
	own, enemy := p.Owned(p.Turn()), p.Owned(p.Turn().Other())
	if own == 0 {
		v, ok = lostValue(p)
		return v, 0, ok
	}
	n := own.Count() + enemy.Count()
	if n > mostPieces {
		return 0, 0, false
	}
	table := t.boards[p.Board()&1].distances[n]
	if table == nil {
		return 0, 0, false
	}
	i, ok := table.index.find(p)
	if !ok {
		return 0, 0, false
	}
	end := table.outcome(i)
	return end.value(), end.plies(), true
}

// lostValue returns the value of a position whose side to move owns no piece.
func lostValue(p *emergo.Position) (v Value, ok bool) {
	if p.InHand(p.Turn()) > 0 {
		return 0, false
	}
	return Loss, true
}
