package endgame

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// Verify opens a file and returns its tables' names. It compares a number of positions of each
// table with those that their moves lead to, the same ones each time.
func Verify(path string, samples int) (names []string, err error) {
	t, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	tables, err := read(t.files[0].data)
	if err != nil {
		return nil, err
	}
	for _, table := range tables {
		names = append(names, table.String())
		random := rand.New(rand.NewPCG(uint64(table.Board()), uint64(table.Pieces())))
		for range samples {
			p := table.index.at(random.Uint32N(table.index.size))
			if err := t.check(&p); err != nil {
				return nil, fmt.Errorf("%s: %v: %w", path, table, err)
			}
		}
	}
	return names, nil
}

// check compares what the tables say of p, which they must have, with what they say of the
// positions that its moves lead to.
func (t *Tables) check(p *emergo.Position) error {
	value, plies, counted, err := t.agreed(p)
	if err != nil {
		return err
	}
	best, end := Loss, 0
	moves := p.AppendMoves(nil)
	if len(moves) == 0 {
		best = Draw // blocked
	}
	for i, m := range moves {
		next := p.Play(m)
		v, after, ok, err := t.agreed(&next)
		if err != nil {
			return err
		}
		counted = counted && ok
		switch {
		case i == 0 || -v > best:
			best, end = -v, after+1
		case -v < best:
		case best == Win:
			end = min(end, after+1)
		default:
			end = max(end, after+1)
		}
	}
	if best == Draw {
		end = 0
	}
	if value != best {
		return fmt.Errorf("%v is said to be a %v, but its moves make it a %v", p, value, best)
	}
	if counted && plies != end {
		return fmt.Errorf("%v is said to end after %d plies, but its moves make it %d", p, plies, end)
	}
	return nil
}

// agreed returns the value of p, and the plies to the end if they are known. There may be a table of
// values and one of distances, such as the embedded one and a file's: both must say the same.
func (t *Tables) agreed(p *emergo.Position) (v Value, plies int, counted bool, err error) {
	v, ok := t.Probe(p)
	if !ok {
		return 0, 0, false, fmt.Errorf("%v is not found", p)
	}
	byDistance, plies, counted := t.ProbeDistance(p)
	if counted && byDistance != v {
		return 0, 0, false, fmt.Errorf("%v is said to be a %v where there are only values, but a %v where there are distances", p, v, byDistance)
	}
	return v, plies, counted, nil
}
