package main

import (
	"errors"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// A board is a kind of board, or none: what the position says, else the standard one.
type board emergov1.BoardSize

func (b *board) UnmarshalText(text []byte) error {
	switch string(text) {
	case "9x9":
		*b = board(emergov1.BoardSize_BOARD_SIZE_9X9)
	case "7x7":
		*b = board(emergov1.BoardSize_BOARD_SIZE_7X7)
	default:
		return errors.New("it must be 9x9 or 7x7")
	}
	return nil
}

func (b board) named() bool { return b != 0 }

// engine returns the board in the engine's terms, the standard one if none is named.
func (b board) engine() emergo.Board {
	if emergov1.BoardSize(b) == emergov1.BoardSize_BOARD_SIZE_7X7 {
		return emergo.Board7x7
	}
	return emergo.Board9x9
}

// A blocked is what happens to a side that cannot move, or no word about it.
type blocked emergov1.BlockedResult

func (b *blocked) UnmarshalText(text []byte) error {
	switch string(text) {
	case "draw":
		*b = blocked(emergov1.BlockedResult_BLOCKED_RESULT_DRAW)
	case "loss":
		*b = blocked(emergov1.BlockedResult_BLOCKED_RESULT_LOSS)
	default:
		return errors.New("it must be draw or loss")
	}
	return nil
}

// loses reports whether a side that cannot move loses.
func (b blocked) loses() bool {
	return emergov1.BlockedResult(b) == emergov1.BlockedResult_BLOCKED_RESULT_LOSS
}

// A boardFlag is the flag of commands to which the other rules do not matter.
type boardFlag struct {
	Board board `group:"rules" placeholder:"9x9|7x7" help:"The board (9x9, or what the position says)."`
}

// rulesetFlags are the options of the rules.
type rulesetFlags struct {
	boardFlag       `embed:""`
	Blocked         blocked `group:"rules" placeholder:"draw|loss" help:"What becomes of a side that cannot move (draw)."`
	NoProgressLimit int32   `type:"whole" to:"4096" group:"rules" placeholder:"N" help:"Draw after N plies in a row without an entry or a capture that leaves fewer pieces; 0 for never (0)."`
}

func (f rulesetFlags) ruleset() *emergov1.Ruleset {
	return &emergov1.Ruleset{
		Board:           emergov1.BoardSize(f.Board),
		Blocked:         emergov1.BlockedResult(f.Blocked),
		NoProgressLimit: f.NoProgressLimit,
	}
}
