package main

import (
	"fmt"
	"strings"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// worth says what a value is: "+0.35" men for the side to move, "win in 7", "win", "draw" or "loss in 4". A game
// that is over is lost "in 0".
func worth(v *emergov1.Value) string {
	switch w := v.GetWorth().(type) {
	case *emergov1.Value_Win:
		return "win" + distance(w.Win)
	case *emergov1.Value_Loss:
		return "loss" + distance(w.Loss)
	case *emergov1.Value_Draw:
		return "draw"
	}
	return fmt.Sprintf("%+.2f", float64(v.GetEstimate())/100)
}

func distance(d *emergov1.Distance) string {
	if d.Plies == nil { // not known
		return ""
	}
	return fmt.Sprintf(" in %d", d.GetPlies())
}

// certainty says whether a value is a fact.
func certainty(v *emergov1.Value) string {
	if v.GetExact() {
		return "exact"
	}
	return "estimate"
}

// evaluationLines writes what a search has found: a line for each of the best moves.
func evaluationLines(e *emergov1.Evaluation) (lines []string) {
	for _, l := range e.GetLines() {
		text := fmt.Sprintf("%-10s  %-8s  %s", worth(l.GetValue()), certainty(l.GetValue()), joined(notation(l.GetMoves())))
		lines = append(lines, strings.TrimRight(text, " ")) // a finished game has no moves
	}
	return lines
}

// effort says how much a search has done.
func effort(e *emergov1.Evaluation) string {
	words := fmt.Sprintf("depth %d, %s, %d ms", e.GetDepth(), count(e.GetNodes(), "node", "nodes"), e.GetMilliseconds())
	if hits := e.GetTableHits(); hits > 0 {
		words += ", " + count(hits, "table hit", "table hits")
	}
	return words
}

// evaluationWords writes the best line in two words: what it is worth, and its first move or "-".
func evaluationWords(e *emergov1.Evaluation) string {
	if len(e.GetLines()) == 0 {
		return "- -"
	}
	best := e.GetLines()[0]
	move := "-"
	if moves := best.GetMoves(); len(moves) > 0 {
		move = printable(moves[0].GetNotation())
	}
	return strings.ReplaceAll(worth(best.GetValue()), " in ", "-") + " " + move
}
