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
// man, by stage. They are fitted to games; see package fit.
type Weights struct {
	Stack      [13][13]Weight             // a piece, by cap and prisoners
	Place      [placeKinds][places]Weight // a piece, by its kind and its square
	Contact    [3][4]Weight               // a piece next to an enemy piece, by cap (3: or more) and prisoners (3: or more)
	Threatened [4][5]Weight               // a piece of the side to move that the other could jump, likewise
	Mobility   [2]Weight                  // each step that is open to a piece, by whether its cap has more than one man
	Safe       Weight                     // each step to where the opponent could not capture
	SafeSteps  [2][safeSteps]Weight       // how many such steps a side without men in hand has: the side to move, the other
	Chain      Weight                     // each pair of pieces next to each other
	ShutIn     Weight                     // a piece next to no vacant square
	Hand       [25]Weight                 // the side to move's men in hand less the other's, from -12
	Shadow     [13]Weight                 // the men in hand of a side whose opponent has none left
	Move       Weight                     // to be the one to move

	pieces [2][13][13][places]Weight // a piece's stack, its place and, in the second half, its contact
}

// safeSteps is one more than the number of safe steps from which on more make no difference.
const safeSteps = 13

// placeKinds is the number of kinds of piece that differ in where they stand well.
const placeKinds = 8

// placeKind returns the kind of a piece: by its cap, 4 or more being alike, and by whether it has
// prisoners.
func placeKind(cap, prisoners int) int { return 2*(min(cap, 4)-1) + min(prisoners, 1) }

// contact returns what a piece next to an enemy piece is worth because of that.
func (w *Weights) contact(cap, prisoners int) *Weight {
	return &w.Contact[min(cap, 3)-1][min(prisoners, 3)]
}

// threatened returns what a piece that can be jumped is worth because of that.
func (w *Weights) threatened(cap, prisoners int) *Weight {
	return &w.Threatened[min(cap, 4)-1][min(prisoners, 4)]
}

// combine adds up what is looked up for a piece, so that it is looked up once.
func (w *Weights) combine() *Weights {
	for cap := 1; cap <= 12; cap++ {
		for prisoners := range 13 {
			for place := range places {
				sum := w.Stack[cap][prisoners] + w.Place[placeKind(cap, prisoners)][place]
				w.pieces[0][cap][prisoners][place] = sum
				w.pieces[1][cap][prisoners][place] = sum + *w.contact(cap, prisoners)
			}
		}
	}
	return w
}

// A Weight is what one occurrence of a trait is worth in each stage: three numbers in one, so that
// all are added up at once.
type Weight int64

// stageBits is the width of a stage's number. Sums of evaluations stay far within it.
const stageBits = 21

// MaxWeight is the largest weight, in either direction.
const MaxWeight = 3000

// Stages is the number of stages between which positions are: the entering stage, the movement stage
// with many pieces, and that with few.
const Stages = 3

func newWeight(in [Stages]int) (w Weight) {
	for i, v := range in {
		w += Weight(v) << (stageBits * i)
	}
	return w
}

// in returns the weight in each stage.
func (w Weight) in() (v [Stages]int) {
	for i := range v {
		v[i] = int(w << (64 - stageBits) >> (64 - stageBits))
		w = (w - Weight(v[i])) >> stageBits
	}
	return v
}

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
	for kind := range placeKinds {
		for place, name := range placeNames[b] {
			add(&w.Place[kind][place], "place %s cap=%d prisoners=%d", name, kind/2+1, kind%2)
		}
	}
	for c := range w.Contact {
		for n := range w.Contact[c] {
			add(&w.Contact[c][n], "contact cap=%d prisoners=%d", c+1, n)
		}
	}
	for c := range w.Threatened {
		for n := range w.Threatened[c] {
			add(&w.Threatened[c][n], "threatened cap=%d prisoners=%d", c+1, n)
		}
	}
	add(&w.Mobility[0], "mobility man")
	add(&w.Mobility[1], "mobility tower")
	add(&w.Safe, "safe")
	for i, side := range []string{"mover", "other"} {
		for n := range safeSteps {
			add(&w.SafeSteps[i][n], "safe-steps %s=%d", side, n)
		}
	}
	add(&w.Chain, "chain")
	add(&w.ShutIn, "shut-in")
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
// stage, in the movement stage with many pieces, and in that with few.
func (w *Weights) AppendText(dst []byte, b emergo.Board) []byte {
	for _, n := range w.all(b) {
		dst = fmt.Appendf(dst, "%s:", n.name)
		for _, v := range n.weight.in() {
			dst = fmt.Appendf(dst, " %d", v)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// ParseWeights reads what AppendText wrote. Every weight must be there, in order.
func ParseWeights(text []byte, b emergo.Board) (*Weights, error) {
	w := new(Weights)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	all := w.all(b)
	if name, _, _ := strings.Cut(lines[0], ":"); name != all[0].name {
		return nil, fmt.Errorf("a file of weights begins with %q, this one with %.40q", all[0].name+": ", lines[0])
	}
	if len(lines) != len(all) {
		return nil, fmt.Errorf("%d weights, want %d for board %v", len(lines), len(all), b)
	}
	for i, n := range all {
		name, values, _ := strings.Cut(lines[i], ":")
		if name != n.name {
			return nil, fmt.Errorf("line %d is about %.40q, want %q", i+1, name, n.name)
		}
		fields := strings.Fields(values)
		if len(fields) != Stages {
			return nil, fmt.Errorf("line %d: %s has %d weights, want %d, one for each stage", i+1, name, len(fields), Stages)
		}
		var in [Stages]int
		for j, field := range fields {
			v, err := strconv.Atoi(field)
			if err != nil || v < -MaxWeight || v > MaxWeight {
				return nil, fmt.Errorf("line %d: %s has a weight of %.20q, want a number from %d to %d", i+1, name, field, -MaxWeight, MaxWeight)
			}
			in[j] = v
		}
		*n.weight = newWeight(in)
	}
	return w.combine(), nil
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

// Vector returns the weights of board b in the order of their traits: of each the weight in every
// stage.
func (w *Weights) Vector(b emergo.Board) []float64 {
	var v []float64
	for _, n := range w.all(b) {
		for _, x := range n.weight.in() {
			v = append(v, float64(x))
		}
	}
	return v
}

// FromVector returns the weights that Vector would write as v, rounded, and bounded by MaxWeight.
func FromVector(b emergo.Board, v []float64) *Weights {
	w := new(Weights)
	for i, n := range w.all(b) {
		var in [Stages]int
		for j := range in {
			in[j] = int(math.Round(max(min(v[Stages*i+j], MaxWeight), -MaxWeight)))
		}
		*n.weight = newWeight(in)
	}
	return w.combine()
}

// StageShares returns the share of each stage in p, which add up to 1: how far evaluations of p are by the
// weights of that stage.
func StageShares(p *emergo.Position) (shares [Stages]float64) {
	parts := stageParts(p)
	for i, n := range parts {
		shares[i] = float64(n) / float64(parts[0]+parts[1]+parts[2])
	}
	return shares
}

// stageParts returns the shares of the stages in parts of which there are always as many on a board.
// The entering stage passes as hands empty, and many pieces become few from 20 to 4, or from 13 to 2 on
// the smaller board.
func stageParts(p *emergo.Position) (parts [Stages]int) {
	men := 2 * p.Board().Men()
	most, least := men*5/6, men/6
	inHand := p.InHand(emergo.White) + p.InHand(emergo.Black)
	few := most - max(min(pieces(p), most), least)
	parts[0] = inHand * (most - least)
	parts[1] = (men - inHand) * (most - least - few)
	parts[2] = (men - inHand) * few
	return parts
}

// Neighbours lists pairs of weights, as indices of traits, that should not differ much: of what
// differs by a man, a prisoner or a move.
func Neighbours(b emergo.Board) (pairs [][2]int) {
	index, men := traitIndex[b], b.Men()
	row := func(weights []Weight) {
		for i := 1; i < len(weights); i++ {
			pairs = append(pairs, [2]int{index[&weights[i-1]], index[&weights[i]]})
		}
	}
	pair := func(x, y *Weight) { pairs = append(pairs, [2]int{index[x], index[y]}) }
	for c := 1; c <= men; c++ {
		row(named.Stack[c][:men+1])
		for n := 0; n <= men && c < men; n++ {
			pair(&named.Stack[c][n], &named.Stack[c+1][n])
		}
	}
	for kind := 2; kind < placeKinds; kind++ {
		for place := range placeNames[b] {
			pair(&named.Place[kind-2][place], &named.Place[kind][place])
		}
	}
	for c := range named.Contact {
		row(named.Contact[c][:])
	}
	for c := range named.Threatened {
		row(named.Threatened[c][:])
	}
	for side := range named.SafeSteps {
		row(named.SafeSteps[side][:])
	}
	row(named.Hand[12-men : 13+men])
	row(named.Shadow[1 : men+1])
	return pairs
}

// A PlaceGroup is a set of weights that every piece of some kind has exactly one of, its square, next
// to its own: a number can be moved from one to the other without changing any evaluation.
type PlaceGroup struct{ Places, Stacks []int } // indices of traits

// PlaceGroups lists the groups, one for each kind of piece.
func PlaceGroups(b emergo.Board) (groups [placeKinds]PlaceGroup) {
	index, men := traitIndex[b], b.Men()
	for i := range groups {
		for place := range placeNames[b] {
			groups[i].Places = append(groups[i].Places, index[&named.Place[i][place]])
		}
	}
	for c := 1; c <= men; c++ {
		for n := 0; n <= men; n++ {
			g := &groups[placeKind(c, n)]
			g.Stacks = append(g.Stacks, index[&named.Stack[c][n]])
		}
	}
	return groups
}

// FreeMen returns how many free men, which are those in caps on the board, each trait stands for: none
// but for pieces.
func FreeMen(b emergo.Board) []int {
	index, men := traitIndex[b], b.Men()
	free := make([]int, len(index))
	for c := 1; c <= men; c++ {
		for n := 0; n <= men; n++ {
			free[index[&named.Stack[c][n]]] = c
		}
	}
	return free
}
