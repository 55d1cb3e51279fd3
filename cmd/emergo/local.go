package main

import (
	"github.com/luctor-et-emergo/emergod/engine/emergo"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// local returns the game that words say, for commands that ask no server. The engine itself is the judge.
func (f boardFlag) local(words []string, rules emergo.Rules) (*emergo.Game, error) {
	if len(words) > 0 && words[0] == "-" {
		return nil, usageError("it takes one game, from the command line")
	}
	text, moves := readGame(words)
	p := emergo.StartPosition(f.Board.engine())
	if text != "" {
		var err error
		if p, err = emergo.ParsePosition(text); err != nil {
			return nil, failuref("The position is refused: %v.", err)
		}
		if f.Board.named() && p.Board() != f.Board.engine() {
			return nil, failuref("The position is on %v, not on the board that --board names.", p.Board())
		}
	}
	g := emergo.NewGame(p, rules)
	for i, move := range moves {
		if _, err := g.PlayText(move); err != nil {
			return nil, failuref("Move %d (%s) is refused: %v.", i+1, excerpt(move), err)
		}
	}
	return g, nil
}

var (
	colors = [...]emergov1.Color{
		emergo.White: emergov1.Color_COLOR_WHITE,
		emergo.Black: emergov1.Color_COLOR_BLACK,
	}
	results = map[emergo.Result]emergov1.Result{
		emergo.Ongoing:   emergov1.Result_RESULT_ONGOING,
		emergo.WhiteWins: emergov1.Result_RESULT_WHITE_WINS,
		emergo.BlackWins: emergov1.Result_RESULT_BLACK_WINS,
		emergo.Draw:      emergov1.Result_RESULT_DRAW,
	}
	reasons = map[emergo.End]emergov1.Reason{
		emergo.NoPieces:   emergov1.Reason_REASON_NO_PIECES,
		emergo.Blocked:    emergov1.Reason_REASON_BLOCKED,
		emergo.Repetition: emergov1.Reason_REASON_REPETITION,
		emergo.NoProgress: emergov1.Reason_REASON_NO_PROGRESS,
	}
)

// stateOf returns as much of the state of a game as outcome needs.
func stateOf(g *emergo.Game) *emergov1.State {
	o := g.Outcome()
	return &emergov1.State{
		SideToMove:           colors[g.Position().Turn()],
		Outcome:              &emergov1.Outcome{Result: results[o.Result], Reason: reasons[o.End]},
		PliesWithoutProgress: int32(len(g.Moves())),
	}
}
