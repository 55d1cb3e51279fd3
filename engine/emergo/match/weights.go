package match

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// A weightsFile is a file of weights for one of the boards, as "emergo fit" writes it.
type weightsFile struct {
	name string
	text []byte
}

// mostWeights bounds a file of weights in bytes, far above what fit writes.
const mostWeights = 1 << 20

// readWeights reads a file, whatever is in it. A device or a pipe might never end.
func readWeights(name string) (*weightsFile, error) {
	if name == "" {
		return nil, errors.New("weights= must name a file")
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	wrong := func(why string) error { return &fs.PathError{Op: "read", Path: name, Err: errors.New(why)} }
	if !info.Mode().IsRegular() {
		return nil, wrong("it is no regular file, as a file of weights is")
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostWeights+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > mostWeights:
		return nil, wrong(fmt.Sprintf("it is longer than %d bytes, so it is no file of weights", mostWeights))
	}
	return &weightsFile{name, text}, nil
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
