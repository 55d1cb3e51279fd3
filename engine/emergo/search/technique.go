package search

import (
	"fmt"
	"slices"
)

// A technique is one that the search can do without.
type technique uint

// The techniques, by the names that Without takes.
const (
	withTable technique = 1 << iota
	withHistory
	withReductions
	withForced
	withReverse
	withNull
	withExchanges
	withZugzwang
)

var techniqueNames = [...]string{"table", "history", "reductions", "forced", "reverse", "null", "exchanges", "zugzwang"}

// Techniques returns the names of the techniques that can be switched off.
func Techniques() []string { return slices.Clone(techniqueNames[:]) }

// Without switches techniques of the search off, to measure what they are worth.
func (s *Searcher) Without(names ...string) error {
	s.off = 0
next:
	for _, name := range names {
		for i, n := range techniqueNames {
			if n == name {
				s.off |= 1 << i
				continue next
			}
		}
		return fmt.Errorf("there is no technique %.40q to switch off; there are %v", name, techniqueNames)
	}
	return nil
}

func (s *Searcher) has(t technique) bool { return s.off&t == 0 }
