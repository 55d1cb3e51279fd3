package match

import (
	"fmt"
	"strings"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// A Spec says what a player is. ParseSpec makes one.
type Spec struct {
	text  string
	timed bool
	suits func(emergo.Board) error // nil if it plays on all
	make  func() (Player, error)
}

// A kind is a kind of player.
type kind struct {
	form  string // how it is written
	about string
	parse func(options string) (Spec, error)
}

// kinds holds the kinds of player, whose names are how they are written up to the first colon.
var kinds = []kind{
	{"random", "any legal move, each as likely", parseRandom},
	{"greedy", "the move after which its material is best: free men", parseGreedy},
	{"alphabeta:DEPTH", "the same, so many plies ahead", parseAlphaBeta},
	{"uct:PLAYOUTS", "UCT, a tree of so many random games a move", parseUCT},
	{"search:LIMIT", "this program's search, as in 100ms, nodes=20000, depth=6", parseSearch},
	{"exec:COMMAND", "another program, which speaks as \"emergo engine\" does", parseExec},
}

// ParseSpec reads what a player is: the name of a kind and, after a colon, its options.
func ParseSpec(text string) (Spec, error) {
	name, options, _ := strings.Cut(text, ":")
	var names []string
	for _, k := range kinds {
		kindName, _, _ := strings.Cut(k.form, ":")
		if kindName != name {
			names = append(names, kindName)
			continue
		}
		spec, err := k.parse(options)
		if err != nil {
			return Spec{}, fmt.Errorf("player %q: %w", text, err)
		}
		spec.text = text
		return spec, nil
	}
	return Spec{}, fmt.Errorf("there is no player %q; there are %s", name, strings.Join(names, ", "))
}

// Kinds returns a line on each kind of player: how it is written and how it plays.
func Kinds() [][2]string {
	lines := make([][2]string, len(kinds))
	for i, k := range kinds {
		lines[i] = [2]string{k.form, k.about}
	}
	return lines
}

// String returns the text that the spec was read from.
func (s Spec) String() string { return s.text }

// Timed reports whether the player is known to go by the clock. Its games cannot be repeated, and
// need a processor each to be fair. What a program of its own goes by is not known.
func (s Spec) Timed() bool { return s.timed }

// Suits says why the player cannot play on board b, which is that it has weights and they are not
// for it. The error is nil if it can.
func (s Spec) Suits(b emergo.Board) error {
	if s.suits == nil {
		return nil
	}
	if err := s.suits(b); err != nil {
		return fmt.Errorf("player %q: %w", s.text, err)
	}
	return nil
}

// New makes a player.
func (s Spec) New() (Player, error) { return s.make() }
