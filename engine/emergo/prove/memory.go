package prove

import (
	"math/bits"
	"unsafe"
)

// A fact is what is remembered of a position: within how many plies the attacker is known to win, and
// within how many it is known not to.
type fact struct {
	key     uint64
	work    uint32 // nodes it took to know, as a reason to keep it
	won     uint8  // 0 if not known
	refuted uint8
	move    uint8 // the move that showed it, in the order of AppendMoves from 1; 0 for none
}

const bucketSize = 4

// A memory holds facts in a fixed amount of space. A fact is found by all 64 bits of its key, so that
// one in a thousand million billion lookups that should find nothing finds the fact of another position.
type memory [][bucketSize]fact

func newMemory(bytes int) memory {
	return make(memory, max(1, bytes/int(unsafe.Sizeof([bucketSize]fact{}))))
}

func (m memory) bucket(key uint64) *[bucketSize]fact {
	i, _ := bits.Mul64(key, uint64(len(m)))
	return &m[i]
}

// find returns the fact of a key, an empty one if there is none.
func (m memory) find(key uint64) fact {
	b := m.bucket(key)
	for i := range b {
		if b[i].key == key {
			return b[i]
		}
	}
	return fact{key: key}
}

// store writes f over the fact of the same key, or else over that which took the least work.
func (m memory) store(f fact) {
	b := m.bucket(f.key)
	least := 0
	for i := range b {
		if b[i].key == f.key {
			b[i] = f
			return
		}
		if b[i].work < b[least].work {
			least = i
		}
	}
	b[least] = f
}

// mix spreads the bits of x (SplitMix64's finish, Steele, Lea and Flood, 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
