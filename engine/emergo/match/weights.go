package match

import (
	"fmt"
	"strings"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// A weightsFile is a file of weights for one of the boards, as "emergo fit" writes it.
type weightsFile struct {
	name string
	text []byte
}

// of returns the weights in the file, if they are for board b. Of no file they are those built in.
func (f *weightsFile) of(b emergo.Board) (*search.Weights, error) {
	if f == nil {
		return search.Built(b), nil
	}
	weights, err := search.ParseWeights(f.text, b)
	if err == nil {
		return weights, nil
	}
	for _, other := range []emergo.Board{emergo.Board9x9, emergo.Board7x7} {
		if _, err := search.ParseWeights(f.text, other); err == nil {
			return nil, fmt.Errorf("the weights in %s are for %v, not for %v", f.name, other, b)
		}
	}
	first, _, _ := strings.Cut(string(search.Built(b).AppendText(nil, b)), "\n")
	return nil, fmt.Errorf("%s is no file of weights for %v, whose first line is as in %q: %w", f.name, b, first, err)
}
