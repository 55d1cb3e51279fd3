package main

import (
	"fmt"
	"regexp"
	"strings"
)

var negative = regexp.MustCompile(`^-\.?\d`)

// joinNegatives joins negative numbers to the flags before them: they would else be taken for flags
// themselves.
func joinNegatives(args []string) (joined []string) {
	for _, arg := range args {
		last := len(joined) - 1
		if last >= 0 && negative.MatchString(arg) && len(joined[last]) > 2 &&
			strings.HasPrefix(joined[last], "--") && !strings.Contains(joined[last], "=") {
			joined[last] += "=" + arg
			continue
		}
		joined = append(joined, arg)
	}
	return joined
}

// lacking is how the grammar says that a flag has no value.
var lacking = regexp.MustCompile(`^(\S+): expected .* but got "(EOL"|-.*" \((short|long) flag\)).*$`)

// plainly puts an error of the grammar into plain words.
func plainly(err error) error {
	if parts := lacking.FindStringSubmatch(err.Error()); parts != nil {
		return fmt.Errorf("%s: it needs a value", parts[1])
	}
	return err
}
