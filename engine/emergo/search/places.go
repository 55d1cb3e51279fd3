package search

import "github.com/luctor-et-emergo/emergod/engine/emergo"

// places is the number of kinds of square: squares that a rotation or reflection of the board takes
// into each other are of one kind.
const places = 9

// placeNames names the kinds, by board, by a square of each.
var placeNames = [2][]string{
	emergo.Board9x9: {"a1", "a3", "a5", "b2", "b4", "c3", "c5", "d4", "e5"},
	emergo.Board7x7: {"a1", "a3", "b2", "b4", "c3", "d4"},
}

// placeOf holds the kind of each square of each board.
var placeOf = func() (table [2][64]uint8) {
	for board, names := range placeNames {
		b := emergo.Board(board)
		last := b.Ranks() - 1
		fold := func(s emergo.Square) [2]int {
			file, rank := min(s.File(), last-s.File()), min(s.Rank(), last-s.Rank())
			return [2]int{min(file, rank), max(file, rank)}
		}
		for kind, name := range names {
			example, err := emergo.ParseSquare(name)
			if err != nil {
				panic(err)
			}
			for _, s := range b.Squares() {
				if fold(s) == fold(example) {
					table[board][s&63] = uint8(kind)
				}
			}
		}
	}
	return table
}()
