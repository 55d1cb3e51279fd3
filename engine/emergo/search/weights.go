package search

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// Weights are what the evaluation holds the features of a position to be worth, in hundredths of a
// man: in the entering stage with all men in hand, and in the movement stage. In between they shade
// into each other as the hands empty. They are fitted to games; see package fit.
type Weights struct {
	Stack               [13][13]Weight    // a piece, by cap and prisoners
	Place               [2][places]Weight // a piece, by whether its cap has more than one man, and its square
	Mobility            [2]Weight         // each step that is open to a piece, by whether its cap has more than one man
	Safe                Weight            // each such step to where the opponent could not capture
	Chain               Weight            // each pair of pieces next to each other
	ShutIn              Weight            // a piece next to no vacant square
	Contact             [2]Weight         // a piece next to an enemy piece, likewise
	Threatened          Weight            // a piece of the side to move that the other could jump
	ThreatenedPrisoners Weight            // a prisoner that such a jump would free
	Hand                [25]Weight        // the side to move's men in hand less the other's, from -12
	Shadow              [13]Weight        // the men in hand of a side whose opponent has none left
	Move                Weight            // to be the one to move
}

// A Weight is what one occurrence of a trait is worth in each stage.
type Weight struct{ Entering, Movement int32 }

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

// A namedWeight is a weight and what it is called in a file.
type namedWeight struct {
	name   string
	weight *Weight
}

// all lists the weights that board b uses, in the order of their traits.
func (w *Weights) all(b emergo.Board) (list []namedWeight) {
	add := func(weight *Weight, format string, args ...any) {
		list = append(list, namedWeight{fmt.Sprintf(format, args...), weight})
	}
	men := b.Men()
	for c := 1; c <= men; c++ {
		for n := 0; n <= men; n++ {
			add(&w.Stack[c][n], "stack cap=%d prisoners=%d", c, n)
		}
	}
	for i, kind := range []string{"man", "tower"} {
		for place, name := range placeNames[b] {
			add(&w.Place[i][place], "place %s %s", kind, name)
		}
	}
	add(&w.Mobility[0], "mobility man")
	add(&w.Mobility[1], "mobility tower")
	add(&w.Safe, "safe")
	add(&w.Chain, "chain")
	add(&w.ShutIn, "shut-in")
	add(&w.Contact[0], "contact man")
	add(&w.Contact[1], "contact tower")
	add(&w.Threatened, "threatened")
	add(&w.ThreatenedPrisoners, "threatened-prisoners")
	for d := -men; d <= men; d++ {
		add(&w.Hand[d+12], "hand %+d", d)
	}
	for n := 1; n <= men; n++ {
		add(&w.Shadow[n], "shadow %d", n)
	}
	add(&w.Move, "move")
	return list
}

// AppendText appends the weights of board b, a line each: the name, then the weight in the entering
// and in the movement stage.
func (w *Weights) AppendText(dst []byte, b emergo.Board) []byte {
	for _, n := range w.all(b) {
		dst = fmt.Appendf(dst, "%s: %d %d\n", n.name, n.weight.Entering, n.weight.Movement)
	}
	return dst
}

// ParseWeights reads what AppendText wrote. Every weight must be there, in order.
func ParseWeights(text []byte, b emergo.Board) (*Weights, error) {
	w := new(Weights)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	all := w.all(b)
	if len(lines) != len(all) {
		return nil, fmt.Errorf("%d weights, want %d for board %v", len(lines), len(all), b)
	}
	for i, n := range all {
		name, values, _ := strings.Cut(lines[i], ": ")
		if name != n.name {
			return nil, fmt.Errorf("line %d is about %.40q, want %q", i+1, name, n.name)
		}
		entering, movement, _ := strings.Cut(values, " ")
		for _, v := range []struct {
			text string
			to   *int32
		}{{entering, &n.weight.Entering}, {movement, &n.weight.Movement}} {
			value, err := strconv.ParseInt(v.text, 10, 16)
			if err != nil {
				return nil, fmt.Errorf("line %d: %s has a weight of %.20q, want a number from -32768 to 32767", i+1, name, v.text)
			}
			*v.to = int32(value)
		}
	}
	return w, nil
}

//go:embed weights_9x9.txt
var weights9x9 []byte

//go:embed weights_7x7.txt
var weights7x7 []byte

// fitted holds the weights in use, by board.
var fitted = [2]*Weights{
	emergo.Board9x9: mustParseWeights(weights9x9, emergo.Board9x9),
	emergo.Board7x7: mustParseWeights(weights7x7, emergo.Board7x7),
}

func mustParseWeights(text []byte, b emergo.Board) *Weights {
	w, err := ParseWeights(text, b)
	if err != nil {
		panic(err) // a file of the package
	}
	return w
}

// Built returns the weights in use for board b.
func Built(b emergo.Board) *Weights { return fitted[b] }

// Vector returns the weights of board b in the order of their traits: of each the weight in the
// entering stage, then in the movement stage.
func (w *Weights) Vector(b emergo.Board) []float64 {
	var v []float64
	for _, n := range w.all(b) {
		v = append(v, float64(n.weight.Entering), float64(n.weight.Movement))
	}
	return v
}

// FromVector returns the weights that Vector would write as v, rounded.
func FromVector(b emergo.Board, v []float64) *Weights {
	w := new(Weights)
	for i, n := range w.all(b) {
		n.weight.Entering, n.weight.Movement = int32(math.Round(v[2*i])), int32(math.Round(v[2*i+1]))
	}
	return w
}

// Neighbours lists pairs of weights, as indices of traits, that should not differ much: of pieces or
// hands that differ by a man.
func Neighbours(b emergo.Board) (pairs [][2]int) {
	index, men := traitIndex[b], b.Men()
	pair := func(x, y *Weight) { pairs = append(pairs, [2]int{index[x], index[y]}) }
	for c := 1; c <= men; c++ {
		for n := 0; n <= men; n++ {
			if c < men {
				pair(&named.Stack[c][n], &named.Stack[c+1][n])
			}
			if n < men {
				pair(&named.Stack[c][n], &named.Stack[c][n+1])
			}
		}
	}
	for d := -men; d < men; d++ {
		pair(&named.Hand[d+12], &named.Hand[d+13])
	}
	for n := 1; n < men; n++ {
		pair(&named.Shadow[n], &named.Shadow[n+1])
	}
	return pairs
}

// A PlaceGroup is a set of weights that every piece of some kind has exactly one of, its square, next
// to its own: a number can be moved from one to the other without changing any evaluation.
type PlaceGroup struct{ Places, Stacks []int } // indices of traits

// PlaceGroups lists the two groups: single men and towers.
func PlaceGroups(b emergo.Board) (groups [2]PlaceGroup) {
	index, men := traitIndex[b], b.Men()
	for i := range groups {
		for place := range placeNames[b] {
			groups[i].Places = append(groups[i].Places, index[&named.Place[i][place]])
		}
	}
	for c := 1; c <= men; c++ {
		g := &groups[min(c-1, 1)]
		for n := 0; n <= men; n++ {
			g.Stacks = append(g.Stacks, index[&named.Stack[c][n]])
		}
	}
	return groups
}

// OneManMore lists pairs of weights, as indices of traits: of a piece, and of the piece with one more
// man in its cap.
func OneManMore(b emergo.Board) (pairs [][2]int) {
	index, men := traitIndex[b], b.Men()
	for c := 1; c < men; c++ {
		for n := 0; n <= men; n++ {
			pairs = append(pairs, [2]int{index[&named.Stack[c][n]], index[&named.Stack[c+1][n]]})
		}
	}
	return pairs
}
