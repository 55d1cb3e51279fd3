package main

import (
	"fmt"
	"strings"

	"github.com/luctor-et-emergo/emergod/engine/emergo/match"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

var matchPage = page{usage: "match FIRST SECOND [flags]", about: `
Each random opening is played twice with colours swapped. The engine in this
program adjudicates; no server is asked. Ctrl-C ends a match with its result so
far, a second one at once. Games between players that do not go by the clock
can be repeated: they depend on the seed alone.
`, more: playerKinds() + `
  Options of search: hash=MIB of transposition table, weights=FILE of another
  evaluation, without=NAME+NAME to switch techniques off, chance=N to leave N of
  100 moves to chance, for games from which weights are to be fitted.
` + techniques() + `
  A program of exec has a minute for each answer; if its command is a search by
  the clock, as in search:1s, ten seconds more than that; or as long as you say,
  as in exec:within=5m COMMAND. One that does not answer in time ends the match.

Examples:
  emergo match greedy random --pairs 20
  emergo match search:nodes=2000 greedy --pairs 2 --board 7x7
  emergo match search:depth=3 search:depth=2 --pairs 4 --sprt 0,400

Is this build stronger than an older one?
    emergo match search:nodes=20000 \
        "exec:/tmp/old/emergo engine search:nodes=20000" \
        --sprt 0,5 --pairs 20000 --games games.jsonl
`}

var ladderPage = page{usage: "ladder [RUNG...] [flags]", about: `
Each player meets the one below it, and some meet others for which an aim is set:
search at 100 ms a move is to make 99% of the points against random and greedy
and 95% against uct:10000, and ten times the time is to gain 150 Elo (70.3%).
The players are those of "emergo match". The whole ladder takes hours.
`, more: `
Examples:
  emergo ladder random greedy alphabeta:2 --pairs 5
`}

var enginePage = page{usage: "engine [PLAYER]", about: `
A player at standard input and output, for a match between programs. It answers
"newgame ..." with "ready" and, after "position ...", "go" with "bestmove ...";
"quit" ends it. The players are those of "emergo match".
`, more: `
Examples:
  emergo engine random <moves.txt
`}

// techniques lists the techniques of the search.
func techniques() string {
	words := strings.Fields("Techniques: " + strings.Join(search.Techniques(), ", ") + ".")
	return "  " + strings.Join(wrap(words, terminalWidth-2), "\n  ")
}

// playerKinds lists the kinds of player.
func playerKinds() string {
	var b strings.Builder
	b.WriteString("\nPlayers:\n")
	for _, k := range match.Kinds() {
		fmt.Fprintf(&b, "  %-20s%s\n", k[0], k[1])
	}
	return b.String()
}

var fitPage = page{usage: "fit FILE... [flags]", about: `
The weights of the evaluation are fitted to how games ended: those of FILE, which
"emergo match --games FILE" has written. The loss printed is the mean cross-entropy
of a tenth of the pairs of games, which the fit does not see, by the weights built
in and by the fitted ones. Games must have been played by the usual rules. The
result is for match's weights=FILE, and, if matches show that it is better, for the
file that is built into the program.
`, more: `
How are better weights found?
    emergo match search:nodes=2000,chance=2 search:nodes=2000,chance=2 \
        --opening 4-12 --pairs 3500 --games games.jsonl
    emergo fit games.jsonl --board 9x9 --output weights.txt
    emergo match search:nodes=4000,weights=weights.txt search:nodes=4000 \
        --pairs 200
`}
