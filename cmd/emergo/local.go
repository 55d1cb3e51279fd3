package main

import "github.com/luctor-et-emergo/emergod/engine/emergo"

// local returns the game that words say, for commands that ask no server. The engine itself is the judge.
func (f boardFlag) local(words []string, rules emergo.Rules) (*emergo.Game, error) {
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
