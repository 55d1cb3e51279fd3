package emergorules

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// An Error is why a call fails. gRPC turns it into a status by GRPCStatus.
type Error struct {
	Reason   emergov1.ErrorReason
	Field    string            // path of the field at fault, or "" for the whole request
	Sentence string            // what is wrong and what would be right, for a person
	Metadata map[string]string // the same as data; keys as documented at the reason
}

// Error returns the sentence after the path of the field, by which alone a log can tell what it is about.
// Only the field "move" is not named: what is said of the one move that is to be played needs no path.
func (e *Error) Error() string {
	if e.Field == "" || e.Field == "move" {
		return e.Sentence
	}
	return e.Field + ": " + e.Sentence
}

// Code returns the gRPC code of the error: INVALID_ARGUMENT if the request could not be read,
// FAILED_PRECONDITION if it is against the rules.
func (e *Error) Code() codes.Code {
	if e.Reason < emergov1.ErrorReason_ERROR_REASON_GAME_OVER {
		return codes.InvalidArgument
	}
	return codes.FailedPrecondition
}

// GRPCStatus returns the error as a status with its details.
func (e *Error) GRPCStatus() *status.Status {
	reason := reasonName(e.Reason)
	metadata := map[string]string{"field": e.Field}
	maps.Copy(metadata, e.Metadata)
	info := &errdetails.ErrorInfo{Reason: reason, Domain: server.ErrorDomain, Metadata: metadata}
	var fault protoadapt.MessageV1
	if e.Code() == codes.InvalidArgument {
		fault = &errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{
			{Field: e.Field, Description: e.Error(), Reason: reason},
		}}
	} else {
		fault = &errdetails.PreconditionFailure{Violations: []*errdetails.PreconditionFailure_Violation{
			{Type: reason, Subject: e.Field, Description: e.Error()},
		}}
	}
	st := status.New(e.Code(), e.Error())
	if detailed, err := st.WithDetails(info, fault); err == nil {
		return detailed
	}
	return st
}

// reasonName returns the name of a reason as ErrorInfo has it.
func reasonName(r emergov1.ErrorReason) string {
	return strings.TrimPrefix(r.String(), "ERROR_REASON_")
}

// malformed is the error of a request to a method that cannot be decoded.
func malformed(method string) error {
	return &Error{
		Reason:   emergov1.ErrorReason_ERROR_REASON_REQUEST_MALFORMED,
		Sentence: "The request cannot be read: its bytes must be a protobuf message emergo.v1." + method + "Request whose strings are UTF-8.",
	}
}

func undefinedEnum(field string, number int32, names map[int32]string) error {
	defined := slices.Sorted(maps.Keys(names))
	return &Error{
		Reason:   emergov1.ErrorReason_ERROR_REASON_RULESET_INVALID,
		Field:    field,
		Sentence: fmt.Sprintf("%d is not a value of the enum; its values are %d to %d.", number, defined[0], defined[len(defined)-1]),
	}
}

func outOfRange(field, what string, value, least, most int) error {
	return &Error{
		Reason:   emergov1.ErrorReason_ERROR_REASON_LIMIT_OUT_OF_RANGE,
		Field:    field,
		Sentence: fmt.Sprintf("%s is %d; it must be from %d to %d.", what, value, least, most),
		Metadata: map[string]string{"value": strconv.Itoa(value), "min": strconv.Itoa(least), "max": strconv.Itoa(most)},
	}
}

// historyFull is the error of a legal move whose game could not be sent back.
func historyFull() error {
	err := outOfRange("game.moves", "The number of moves since the last irreversible one", maxMoves+1, 0, maxMoves).(*Error)
	err.Sentence = fmt.Sprintf("The game has %d moves since the last irreversible one, the most that a request may hold: "+
		"play an entry or a capture that removes a piece, or set a no-progress limit.", maxMoves)
	return err
}

func boardMismatch(field string, ruleset, position emergo.Board) error {
	return &Error{
		Reason: emergov1.ErrorReason_ERROR_REASON_RULESET_INVALID,
		Field:  field,
		Sentence: fmt.Sprintf("The ruleset says %s, but the position has %d ranks: leave the board unspecified or name the position's.",
			ruleset, position.Ranks()),
	}
}

// badPosition is the error of a position string that the engine does not accept.
func badPosition(field string, err error) error {
	var fault *emergo.PositionError
	if !errors.As(err, &fault) {
		return err
	}
	e := &Error{
		Reason:   emergov1.ErrorReason_ERROR_REASON_POSITION_MALFORMED,
		Field:    field,
		Sentence: "The position cannot be read: " + fault.Error() + ".",
		Metadata: map[string]string{"part": fault.Part},
	}
	if fault.Impossible {
		e.Reason = emergov1.ErrorReason_ERROR_REASON_POSITION_IMPOSSIBLE
		e.Sentence = "The position is impossible: " + fault.Error() + "."
	}
	return e
}

// refused is the error of a move that the engine does not accept.
func refused(field string, err error) error {
	var r *emergo.Refusal
	if !errors.As(err, &r) {
		return err
	}
	row := refusals[r.Reason]
	e := &Error{Reason: row.reason, Field: field}
	e.Sentence, e.Metadata = row.say(r)
	if field == "prefix" { // which cannot be against the rules
		e.Sentence = "The beginning of a move cannot be read: " + r.Problem + "."
	}
	return e
}

// refusals says each of the engine's reasons in words and as data.
var refusals = [...]struct {
	reason emergov1.ErrorReason
	say    func(*emergo.Refusal) (sentence string, metadata map[string]string)
}{
	emergo.MoveMalformed: {emergov1.ErrorReason_ERROR_REASON_MOVE_MALFORMED,
		func(r *emergo.Refusal) (string, map[string]string) {
			return "The move cannot be read: " + r.Problem + ".", nil
		}},
	emergo.GameOver: {emergov1.ErrorReason_ERROR_REASON_GAME_OVER,
		func(r *emergo.Refusal) (string, map[string]string) {
			return "The game is over: " + endings[r.Outcome.End](r.Outcome.Result), map[string]string{
				"result": results[r.Outcome.Result].String(),
				"reason": reasons[r.Outcome.End].String(),
			}
		}},
	emergo.CaptureObligatory: {emergov1.ErrorReason_ERROR_REASON_CAPTURE_OBLIGATORY,
		func(r *emergo.Refusal) (string, map[string]string) {
			return fmt.Sprintf("A capture is obligatory and must take %s: play %s.", men(r.Number), oneOf(r.Moves)),
				map[string]string{"required": strconv.Itoa(r.Number), "moves": list(r.Moves)}
		}},
	emergo.EntryObligatory: {emergov1.ErrorReason_ERROR_REASON_ENTRY_OBLIGATORY,
		func(r *emergo.Refusal) (string, map[string]string) {
			return fmt.Sprintf("With %s in hand and nothing to capture the move must be an entry, such as %s.", men(r.Number), oneOf(r.Moves)),
				map[string]string{"in_hand": strconv.Itoa(r.Number), "moves": list(r.Moves)}
		}},
	emergo.NoMenInHand: {emergov1.ErrorReason_ERROR_REASON_NO_MEN_IN_HAND,
		func(r *emergo.Refusal) (string, map[string]string) {
			return fmt.Sprintf("There is no man in hand to enter: move a piece, as by %s.", oneOf(r.Moves)),
				map[string]string{"moves": list(r.Moves)}
		}},
	emergo.SquareOccupied: {emergov1.ErrorReason_ERROR_REASON_SQUARE_OCCUPIED,
		func(r *emergo.Refusal) (string, map[string]string) {
			return fmt.Sprintf("%s is occupied; it would have to be vacant.", r.Square), square(r)
		}},
	emergo.EntryCountWrong: {emergov1.ErrorReason_ERROR_REASON_ENTRY_COUNT_WRONG,
		func(r *emergo.Refusal) (string, map[string]string) {
			sentence := fmt.Sprintf("One man is to be entered, not %d.", r.Men)
			if r.Number > 1 {
				sentence = fmt.Sprintf("All %d men in hand are to be entered together, since the opponent has none, not %d.", r.Number, r.Men)
			}
			return sentence, map[string]string{
				"square": r.Square.String(), "men": strconv.Itoa(r.Men), "required": strconv.Itoa(r.Number),
			}
		}},
	emergo.EntryOnCentre: {emergov1.ErrorReason_ERROR_REASON_ENTRY_ON_CENTRE,
		func(r *emergo.Refusal) (string, map[string]string) {
			return fmt.Sprintf("White's very first entry may not be on the centre, %s: enter any other square.", r.Square), square(r)
		}},
	emergo.EntryFeeds: {emergov1.ErrorReason_ERROR_REASON_ENTRY_FEEDS,
		func(r *emergo.Refusal) (string, map[string]string) {
			return fmt.Sprintf("An entry on %s would feed the opponent: the piece on %s could capture it; enter where it cannot be captured.",
				r.Square, r.Other), map[string]string{"square": r.Square.String(), "by": r.Other.String()}
		}},
	emergo.SquareEmpty: {emergov1.ErrorReason_ERROR_REASON_SQUARE_EMPTY,
		func(r *emergo.Refusal) (string, map[string]string) {
			return fmt.Sprintf("There is no piece on %s; the move must start from a piece of the side to move.", r.Square), square(r)
		}},
	emergo.PieceNotOwned: {emergov1.ErrorReason_ERROR_REASON_PIECE_NOT_OWNED,
		func(r *emergo.Refusal) (string, map[string]string) {
			return fmt.Sprintf("The piece on %s is the opponent's; the move must start from a piece of the side to move.", r.Square), square(r)
		}},
	emergo.NotAdjacent: {emergov1.ErrorReason_ERROR_REASON_NOT_ADJACENT,
		func(r *emergo.Refusal) (string, map[string]string) {
			return fmt.Sprintf("%s cannot be reached from %s: a step goes to a diagonally adjacent square, a jump straight over one to the square behind it.",
				r.Square, r.Other), squareFrom(r)
		}},
	emergo.NothingToCapture: {emergov1.ErrorReason_ERROR_REASON_NOTHING_TO_CAPTURE,
		func(r *emergo.Refusal) (string, map[string]string) {
			return fmt.Sprintf("The jump from %s over %s takes nothing, since %s is vacant: a jump must go over an enemy piece.",
				r.Other, r.Square, r.Square), squareFrom(r)
		}},
	emergo.JumpsOwnPiece: {emergov1.ErrorReason_ERROR_REASON_JUMPS_OWN_PIECE,
		func(r *emergo.Refusal) (string, map[string]string) {
			return fmt.Sprintf("The jump from %s over %s takes nothing, since the piece there is the jumper's own: a jump must go over an enemy piece.",
				r.Other, r.Square), squareFrom(r)
		}},
	emergo.CaptureReverses: {emergov1.ErrorReason_ERROR_REASON_CAPTURE_REVERSES,
		func(r *emergo.Refusal) (string, map[string]string) {
			return fmt.Sprintf("The jump from %s turns straight back over %s, just jumped: a capture may go on in any other direction.",
				r.Other, r.Square), squareFrom(r)
		}},
	emergo.CaptureIncomplete: {emergov1.ErrorReason_ERROR_REASON_CAPTURE_INCOMPLETE,
		func(r *emergo.Refusal) (string, map[string]string) {
			return fmt.Sprintf("The capture stops on %s after taking %s, but it must go on as long as it can: for one, to %s.",
					r.Square, men(r.Men), r.Other), map[string]string{
					"square": r.Square.String(), "taken": strconv.Itoa(r.Men), "next": r.Other.String(),
				}
		}},
	emergo.CaptureNotMaximal: {emergov1.ErrorReason_ERROR_REASON_CAPTURE_NOT_MAXIMAL,
		func(r *emergo.Refusal) (string, map[string]string) {
			return fmt.Sprintf("The capture takes %s, but %d can be taken, and the most must be: play %s.", men(r.Men), r.Number, oneOf(r.Moves)),
				map[string]string{"taken": strconv.Itoa(r.Men), "required": strconv.Itoa(r.Number), "moves": list(r.Moves)}
		}},
	emergo.MoveAmbiguous: {emergov1.ErrorReason_ERROR_REASON_MOVE_AMBIGUOUS,
		func(r *emergo.Refusal) (string, map[string]string) {
			return fmt.Sprintf("The move is ambiguous, since from %s to %s lead %d legal captures: name every square landed on, as in %s.",
					r.Square, r.Other, r.Number, oneOf(r.Moves)), map[string]string{
					"from": r.Square.String(), "to": r.Other.String(), "fitting": strconv.Itoa(r.Number), "moves": list(r.Moves),
				}
		}},
}

// endings says how a game ended.
var endings = [...]func(emergo.Result) string{
	emergo.NoPieces: func(r emergo.Result) string {
		return "the side to move has no piece left and no man in hand, so " + r.String() + "."
	},
	emergo.Blocked: func(r emergo.Result) string {
		if r == emergo.Draw {
			return "the side to move has no legal move, which is a draw."
		}
		return "the side to move has no legal move, so by this ruleset " + r.String() + "."
	},
	emergo.Repetition: func(emergo.Result) string {
		return "the position has occurred for the third time, which is a draw."
	},
	emergo.NoProgress: func(emergo.Result) string {
		return "the ruleset's limit of plies without an irreversible move has been reached, which is a draw."
	},
}

func square(r *emergo.Refusal) map[string]string {
	return map[string]string{"square": r.Square.String()}
}

func squareFrom(r *emergo.Refusal) map[string]string {
	return map[string]string{"square": r.Square.String(), "from": r.Other.String()}
}

func men(n int) string {
	if n == 1 {
		return "1 man"
	}
	return strconv.Itoa(n) + " men"
}

// list writes moves separated by spaces.
func list(moves []emergo.Move) string {
	names := make([]string, len(moves))
	for i, m := range moves {
		names[i] = m.String()
	}
	return strings.Join(names, " ")
}

// oneOf writes moves for a sentence: "a", "a or b", "a, b or c".
func oneOf(moves []emergo.Move) string {
	text := list(moves)
	if last := strings.LastIndexByte(text, ' '); last >= 0 {
		text = strings.ReplaceAll(text[:last], " ", ", ") + " or" + text[last:]
	}
	return text
}
