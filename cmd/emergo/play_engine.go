package main

import (
	"errors"
	"strings"
	"time"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// A side is a player, or neither.
type side emergov1.Color

func (s *side) UnmarshalText(text []byte) error {
	switch string(text) {
	case "white":
		*s = side(emergov1.Color_COLOR_WHITE)
	case "black":
		*s = side(emergov1.Color_COLOR_BLACK)
	default:
		return errors.New("it must be white or black")
	}
	return nil
}

func (s side) String() string { return strings.ToLower(colorName(emergov1.Color(s))) }

// An engine is the server as a player.
type engine struct {
	side side
	time time.Duration // for a move
}

func (s *sitting) engineToMove() bool {
	return side(s.now().state.GetSideToMove()) == s.engine.side
}

// engineMoves plays what the server thinks is best.
func (s *sitting) engineMoves() error {
	limits := &emergov1.SearchLimits{Milliseconds: milliseconds(s.engine.time)}
	evaluated, err := s.evaluate(s.now().game, limits, 1)
	if err != nil {
		return err
	}
	lines := evaluated.GetEvaluation().GetLines()
	if len(lines) == 0 || len(lines[0].GetMoves()) == 0 {
		return failuref("The server at %s knows no move.", s.addr)
	}
	move := lines[0].GetMoves()[0].GetNotation()
	s.say("%s> %s   (engine: %s)", s.side(), printable(move), worth(lines[0].GetValue()))
	response, err := s.applyMove(s.now().game, move)
	if err != nil {
		return err
	}
	s.played(response)
	return nil
}
