package endgame

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// FewestPieces is the fewest pieces of a table: with one, a side has none and has lost.
const FewestPieces = 2

const mostPieces = 4

// MostPieces returns the most pieces of a table of a board: 3 on 9x9, 4 on 7x7. One more would make
// billions of positions.
func MostPieces(b emergo.Board) int { return mostTabled[b&1] }

var mostTabled = [...]int{emergo.Board9x9: 3, emergo.Board7x7: 4}

// choose holds binomial coefficients: choose[n][k] = n! / k! (n-k)!. The numbers x_1 < ... < x_k
// have the rank C(x_1, 1) + ... + C(x_k, k) among all sets of k numbers: the combinatorial number
// system (Knuth, The Art of Computer Programming 4A, 7.2.1.3).
var choose = func() (table [64][mostPieces + 1]uint32) {
	for n := range table {
		table[n][0] = 1
		for k := 1; k <= mostPieces && n > 0; k++ {
			table[n][k] = table[n-1][k-1] + table[n-1][k]
		}
	}
	return table
}()

// An index numbers the positions with one number of pieces on one board, from the view of the side
// to move and up to the symmetries of the board: equivalent positions have one number, except those
// whose squares are symmetric themselves, which may have several.
type index struct {
	board  emergo.Board
	pieces int
	blocks []block // by the pieces of the side to move, less one
	size   uint32
}

// A block is the part of an index in which the side to move has one number of pieces.
//
// A position's number is (class * len(enemy) + e) * len(own) + o, after the blocks before. The
// class is where the pieces stand; e says how the enemy's men are shared out among them, and o
// those of the side to move.
type block struct {
	base       uint32
	ownPieces  int
	enemySets  uint32      // sets of squares that the enemy's pieces can stand on
	placements []placement // by the rank of the own squares * enemySets + the rank of the enemy's
	classes    []class
	own, enemy []sharing
}

// A placement is the squares of the own and the enemy's pieces. It holds its class and the order
// that its pieces, own ones first, each side's by the squares' names, have in the class's
// representative, two bits each: class<<8 | order.
type placement uint32

// noPlacement stands for squares that overlap.
const noPlacement = ^placement(0)

// A class is the placements that rotations and reflections turn into each other, represented by the
// one with the lowest rank.
type class struct {
	squares [mostPieces]emergo.Square // own pieces first
	images  uint8                     // placements in the class: 8, fewer if they are symmetric
}

// A sharing says how many of one side's men each piece holds, beyond the one on top that makes it
// that side's.
type sharing [mostPieces]uint8

var indexes = func() (table [2][mostPieces + 1]func() *index) {
	for b, most := range mostTabled {
		for pieces := FewestPieces; pieces <= most; pieces++ {
			table[b][pieces] = sync.OnceValue(func() *index { return newIndex(emergo.Board(b), pieces) })
		}
	}
	return table
}()

// indexOf returns the index of a board and a number of pieces, or nil if there is no such table.
func indexOf(b emergo.Board, pieces int) *index {
	if int(b) >= len(mostTabled) || pieces < FewestPieces || pieces > mostTabled[b] {
		return nil
	}
	return indexes[b][pieces]()
}

func newIndex(b emergo.Board, pieces int) *index {
	x := &index{board: b, pieces: pieces}
	for own := 1; own < pieces; own++ {
		enemy := pieces - own
		bl := block{
			base:      x.size,
			ownPieces: own,
			enemySets: choose[len(b.Squares())][enemy],
			own:       sharings(b.Men()-own, pieces),
			enemy:     sharings(b.Men()-enemy, pieces),
		}
		bl.classify(b, enemy)
		x.size += uint32(len(bl.classes) * len(bl.own) * len(bl.enemy))
		x.blocks = append(x.blocks, bl)
	}
	return x
}

// sharings returns all ways to share out men among pieces, by rank.
func sharings(men, pieces int) []sharing {
	list := make([]sharing, choose[men+pieces-1][pieces-1])
	var fill func(s sharing, piece, left int)
	fill = func(s sharing, piece, left int) {
		if piece == pieces-1 {
			s[piece] = uint8(left)
			list[s.rank(pieces)] = s
			return
		}
		for n := range left + 1 {
			s[piece] = uint8(n)
			fill(s, piece+1, left-n)
		}
	}
	fill(sharing{}, 0, men)
	return list
}

// rank ranks the numbers s[0], s[0]+s[1]+1, s[0]+s[1]+s[2]+2 and so on, which tell a sharing. The
// last piece holds the rest.
func (s *sharing) rank(pieces int) (r uint32) {
	sum := uint8(0)
	for i := range pieces - 1 {
		sum += s[i]
		r += choose[(int(sum)+i)&63][i+1]
	}
	return r
}

// classify finds the classes of all placements.
func (bl *block) classify(b emergo.Board, enemy int) {
	ownSets := slices.Collect(squareSets(b, bl.ownPieces))
	enemySets := slices.Collect(squareSets(b, enemy))
	bl.placements = slices.Repeat([]placement{noPlacement}, len(ownSets)*len(enemySets))
	for o, own := range ownSets {
		for e, enemy := range enemySets {
			if own&enemy != 0 || bl.placements[o*len(enemySets)+e] != noPlacement {
				continue
			}
			c := class{}
			squares := append(own.Squares(), enemy.Squares()...)
			copy(c.squares[:], squares)
			for symmetry := range 8 {
				var image [mostPieces]emergo.Square
				for i, s := range squares {
					image[i] = imageOf(b, s, symmetry)
				}
				at := &bl.placements[bl.rankPlacement(b, image[:len(squares)])]
				if *at == noPlacement {
					*at = placement(len(bl.classes)<<8) | bl.order(image[:len(squares)])
					c.images++
				}
			}
			bl.classes = append(bl.classes, c)
		}
	}
}

// rankPlacement returns the rank of squares, the own pieces' first.
func (bl *block) rankPlacement(b emergo.Board, squares []emergo.Square) uint32 {
	return rankSet(b, setOf(squares[:bl.ownPieces]))*bl.enemySets + rankSet(b, setOf(squares[bl.ownPieces:]))
}

// order returns for each piece, in the order of the squares' names, its number in squares.
func (bl *block) order(squares []emergo.Square) (order placement) {
	sorted := slices.Clone(squares)
	slices.Sort(sorted[:bl.ownPieces])
	slices.Sort(sorted[bl.ownPieces:])
	for i, s := range sorted {
		order |= placement(slices.Index(squares, s)) << (2 * i)
	}
	return order
}

// find returns the number of p, which must have the index's board and number of pieces. ok is false
// if a side has no piece or not all its men are on the board.
func (x *index) find(p *emergo.Position) (i uint32, ok bool) {
	own, enemy := p.Owned(p.Turn()), p.Owned(p.Turn().Other())
	n := own.Count() - 1
	if uint(n) >= uint(len(x.blocks)) {
		return 0, false
	}
	bl := &x.blocks[n]
	at := bl.placements[rankSet(x.board, own)*bl.enemySets+rankSet(x.board, enemy)]
	var ownMen, enemyMen sharing
	order := at
	ownTotal, enemyTotal := 0, 0
	for ; own != 0; own = own.Rest() {
		st := p.StackAt(own.First())
		ownMen[order&3], enemyMen[order&3] = uint8(st.Cap()-1), uint8(st.Prisoners())
		ownTotal += st.Cap()
		enemyTotal += st.Prisoners()
		order >>= 2
	}
	for ; enemy != 0; enemy = enemy.Rest() {
		st := p.StackAt(enemy.First())
		ownMen[order&3], enemyMen[order&3] = uint8(st.Prisoners()), uint8(st.Cap()-1)
		ownTotal += st.Prisoners()
		enemyTotal += st.Cap()
		order >>= 2
	}
	if men := x.board.Men(); ownTotal != men || enemyTotal != men {
		return 0, false
	}
	i = uint32(at>>8)*uint32(len(bl.enemy)) + enemyMen.rank(x.pieces)
	return bl.base + i*uint32(len(bl.own)) + ownMen.rank(x.pieces), true
}

// at returns position i, with White to move.
func (x *index) at(i uint32) emergo.Position {
	b := len(x.blocks) - 1
	for x.blocks[b].base > i {
		b--
	}
	bl := &x.blocks[b]
	i -= bl.base
	own, enemy := uint32(len(bl.own)), uint32(len(bl.enemy))
	set := x.newSetup()
	return set.position(bl, &bl.classes[i/own/enemy], &bl.own[i%own], &bl.enemy[i/own%enemy])
}

// A run is the positions of an index whose pieces stand on the same squares.
type run struct {
	block *block
	class *class
	first uint32 // the number of the first
}

// runs returns all runs in order.
func (x *index) runs() (list []run) {
	for b := range x.blocks {
		bl := &x.blocks[b]
		for c := range bl.classes {
			list = append(list, run{bl, &bl.classes[c], bl.base + uint32(c*len(bl.own)*len(bl.enemy))})
		}
	}
	return list
}

// len returns the number of positions in the run.
func (r *run) len() int { return len(r.block.own) * len(r.block.enemy) }

// positions calls yield for each position of a run in the order of their numbers, with White to
// move.
func (x *index) positions(r run, yield func(i uint32, p *emergo.Position)) {
	set := x.newSetup()
	var p emergo.Position // one for all: it escapes
	i := r.first
	for e := range r.block.enemy {
		for o := range r.block.own {
			p = set.position(r.block, r.class, &r.block.own[o], &r.block.enemy[e])
			yield(i, &p)
			i++
		}
	}
}

// A setup is a set-up whose pieces are used over and over.
type setup struct{ emergo.Setup }

func (x *index) newSetup() *setup {
	return &setup{emergo.Setup{Board: x.board, Pieces: make([]emergo.PlacedPiece, x.pieces)}}
}

func (s *setup) position(bl *block, c *class, own, enemy *sharing) emergo.Position {
	for k := range s.Pieces {
		piece := emergo.Piece{Owner: emergo.White, Cap: 1 + int(own[k]), Prisoners: int(enemy[k])}
		if k >= bl.ownPieces {
			piece = emergo.Piece{Owner: emergo.Black, Cap: 1 + int(enemy[k]), Prisoners: int(own[k])}
		}
		s.Pieces[k] = emergo.PlacedPiece{Square: c.squares[k], Piece: piece}
	}
	p, err := s.Position()
	if err != nil {
		panic(err) // a sharing has all men and no more
	}
	return p
}

// memoryBytes returns the bytes that the index holds.
func (x *index) memoryBytes() (n int) {
	for i := range x.blocks {
		bl := &x.blocks[i]
		n += len(bl.placements)*int(unsafe.Sizeof(placement(0))) + len(bl.classes)*int(unsafe.Sizeof(class{})) +
			(len(bl.own)+len(bl.enemy))*int(unsafe.Sizeof(sharing{}))
	}
	return n
}
