package emergorules_test

import (
	"maps"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// at returns the game that stands at a position.
func at(position string) *emergov1.Game { return &emergov1.Game{Position: position} }

// Positions that the refusals are shown in.
const (
	// Black's man on d4 would capture on c3, c5, e3 and e5.
	entering = "9/9/9/9/9/3a@5/9/9/A@8 w 2 11,11"
	// Black has none left in hand: White's eleven enter together.
	shadowpiece = "9/9/9/9/9/9/9/9/a@1A@6 w 13 11,0"
	// All men are entered, and White's a1 can go to b2 only.
	moving = "8a@/9/9/9/9/9/9/9/A@3B@4 w 30 0,0"
	// a1xc3xe5 takes two; g1xi3 takes one.
	majority = "9/9/9/9/9/3a@5/9/1a@5a@1/A@5A@2 w 5 10,9"
	// Only d4xb6xd8xf6xd4xb6, which takes five.
	diagram = "9/9/2a@1a@4/9/2bb1a@4/3C@5/9/9/9 w 1 0,0"
	// Two rounds, both from d4 to d4.
	rounds = "9/9/2a@1a@4/9/2a@1a@4/3A@5/9/9/9 w 5 11,8"
	// Two pieces, all men entered: an endgame table knows how it ends, and when.
	known = "8l@/9/9/9/9/9/9/9/L@8 w 0 0,0"
	// c3 takes the man on top of d4, which frees White's below it: d4xf6 from there is over.
	freeing = "9/9/9/9/9/3ab5/2A@6/9/9 w 40 0,0"
)

var errorCases = []struct {
	reason   emergov1.ErrorReason
	game     *emergov1.Game
	move     string
	field    string // "move" if empty
	metadata map[string]string
	says     string // a part of the sentence
}{
	{emergov1.ErrorReason_ERROR_REASON_POSITION_MALFORMED, at("9/9/9 w 0 12,12"), "c3", "game.position",
		map[string]string{"part": "rows"}, "9 or 7"},
	{emergov1.ErrorReason_ERROR_REASON_POSITION_MALFORMED, at("hello"), "c3", "game.position",
		map[string]string{"part": "position"}, "four"},
	{emergov1.ErrorReason_ERROR_REASON_POSITION_IMPOSSIBLE, at("1A@7/9/9/9/9/9/9/9/9 w 0 0,0"), "c3", "game.position",
		map[string]string{"part": "rank 9"}, "b9"},
	{emergov1.ErrorReason_ERROR_REASON_POSITION_IMPOSSIBLE, at("9/9/9/9/9/9/9/9/A@8 w 0 12,12"), "c3", "game.position",
		map[string]string{"part": "men"}, "12 a side"},
	{emergov1.ErrorReason_ERROR_REASON_MOVE_MALFORMED, nil, "Nf3", "", nil, "square"},
	{emergov1.ErrorReason_ERROR_REASON_MOVE_MALFORMED, nil, "", "", nil, "empty"},
	{emergov1.ErrorReason_ERROR_REASON_MOVE_MALFORMED, &emergov1.Game{Moves: []string{"a1", "a3", "j1"}}, "c3", "game.moves[2]", nil, "game.moves[2]"},
	{emergov1.ErrorReason_ERROR_REASON_MOVE_MALFORMED, at("7/7/7/7/7/7/7 w 0 8,8"), "i1", "", nil, "7x7"},
	{emergov1.ErrorReason_ERROR_REASON_MOVE_AMBIGUOUS, at(rounds), "d4xd4", "",
		map[string]string{"from": "d4", "to": "d4", "fitting": "2", "moves": "d4xb6xd8xf6xd4 d4xf6xd8xb6xd4"}, "2 legal captures"},
	{emergov1.ErrorReason_ERROR_REASON_RULESET_INVALID, &emergov1.Game{Ruleset: &emergov1.Ruleset{Board: 3}}, "c3", "game.ruleset.board", nil, "0 to 2"},
	{emergov1.ErrorReason_ERROR_REASON_RULESET_INVALID, &emergov1.Game{Ruleset: &emergov1.Ruleset{Blocked: -1}}, "c3", "game.ruleset.blocked", nil, "0 to 2"},
	{emergov1.ErrorReason_ERROR_REASON_RULESET_INVALID,
		&emergov1.Game{Position: entering, Ruleset: &emergov1.Ruleset{Board: emergov1.BoardSize_BOARD_SIZE_7X7}}, "c3", "game.ruleset.board", nil, "9 ranks"},
	{emergov1.ErrorReason_ERROR_REASON_LIMIT_OUT_OF_RANGE, &emergov1.Game{Ruleset: &emergov1.Ruleset{NoProgressLimit: -1}}, "c3", "game.ruleset.no_progress_limit",
		map[string]string{"value": "-1", "min": "0", "max": "4096"}, "0 to 4096"},
	{emergov1.ErrorReason_ERROR_REASON_LIMIT_OUT_OF_RANGE, &emergov1.Game{Moves: make([]string, 4097)}, "c3", "game.moves",
		map[string]string{"value": "4097", "min": "0", "max": "4096"}, "0 to 4096"},
	{emergov1.ErrorReason_ERROR_REASON_GAME_OVER, at("4A@3A@/1A@7/9/7A@1/AA7AC/9/2AG5AA/9/2A@6 b 35 3,0"), "c3", "",
		map[string]string{"result": "RESULT_WHITE_WINS", "reason": "REASON_NO_PIECES"}, "White wins"},
	{emergov1.ErrorReason_ERROR_REASON_GAME_OVER, &emergov1.Game{
		Position: "8a@/7A@1/6AA2/5AB3/8A@/1A@3AB3/9/9/AC7AC b 31 4,0",
		Ruleset:  &emergov1.Ruleset{Blocked: emergov1.BlockedResult_BLOCKED_RESULT_LOSS}, Moves: []string{"a1"}}, "c3", "game.moves[0]",
		map[string]string{"result": "RESULT_WHITE_WINS", "reason": "REASON_BLOCKED"}, "by this ruleset White wins"},
	{emergov1.ErrorReason_ERROR_REASON_CAPTURE_OBLIGATORY, at(majority), "c3", "",
		map[string]string{"required": "2", "moves": "a1xc3xe5"}, "play a1xc3xe5"},
	{emergov1.ErrorReason_ERROR_REASON_ENTRY_OBLIGATORY, at(entering), "a1-b2", "", map[string]string{"in_hand": "11", "moves": "a3 a5 a7"}, "such as a3, a5 or a7"},
	{emergov1.ErrorReason_ERROR_REASON_NO_MEN_IN_HAND, at(moving), "c3", "", map[string]string{"moves": "a1-b2 e1-d2 e1-f2"}, "no man in hand"},
	{emergov1.ErrorReason_ERROR_REASON_SQUARE_OCCUPIED, at(entering), "d4", "", map[string]string{"square": "d4"}, "d4 is occupied"},
	{emergov1.ErrorReason_ERROR_REASON_ENTRY_COUNT_WRONG, at(shadowpiece), "e5*3", "",
		map[string]string{"square": "e5", "men": "3", "required": "11"}, "All 11 men"},
	{emergov1.ErrorReason_ERROR_REASON_ENTRY_COUNT_WRONG, at(entering), "a3*2", "",
		map[string]string{"square": "a3", "men": "2", "required": "1"}, "One man"},
	{emergov1.ErrorReason_ERROR_REASON_ENTRY_ON_CENTRE, nil, "e5", "", map[string]string{"square": "e5"}, "centre"},
	{emergov1.ErrorReason_ERROR_REASON_ENTRY_FEEDS, at(entering), "c3", "", map[string]string{"square": "c3", "by": "d4"}, "the piece on d4"},
	{emergov1.ErrorReason_ERROR_REASON_SQUARE_EMPTY, at(moving), "c3-d4", "", map[string]string{"square": "c3"}, "no piece on c3"},
	{emergov1.ErrorReason_ERROR_REASON_PIECE_NOT_OWNED, at(moving), "i9-h8", "", map[string]string{"square": "i9"}, "opponent's"},
	{emergov1.ErrorReason_ERROR_REASON_NOT_ADJACENT, at(moving), "a1-c3", "", map[string]string{"square": "c3", "from": "a1"}, "diagonally adjacent"},
	{emergov1.ErrorReason_ERROR_REASON_NOTHING_TO_CAPTURE, at(moving), "a1xc3", "", map[string]string{"square": "b2", "from": "a1"}, "b2 is vacant"},
	{emergov1.ErrorReason_ERROR_REASON_JUMPS_OWN_PIECE, at(freeing), "c3xe5xc3", "", map[string]string{"square": "d4", "from": "e5"}, "own"},
	{emergov1.ErrorReason_ERROR_REASON_CAPTURE_REVERSES, at("9/9/9/9/9/9/9/1b@7/A@8 w 3 11,10"), "a1xc3xa1", "",
		map[string]string{"square": "b2", "from": "c3"}, "straight back"},
	{emergov1.ErrorReason_ERROR_REASON_CAPTURE_INCOMPLETE, at(diagram), "d4xb6xd8", "",
		map[string]string{"square": "d8", "taken": "2", "next": "f6"}, "to f6"},
	{emergov1.ErrorReason_ERROR_REASON_CAPTURE_NOT_MAXIMAL, at(majority), "g1xi3", "",
		map[string]string{"taken": "1", "required": "2", "moves": "a1xc3xe5"}, "2 can be taken"},
}

func TestErrors(t *testing.T) {
	client := newClient(t)
	shown := map[emergov1.ErrorReason]bool{
		emergov1.ErrorReason_ERROR_REASON_UNSPECIFIED:       true,
		emergov1.ErrorReason_ERROR_REASON_REQUEST_MALFORMED: true, // TestMalformedRequest
		// The server package:
		emergov1.ErrorReason_ERROR_REASON_INTERNAL:          true,
		emergov1.ErrorReason_ERROR_REASON_UNAUTHENTICATED:   true,
		emergov1.ErrorReason_ERROR_REASON_OVERLOADED:        true,
		emergov1.ErrorReason_ERROR_REASON_RATE_LIMITED:      true,
		emergov1.ErrorReason_ERROR_REASON_REQUEST_TOO_LARGE: true, // TestRequestSize
		emergov1.ErrorReason_ERROR_REASON_STOPPING:          true, // TestStopEndsEvaluations
	}
	for _, c := range errorCases {
		name := strings.TrimPrefix(c.reason.String(), "ERROR_REASON_")
		shown[c.reason] = true
		t.Run(name, func(t *testing.T) {
			_, err := client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Game: c.game, Move: c.move})
			code, field := codes.FailedPrecondition, "move"
			if c.reason < emergov1.ErrorReason_ERROR_REASON_GAME_OVER {
				code = codes.InvalidArgument
			}
			if c.field != "" {
				field = c.field
			}
			checkStatus(t, err, code, name, field)
			info, _ := details(t, err)
			metadata := maps.Clone(info.GetMetadata())
			delete(metadata, "field")
			if !maps.Equal(metadata, c.metadata) {
				t.Errorf("metadata is %v, want %v", metadata, c.metadata)
			}
			message := status.Convert(err).Message()
			if !strings.Contains(message, c.says) || !strings.HasSuffix(message, ".") {
				t.Errorf("%q is no sentence that says %q", message, c.says)
			}
		})
	}
	for reason := range emergov1.ErrorReason_name {
		if !shown[emergov1.ErrorReason(reason)] {
			t.Errorf("no test shows %v", emergov1.ErrorReason(reason))
		}
	}
}

// All RPCs that take a game read it by the same rules.
func TestErrorsOfEveryRPC(t *testing.T) {
	client := newClient(t)
	bad := at("9/9 w 0 0,0")
	_, err := client.LegalMoves(t.Context(), &emergov1.LegalMovesRequest{Game: bad})
	checkStatus(t, err, codes.InvalidArgument, "POSITION_MALFORMED", "game.position")
	_, err = client.Evaluate(t.Context(), &emergov1.EvaluateRequest{Game: bad})
	checkStatus(t, err, codes.InvalidArgument, "POSITION_MALFORMED", "game.position")
	_, err = client.LegalMoves(t.Context(), &emergov1.LegalMovesRequest{Prefix: "e55"})
	checkStatus(t, err, codes.InvalidArgument, "MOVE_MALFORMED", "prefix")
	_, err = client.Evaluate(t.Context(), &emergov1.EvaluateRequest{Lines: 65})
	checkStatus(t, err, codes.InvalidArgument, "LIMIT_OUT_OF_RANGE", "lines")
	_, err = client.NewGame(t.Context(), &emergov1.NewGameRequest{Ruleset: &emergov1.Ruleset{Board: 7}})
	checkStatus(t, err, codes.InvalidArgument, "RULESET_INVALID", "ruleset.board")
}
