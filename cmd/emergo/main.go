// Command emergo is a command-line client of emergo.v1.RulesService: it asks the rules server for legal moves, plays
// them, counts and draws positions, and lets two people play a game at one terminal.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
