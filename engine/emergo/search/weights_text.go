package search

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

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
