package emergo_test

// Which rule a refused move has broken, in the order of the rules. A move that breaks several is refused for the
// first: such rows say in brackets what else is wrong with it.

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// A refusal is an emergo.Refusal in words.
type refusal struct {
	reason        emergo.Reason
	square, other string
	men, number   int
	moves         string // separated by spaces
	outcome       emergo.Outcome
}

func (r refusal) String() string {
	return fmt.Sprintf("%v, square %q, other %q, men %d, number %d, moves %q, outcome %v",
		r.reason, r.square, r.other, r.men, r.number, r.moves, r.outcome)
}

// refusalOf says an error in words, but for the problem of a malformed move.
func refusalOf(t failer, err error) refusal {
	t.Helper()
	r, ok := errors.AsType[*emergo.Refusal](err)
	if !ok {
		t.Fatalf("error %v, want a *Refusal", err)
	}
	if (r.Reason == emergo.MoveMalformed) != (r.Problem != "") {
		t.Fatalf("%v with the problem %q: a malformed move has one, and no other", r.Reason, r.Problem)
	}
	if err := checkErrorText(err); err != nil {
		t.Fatalf("%v", err)
	}
	return refusal{r.Reason, r.Square.String(), r.Other.String(), r.Men, r.Number, strings.Join(canonical(r.Moves), " "), r.Outcome}
}

// refused is a move with what is wrong about it.
type refused struct {
	why  string
	move string
	want refusal
}

func checkRefusals(t *testing.T, fen string, rows []refused) {
	t.Helper()
	p := position(t, fen)
	for _, row := range rows {
		m, err := p.ParseMove(row.move)
		if err == nil {
			t.Errorf("%s: %s: %s is accepted as %s", fen, row.why, row.move, m)
			continue
		}
		if got := refusalOf(t, err); got != row.want {
			t.Errorf("%s: %s: %s\n got %v\nwant %v", fen, row.why, row.move, got, row.want)
		}
	}
}

// "The side to move captures, if any capture is possible; it then may neither enter nor step."
func TestCaptureObligatory(t *testing.T) {
	one := refusal{reason: emergo.CaptureObligatory, number: 1, moves: "c3xe5"}
	checkRefusals(t, "9/9/9/9/9/3a@5/2A@6/9/9 w 2 10,10", []refused{
		{"entry", "a1", one},
		{"entry (occupied)", "d4", one},
		{"entry (of too many men)", "a1*5", one},
		{"entry (feeds)", "c5", one},
		{"step", "c3-b4", one},
	})
	checkRefusals(t, "9/9/9/9/9/3a@5/2A@6/9/9 w 2 0,10", []refused{
		{"entry (none in hand)", "a1", one},
		{"step (from a vacant square)", "i9-h8", one},
		{"step (of an enemy piece)", "d4-c5", one},
		{"step (too far)", "c3-i9", one},
		{"step (onto a piece)", "c3-d4", one},
		{"jump written as a step", "c3-e5", one},
	})
}

func TestCaptureObligatoryNamesThreeCapturesAtMost(t *testing.T) {
	const fourWays = "9/9/9/3a@1a@3/4A@4/3a@1a@3/9/9/9 w 5 11,8"
	checkRefusals(t, fourWays, []refused{
		{"entry", "a1", refusal{reason: emergo.CaptureObligatory, number: 1, moves: "e5xc3 e5xc7 e5xg3"}},
	})
}

// "Otherwise it enters, if it has men in hand."
func TestEntryObligatory(t *testing.T) {
	eleven := refusal{reason: emergo.EntryObligatory, number: 11, moves: "a3 a5 a7"}
	checkRefusals(t, "9/9/9/9/9/3a@5/9/9/A@8 w 2 11,11", []refused{
		{"step", "a1-b2", eleven},
		{"step (from a vacant square)", "i9-h8", eleven},
		{"step (of an enemy piece)", "d4-c5", eleven},
		{"step (too far, onto a piece)", "a1-d4", eleven},
		{"capture (over nothing)", "a1xc3", eleven},
		{"capture (from a vacant square)", "i9xg7", eleven},
		{"capture (no jump)", "a1xi9xa1", eleven},
	})
	checkRefusals(t, "9/9/9/9/9/3a@5/9/9/A@8 w 2 5,0", []refused{
		{"step with a shadowpiece to enter", "a1-b2", refusal{reason: emergo.EntryObligatory, number: 5, moves: "a3*5 a5*5 a7*5"}},
	})
}

func TestNoMenInHand(t *testing.T) {
	none := refusal{reason: emergo.NoMenInHand, moves: "a1-b2"}
	checkRefusals(t, "9/9/9/9/9/3a@5/9/9/A@8 w 24 0,11", []refused{
		{"entry", "i9", none},
		{"entry (occupied)", "a1", none},
		{"entry (feeds)", "c3", none},
		{"entry of as many as the opponent holds", "i9*11", none},
	})
}

// "On any vacant playable square."
func TestEntryOnOccupiedSquare(t *testing.T) {
	checkRefusals(t, "9/9/9/9/9/3ab5/9/9/A@8 w 2 9,11", []refused{
		{"own piece", "a1", refusal{reason: emergo.SquareOccupied, square: "a1"}},
		{"enemy piece", "d4", refusal{reason: emergo.SquareOccupied, square: "d4"}},
		{"enemy piece (too many men)", "d4*9", refusal{reason: emergo.SquareOccupied, square: "d4"}},
	})
}

// "One man; but if the opponent has no man in hand, all its remaining men."
func TestEntryCountWrong(t *testing.T) {
	wrong := func(square string, men, number int) refusal {
		return refusal{reason: emergo.EntryCountWrong, square: square, men: men, number: number}
	}
	checkRefusals(t, "9/9/9/9/9/3a@5/9/9/A@8 w 2 5,1", []refused{
		{"two men", "i9*2", wrong("i9", 2, 1)},
		{"all men while the opponent has one in hand", "i9*5", wrong("i9", 5, 1)},
		{"two men (feeding)", "c3*2", wrong("c3", 2, 1)},
	})
	checkRefusals(t, "9/9/9/9/9/3a@5/9/9/A@8 w 2 5,0", []refused{
		{"not all of the shadowpiece", "i9*4", wrong("i9", 4, 5)},
		{"more than the shadowpiece", "i9*12", wrong("i9", 12, 5)},
		{"more than the shadowpiece (feeding)", "c3*6", wrong("c3", 6, 5)},
	})
	checkRefusals(t, "9/9/9/9/9/3a@5/9/9/A@8 w 2 1,0", []refused{
		{"shadowpiece of a single man", "i9*2", wrong("i9", 2, 1)},
	})
	checkRefusals(t, "9/9/9/9/9/9/9/9/9 w 0 12,12", []refused{
		{"first entry of all men (on the centre)", "e5*12", wrong("e5", 12, 1)},
	})
}

// "White's very first entry may not be on the centre."
func TestEntryOnCentre(t *testing.T) {
	onCentre := func(square string) refusal { return refusal{reason: emergo.EntryOnCentre, square: square} }
	checkRefusals(t, "9/9/9/9/9/9/9/9/9 w 0 12,12", []refused{{"9x9", "e5", onCentre("e5")}})
	checkRefusals(t, "7/7/7/7/7/7/7 w 0 8,8", []refused{{"7x7", "d4", onCentre("d4")}})
	checkRefusals(t, "9/9/9/9/9/9/9/9/l@8 w 1 12,0", []refused{{"shadowpiece", "e5*12", onCentre("e5")}})
	checkRefusals(t, "9/9/9/9/9/3a@5/9/9/9 w 1 12,11", []refused{{"first entry (feeds)", "e5", onCentre("e5")}})
}

// "An entry may not give the opponent a capture."
func TestEntryFeeds(t *testing.T) {
	feeds := func(square, feeder string) refusal {
		return refusal{reason: emergo.EntryFeeds, square: square, other: feeder}
	}
	checkRefusals(t, "9/9/9/9/9/3a@5/9/9/A@8 w 2 11,11", []refused{
		{"a man", "c3", feeds("c3", "d4")},
		{"the centre, not White's first entry", "e5", feeds("e5", "d4")},
	})
	checkRefusals(t, "9/9/9/9/9/3a@5/9/9/A@8 w 2 5,0", []refused{
		{"a shadowpiece", "c3*5", feeds("c3", "d4")},
		{"a shadowpiece without its number", "e3", feeds("e3", "d4")},
	})
	checkRefusals(t, "9/9/9/9/9/9/2a@6/1a@7/A@8 w 3 11,10", []refused{
		{"over the only vacant line", "b4", feeds("b4", "c3")},
		{"on a line from c3 to e5", "d4", feeds("d4", "c3")},
	})
	checkRefusals(t, "7/7/7/7/7/7/A@6 b 1 7,8", []refused{
		{"Black's first man", "b2", feeds("b2", "a1")},
	})
}

// "Steps: moves one of its pieces one square diagonally to a vacant square."
func TestStepRefused(t *testing.T) {
	// a1 is shut in by b2, behind which stands c3; g1 is free.
	checkRefusals(t, "9/9/9/9/9/9/2a@6/1a@7/A@5A@2 w 30 0,0", []refused{
		{"from a vacant square", "e5-d4", refusal{reason: emergo.SquareEmpty, square: "e5"}},
		{"from a vacant square (too far, onto a piece)", "e5-a1", refusal{reason: emergo.SquareEmpty, square: "e5"}},
		{"of an enemy piece", "c3-d4", refusal{reason: emergo.PieceNotOwned, square: "c3"}},
		{"of an enemy piece (onto a piece)", "c3-b2", refusal{reason: emergo.PieceNotOwned, square: "c3"}},
		{"along the rank", "g1-e1", refusal{reason: emergo.NotAdjacent, square: "e1", other: "g1"}},
		{"along the file", "g1-g3", refusal{reason: emergo.NotAdjacent, square: "g3", other: "g1"}},
		{"of two squares", "g1-e3", refusal{reason: emergo.NotAdjacent, square: "e3", other: "g1"}},
		{"of none", "g1-g1", refusal{reason: emergo.NotAdjacent, square: "g1", other: "g1"}},
		{"too far (onto a piece)", "g1-c3", refusal{reason: emergo.NotAdjacent, square: "c3", other: "g1"}},
		{"onto an enemy piece", "a1-b2", refusal{reason: emergo.SquareOccupied, square: "b2"}},
	})
	checkRefusals(t, "9/9/9/9/9/9/9/1A@7/A@8 w 30 0,0", []refused{
		{"onto an own piece", "a1-b2", refusal{reason: emergo.SquareOccupied, square: "b2"}},
	})
}

// "A piece jumps a diagonally adjacent enemy-owned piece onto the square straight behind it."
func TestJumpRefused(t *testing.T) {
	// a1xc3xe5xc7 takes three men. c1 could jump only onto pieces, e1 only over White's own.
	checkRefusals(t, "9/9/9/3a@5/9/3a@5/A@8/1a@1A@1A@3/A@1A@1A@4 w 31 0,0", []refused{
		{"from a vacant square", "c3xe5", refusal{reason: emergo.SquareEmpty, square: "c3"}},
		{"from a vacant square (no jump)", "i9xa1xi9", refusal{reason: emergo.SquareEmpty, square: "i9"}},
		{"by an enemy piece", "d4xb6", refusal{reason: emergo.PieceNotOwned, square: "d4"}},
		{"by an enemy piece (no jump)", "d4xi9", refusal{reason: emergo.PieceNotOwned, square: "d4"}},
		{"of one square", "a1xb2xc3", refusal{reason: emergo.NotAdjacent, square: "b2", other: "a1"}},
		{"along the file", "a1xa3xa5", refusal{reason: emergo.NotAdjacent, square: "a3", other: "a1"}},
		{"too far, at the second jump", "a1xc3xg7", refusal{reason: emergo.NotAdjacent, square: "g7", other: "c3"}},
		{"ends that no capture joins", "a1xi9", refusal{reason: emergo.NotAdjacent, square: "i9", other: "a1"}},
		{"ends that no capture joins, one square", "a1xa1", refusal{reason: emergo.NotAdjacent, square: "a1", other: "a1"}},
		{"over nothing", "d2xb4", refusal{reason: emergo.NothingToCapture, square: "c3", other: "d2"}},
		{"over nothing (onto a piece)", "f2xd4xf6", refusal{reason: emergo.NothingToCapture, square: "e3", other: "f2"}},
		{"over nothing, at the second jump", "a1xc3xa5", refusal{reason: emergo.NothingToCapture, square: "b4", other: "c3"}},
		{"over an own piece", "e1xc3", refusal{reason: emergo.JumpsOwnPiece, square: "d2", other: "e1"}},
		{"over an own piece, at the second jump", "a1xc3xe1", refusal{reason: emergo.JumpsOwnPiece, square: "d2", other: "c3"}},
		{"onto an own piece", "c1xa3", refusal{reason: emergo.SquareOccupied, square: "a3"}},
	})
	checkRefusals(t, "9/9/9/3a@5/2a@6/1a@7/A@7a@/7a@1/6A@2 w 31 0,0", []refused{
		{"onto an enemy piece, at the second jump", "a3xc5xe7", refusal{reason: emergo.SquareOccupied, square: "c5"}},
	})
	checkRefusals(t, "9/9/9/9/9/9/9/9/A@5A@1a@ w 31 0,0", []refused{
		{"over nothing, where nothing can be captured", "g1xe3", refusal{reason: emergo.NothingToCapture, square: "f2", other: "g1"}},
		{"ends, where nothing can be captured", "g1xg5", refusal{reason: emergo.NotAdjacent, square: "g5", other: "g1"}},
	})
}

// "If nothing remains, its square is vacant at once. If the next man down is of the jumper's colour, it is freed."
func TestJumpOverWhatWasCapturedBefore(t *testing.T) {
	checkRefusals(t, "9/9/2a@1a@4/9/2a@1ab4/3A@5/9/9/9 w 5 9,8", []refused{
		{"vacated", "d4xb6xd8xf6xd4xb6", refusal{reason: emergo.NothingToCapture, square: "c5", other: "d4"}},
		{"vacated (straight back)", "d4xb6xd4", refusal{reason: emergo.NothingToCapture, square: "c5", other: "b6"}},
		{"freed", "d4xf6xd8xb6xd4xf6", refusal{reason: emergo.JumpsOwnPiece, square: "e5", other: "d4"}},
		{"freed (straight back)", "d4xf6xd4", refusal{reason: emergo.JumpsOwnPiece, square: "e5", other: "f6"}},
	})
}

// "In any direction except straight back over the line of the jump just made."
func TestCaptureReverses(t *testing.T) {
	checkRefusals(t, "9/9/9/9/9/9/9/1b@7/A@8 w 3 11,10", []refused{
		{"straight back", "a1xc3xa1", refusal{reason: emergo.CaptureReverses, square: "b2", other: "c3"}},
		{"straight back and on", "a1xc3xa1xc3", refusal{reason: emergo.CaptureReverses, square: "b2", other: "c3"}},
	})
	checkRefusals(t, "9/9/9/5b@3/9/3b@5/2A@6/9/8a@ w 5 11,7", []refused{
		{"straight back at the end of a line", "c3xe5xg7xe5", refusal{reason: emergo.CaptureReverses, square: "f6", other: "g7"}},
		{"straight back within a line", "c3xe5xc3", refusal{reason: emergo.CaptureReverses, square: "d4", other: "e5"}},
	})
}

// "It may not stop early."
func TestCaptureIncomplete(t *testing.T) {
	// a1xc3xe5xc7 takes three men, g1xi3xg5 two.
	checkRefusals(t, "9/9/9/3a@5/9/3a@3a@1/9/1a@5a@1/A@5A@2 w 5 10,7", []refused{
		{"after one", "a1xc3", refusal{reason: emergo.CaptureIncomplete, square: "c3", other: "e5", men: 1}},
		{"after two", "a1xc3xe5", refusal{reason: emergo.CaptureIncomplete, square: "e5", other: "c7", men: 2}},
		{"after two, by its ends", "a1xe5", refusal{reason: emergo.CaptureIncomplete, square: "e5", other: "c7", men: 2}},
		{"after one (of too few)", "g1xi3", refusal{reason: emergo.CaptureIncomplete, square: "i3", other: "g5", men: 1}},
	})
	// d4xf6xd8xb6xd4xf6 jumps e5 twice; the other way round ends on d4.
	checkRefusals(t, "9/9/2a@1a@4/9/2a@1b@4/3A@5/9/9/9 w 5 11,7", []refused{
		{"on the start square", "d4xf6xd8xb6xd4", refusal{reason: emergo.CaptureIncomplete, square: "d4", other: "f6", men: 4}},
	})
}

// "Only those taking the most men are legal."
func TestCaptureNotMaximal(t *testing.T) {
	two := refusal{reason: emergo.CaptureNotMaximal, square: "g1", men: 2, number: 3, moves: "a1xc3xe5xc7"}
	checkRefusals(t, "9/9/9/3a@5/9/3a@3a@1/9/1a@5a@1/A@5A@2 w 5 10,7", []refused{
		{"another piece can take more", "g1xi3xg5", two},
		{"another piece can take more, by its ends", "g1xg5", two},
	})
	four := refusal{reason: emergo.CaptureNotMaximal, square: "d4", men: 4, number: 5, moves: "d4xf6xd8xb6xd4xf6"}
	checkRefusals(t, "9/9/2a@1a@4/9/2a@1b@4/3A@5/9/9/9 w 5 11,7", []refused{
		{"the same piece can take more", "d4xb6xd8xf6xd4", four},
		{"ends of a whole capture, and of one that goes on", "d4xd4", four},
	})
	// a1 takes six men if it goes round from e5 back to e5. It passes e5 before, and could go on from there.
	six := refusal{reason: emergo.CaptureNotMaximal, square: "a1", men: 6, number: 7,
		moves: "a1xc3xe5xc7xe9xg7xi5xg3 i1xg3xi5xg7xe5xc7xe9xg7 i1xg3xi5xg7xe9xc7xe5xc3"}
	checkRefusals(t, "9/3a@1a@3/9/3a@1a@1a@1/9/3a@3a@1/9/1a@5a@1/A@7A@ w 9 10,3", []refused{
		{"ends of a whole capture that passes the last square before", "a1xe5", six},
	})
	checkRefusals(t, "9/9/9/9/9/3a@5/9/1a@5a@1/A@5A@2 w 5 10,9", []refused{
		{"one man", "g1xi3", refusal{reason: emergo.CaptureNotMaximal, square: "g1", men: 1, number: 2, moves: "a1xc3xe5"}},
	})
}

// "First and last square only, when just one legal capture fits."
func TestMoveAmbiguous(t *testing.T) {
	checkRefusals(t, "9/9/2a@1a@4/9/2a@1a@4/3A@5/9/9/9 w 5 11,8", []refused{
		{"two ways round", "d4xd4",
			refusal{reason: emergo.MoveAmbiguous, square: "d4", other: "d4", number: 2, moves: "d4xb6xd8xf6xd4 d4xf6xd8xb6xd4"}},
	})
	checkRefusals(t, "9/9/9/9/2a@1a@1a@2/9/2a@1a@1a@2/1A@7/9 w 9 11,6", []refused{
		{"two ways to a square that is a jump away", " B2:B6 ",
			refusal{reason: emergo.MoveAmbiguous, square: "b2", other: "b6", number: 2, moves: "b2xd4xf2xh4xf6xd4xb6 b2xd4xf6xh4xf2xd4xb6"}},
	})
	p := position(t, "9/9/A@7A@/1a@1a@1a@1a@1/9/1a@1a@1a@1a@1/9/1a@1a@1a@1a@1/A@7I@ w 24 0,0")
	var fits []string
	for _, m := range legal(&p) {
		if strings.HasPrefix(m, "a1x") && strings.HasSuffix(m, "xg3") {
			fits = append(fits, m)
		}
	}
	checkRefusals(t, p.String(), []refused{
		{"many ways, of which three are named", "a1xg3",
			refusal{reason: emergo.MoveAmbiguous, square: "a1", other: "g3", number: len(fits), moves: strings.Join(fits[:3], " ")}},
	})
}

// "Players must move in turn", and only as long as the game goes on.
func TestGameOver(t *testing.T) {
	shuffle := []string{"a1-b2", "i9-h8", "b2-a1", "h8-i9", "a1-b2", "i9-h8", "b2-a1", "h8-i9"}
	for _, c := range []struct {
		name  string
		start string
		rules emergo.Rules
		moves []string
		want  emergo.Outcome
	}{
		{"no pieces", "9/9/9/9/4fl4/9/9/9/9 w 30 0,6", emergo.Rules{}, nil, emergo.Outcome{Result: emergo.BlackWins, End: emergo.NoPieces}},
		{"blocked", "8a@/7A@1/6AA2/9/9/9/9/9/9 b 31 4,0", emergo.Rules{}, nil, emergo.Outcome{Result: emergo.Draw, End: emergo.Blocked}},
		{"blocked, which loses", "8a@/7A@1/6AA2/9/9/9/9/9/9 b 31 4,0", emergo.Rules{BlockedLoses: true}, nil,
			emergo.Outcome{Result: emergo.WhiteWins, End: emergo.Blocked}},
		{"repetition", "8a@/9/9/9/9/9/9/9/A@8 w 30 0,0", emergo.Rules{}, shuffle, emergo.Outcome{Result: emergo.Draw, End: emergo.Repetition}},
		{"no progress", "8a@/9/9/9/9/9/9/9/A@8 w 30 0,0", emergo.Rules{NoProgressLimit: 3}, shuffle[:3],
			emergo.Outcome{Result: emergo.Draw, End: emergo.NoProgress}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := emergo.NewGame(position(t, c.start), c.rules)
			for _, text := range c.moves {
				if _, err := g.PlayText(text); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
			}
			for _, text := range []string{"a1", "a1-b2", "i9-h8", "a1xc3"} {
				_, err := g.PlayText(text)
				if got, want := refusalOf(t, err), (refusal{reason: emergo.GameOver, outcome: c.want}); got != want {
					t.Errorf("%s\n got %v\nwant %v", text, got, want)
				}
			}
			if _, err := g.PlayText("resign"); refusalOf(t, err).reason != emergo.MoveMalformed {
				t.Errorf("what cannot be read is refused for %v, want %v, the first reason", err, emergo.MoveMalformed)
			}
		})
	}
}

// What looks like a broken rule, and is none.
func TestNotRefused(t *testing.T) {
	for _, c := range []struct{ why, position, move, want string }{
		{"feeding, when the opponent already captures", "9/9/9/9/8a@/7A@1/9/9/9 w 2 11,11", "h6", "h6"},
		{"Black's first entry on the centre", "7/7/7/7/7/7/A@6 b 1 7,8", "d4", "d4"},
		{"the centre, when White's only man is a prisoner", "9/9/8ab/9/9/9/9/9/9 w 4 10,11", "e5", "e5"},
		{"a shadowpiece without its number", "9/9/9/9/9/9/9/9/a@1A@6 w 13 11,0", "i9", "i9*11"},
		{"landing on the start square", "9/9/2a@1a@4/9/2a@1a@4/3A@5/9/9/9 w 5 11,8", "d4xb6xd8xf6xd4", "d4xb6xd8xf6xd4"},
		{"a pile jumped twice, passing the start square", "9/9/2a@1a@4/9/2a@1b@4/3A@5/9/9/9 w 5 11,7",
			"d4xf6xd8xb6xd4xf6", "d4xf6xd8xb6xd4xf6"},
		{"ends that could be a jump of their own", "9/9/2a@1a@4/9/2a@1b@4/3A@5/9/9/9 w 5 11,7", "d4xf6", "d4xf6xd8xb6xd4xf6"},
		{"the way back, after other jumps", "9/3a@1a@3/9/3a@1a@3/9/3b@5/2A@6/9/9 w 5 11,6",
			"c3xe5xc7xe9xg7xe5xc3", "c3xe5xc7xe9xg7xe5xc3"},
	} {
		p := position(t, c.position)
		m, err := p.ParseMove(c.move)
		if err != nil || m.String() != c.want {
			t.Errorf("%s: %s: %s is read as %v, %v; want %s", c.position, c.why, c.move, m, err, c.want)
		}
	}
}

// A Refusal may be kept: what the game does later does not change the moves it names.
func TestRefusalKeepsItsMoves(t *testing.T) {
	g := emergo.NewGame(position(t, "9/9/9/3a@1a@3/4A@4/3a@1a@3/9/9/9 w 5 11,8"), emergo.Rules{})
	_, err := g.PlayText("a1")
	want := refusalOf(t, err)
	for _, text := range []string{"e5xc3", "i1", "a5"} {
		if _, err := g.PlayText(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	if got := refusalOf(t, err); got != want {
		t.Errorf("the refusal\nis  %v\nwas %v", got, want)
	}
}

// The text of a refusal begins with its reason and goes on with its problem or its square, if it has one.
func TestRefusalText(t *testing.T) {
	for _, c := range []struct{ position, move, want string }{
		{start9x9, "e5", "entry on centre: e5"},
		{start9x9, "e5-d4", "entry obligatory"},
		{start9x9, "e5-", "move malformed: a square is missing after the last separator"},
		{"9/9/9/9/9/3a@5/9/9/A@8 w 24 0,11", "i9", "no men in hand"},
		{"9/9/9/9/9/3a@5/9/9/A@8 w 24 0,11", "a1-c3", "not adjacent: c3"},
	} {
		p := position(t, c.position)
		if _, err := p.ParseMove(c.move); err == nil || err.Error() != c.want {
			t.Errorf("%s: %s: %v, want %s", c.position, c.move, err, c.want)
		}
	}
}
