package emergorules

import (
	"fmt"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// maxMoves bounds Game.moves and Ruleset.no_progress_limit. The longest history without an
// irreversible move that anybody is likely to play is some hundred plies; replaying this many takes
// a few milliseconds.
const maxMoves = 4096

// usualMoves is the longest history that memory is reserved for before it has been adjudicated.
const usualMoves = 128

// MaxRequestBytes is enough for the largest request that keeps to the other bounds: maxMoves moves of
// emergo.MaxMoveLen bytes.
const MaxRequestBytes = 320 << 10

// readRuleset reads a ruleset. named tells whether it names a board; if not, board is the standard
// one.
func readRuleset(field string, r *emergov1.Ruleset) (rules emergo.Rules, board emergo.Board, named bool, err error) {
	switch r.GetBoard() {
	case emergov1.BoardSize_BOARD_SIZE_UNSPECIFIED:
	case emergov1.BoardSize_BOARD_SIZE_9X9:
		board, named = emergo.Board9x9, true
	case emergov1.BoardSize_BOARD_SIZE_7X7:
		board, named = emergo.Board7x7, true
	default:
		return rules, 0, false, undefinedEnum(field+".board", int32(r.GetBoard()), emergov1.BoardSize_name)
	}
	switch r.GetBlocked() {
	case emergov1.BlockedResult_BLOCKED_RESULT_UNSPECIFIED, emergov1.BlockedResult_BLOCKED_RESULT_DRAW:
	case emergov1.BlockedResult_BLOCKED_RESULT_LOSS:
		rules.BlockedLoses = true
	default:
		return rules, 0, false, undefinedEnum(field+".blocked", int32(r.GetBlocked()), emergov1.BlockedResult_name)
	}
	rules.NoProgressLimit = int(r.GetNoProgressLimit())
	if rules.NoProgressLimit < 0 || rules.NoProgressLimit > maxMoves {
		return rules, 0, false, outOfRange(field+".no_progress_limit", "The no-progress limit", rules.NoProgressLimit, 0, maxMoves)
	}
	return rules, board, named, nil
}

// readGame reads a game and adjudicates all its moves.
func readGame(field string, g *emergov1.Game) (*emergo.Game, error) {
	rules, board, named, err := readRuleset(field+".ruleset", g.GetRuleset())
	if err != nil {
		return nil, err
	}
	if n := len(g.GetMoves()); n > maxMoves {
		return nil, outOfRange(field+".moves", "The number of moves", n, 0, maxMoves)
	}
	position := emergo.StartPosition(board)
	if g.GetPosition() != "" {
		if position, err = emergo.ParsePosition(g.GetPosition()); err != nil {
			return nil, badPosition(field+".position", err)
		}
		if named && position.Board() != board {
			return nil, boardMismatch(field+".ruleset.board", board, position.Board())
		}
	}
	game := emergo.NewGame(position, rules)
	game.Grow(min(len(g.GetMoves()), usualMoves) + 1)
	for i, move := range g.GetMoves() {
		if _, err := game.PlayText(move); err != nil {
			return nil, refused(fmt.Sprintf("%s.moves[%d]", field, i), err)
		}
	}
	return game, nil
}
