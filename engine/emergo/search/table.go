package search

import (
	"math"
	"math/bits"
	"unsafe"
)

// A bound says how the score of an entry relates to the true one.
type bound uint8

const (
	atLeast bound = iota
	atMost
	exactly
)

// settles reports whether a score with this bound decides a search between alpha and beta.
func (b bound) settles(score, alpha, beta Score) bool {
	return b == exactly || b == atLeast && score >= beta || b == atMost && score <= alpha
}

// An entry is what the transposition table remembers of a position: 16 bytes.
type entry struct {
	key   uint64
	score int16 // wins and losses counted from this position, not from the root
	depth int8
	move  uint8 // in the order of AppendMoves, from 1; 0 for none
	bound bound
	age   uint8 // the search that wrote it
}

// A bucket is a cache line of entries that share an index.
type bucket [4]entry

// A transpositionTable remembers positions that were searched, in a fixed amount of memory. What an
// earlier search wrote is nothing but free room to a later one: an answer depends on the question alone.
type transpositionTable struct {
	buckets []bucket
	age     uint8
}

func newTranspositionTable(bytes int) transpositionTable {
	return transpositionTable{buckets: make([]bucket, max(1, bytes/int(unsafe.Sizeof(bucket{}))))}
}

// begin starts a new search.
func (t *transpositionTable) begin() {
	t.age++
	if t.age == 0 { // ages would come round
		clear(t.buckets)
		t.age = 1
	}
}

// mix spreads the bits of x (SplitMix64's finish, Steele, Lea and Flood, 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (t *transpositionTable) bucket(key uint64) *bucket {
	i, _ := bits.Mul64(key, uint64(len(t.buckets)))
	return &t.buckets[i]
}

// find returns the entry of a key, or nil.
func (t *transpositionTable) find(key uint64) *entry {
	b := t.bucket(key)
	for i := range b {
		if b[i].key == key && b[i].age == t.age {
			return &b[i]
		}
	}
	return nil
}

// store writes an entry over that of the same position or else over the least valuable one: of an
// earlier search, or the shallowest.
func (t *transpositionTable) store(e entry) {
	e.age = t.age
	b := t.bucket(e.key)
	worst, least := 0, int(1e6)
	for i := range b {
		old := &b[i]
		if old.key == e.key && old.age == t.age {
			if e.move == 0 {
				e.move = old.move
			}
			*old = e
			return
		}
		value := int(old.depth)
		if old.age != t.age {
			value = math.MinInt8 // alike, lest it matter what they hold
		}
		if value < least {
			worst, least = i, value
		}
	}
	b[worst] = e
}
