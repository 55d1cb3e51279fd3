package emergo_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

const (
	start9x9 = "9/9/9/9/9/9/9/9/9 w 0 12,12"
	start7x7 = "7/7/7/7/7/7/7 w 0 8,8"
)

func TestStartPosition(t *testing.T) {
	for board, want := range map[emergo.Board]string{emergo.Board9x9: start9x9, emergo.Board7x7: start7x7} {
		p := emergo.StartPosition(board)
		if got := p.String(); got != want {
			t.Errorf("the start of %v is %s, want %s", board, got, want)
		}
		if read := position(t, want); read != p {
			t.Errorf("the start of %v is not the position that is read from %s", board, want)
		}
	}
}

func TestPositionFields(t *testing.T) {
	p := position(t, "8K@/7c@1/9/9/9/9/9/9/aa8 b 33 0,2")
	if p.Board() != emergo.Board9x9 || p.Turn() != emergo.Black || p.Ply() != 33 {
		t.Errorf("board %v, turn %v, ply %d; want 9x9, Black, 33", p.Board(), p.Turn(), p.Ply())
	}
	if white, black := p.InHand(emergo.White), p.InHand(emergo.Black); white != 0 || black != 2 {
		t.Errorf("in hand %d and %d, want 0 and 2", white, black)
	}
	if white, black := p.PieceCount(emergo.White), p.PieceCount(emergo.Black); white != 1 || black != 2 {
		t.Errorf("%d and %d pieces, want 1 and 2", white, black)
	}
	var got []string
	for s, piece := range p.Pieces {
		got = append(got, fmt.Sprintf("%v %v %d %d", s, piece.Owner, piece.Cap, piece.Prisoners))
		if at, ok := p.PieceAt(s); !ok || at != piece {
			t.Errorf("PieceAt(%v) = %+v, %v, but Pieces has %+v there", s, at, ok, piece)
		}
	}
	if want := []string{"a1 Black 1 1", "h8 Black 3 0", "i9 White 11 0"}; !slices.Equal(got, want) {
		t.Errorf("pieces %q, want %q", got, want)
	}
	if piece, ok := p.PieceAt(square(t, "e5")); ok || piece != (emergo.Piece{}) {
		t.Errorf("PieceAt(e5) = %+v, %v, want none", piece, ok)
	}
	for range p.Pieces {
		break // an iterator must let go
	}
}

// "Position = board, men in hand, side to move (not the ply)."
func TestRepeats(t *testing.T) {
	const fen = "9/9/9/9/4ab4/9/9/9/A@8 w 40 2,3"
	p := position(t, fen)
	for _, c := range []struct {
		name, fen string
		want      bool
	}{
		{"itself", fen, true},
		{"another ply", "9/9/9/9/4ab4/9/9/9/A@8 w 44 2,3", true},
		{"the other side to move", "9/9/9/9/4ab4/9/9/9/A@8 b 40 2,3", false},
		{"another number in White's hand", "9/9/9/9/4ab4/9/9/9/A@8 w 40 3,3", false},
		{"another number in Black's hand", "9/9/9/9/4ab4/9/9/9/A@8 w 40 2,2", false},
		{"the hands exchanged", "9/9/9/9/4ab4/9/9/9/A@8 w 40 3,2", false},
		{"another square", "9/9/9/9/4ab4/9/9/1A@7/9 w 40 2,3", false},
		{"another cap", "9/9/9/9/4bb4/9/9/9/A@8 w 40 2,3", false},
		{"other prisoners", "9/9/9/9/4aa4/9/9/9/A@8 w 40 2,3", false},
		{"another owner", "9/9/9/9/4BA4/9/9/9/A@8 w 40 2,3", false},
		{"cap and prisoners exchanged", "9/9/9/9/4ba4/9/9/9/A@8 w 40 2,3", false},
	} {
		q := position(t, c.fen)
		if got := p.Repeats(&q); got != c.want {
			t.Errorf("%s: %s repeats %s: %v, want %v", c.name, fen, c.fen, got, c.want)
		}
		if got := p.Key() == q.Key(); got != c.want {
			t.Errorf("%s: the keys of %s and %s are equal: %v, want %v", c.name, fen, c.fen, got, c.want)
		}
	}
	small, large := position(t, "7/7/7/7/7/7/7 w 0 8,8"), position(t, "9/9/9/9/9/9/9/9/9 w 0 8,8")
	if small.Repeats(&large) || small.Key() == large.Key() {
		t.Error("the empty 7x7 board repeats the empty 9x9 board")
	}
}

// Strings that are no position.
func TestMalformedPosition(t *testing.T) {
	for _, c := range []struct{ name, text, part, problem string }{
		{"empty", "", "position", "0 fields"},
		{"only white space", " \t\r\n", "position", "0 fields"},
		{"one field", "9/9/9/9/9/9/9/9/9", "position", "one field"},
		{"three fields", "9/9/9/9/9/9/9/9/9 w 0", "position", "3 fields"},
		{"five fields", start9x9 + " 1", "position", "5 fields"},
		{"men in hand in two fields", "9/9/9/9/9/9/9/9/9 w 0 12, 12", "position", "5 fields"},
		{"too long", start9x9 + strings.Repeat(" ", 257-len(start9x9)), "position", "257 bytes; at most 256"},
		{"far too long", strings.Repeat("9/", 1<<20), "position", "2097152 bytes"},
		{"NUL", start9x9 + "\x00", "position", "byte 28 is not printable ASCII"},
		{"vertical tab", "9/9/9/9/9/9/9/9/9\vw 0 12,12", "position", "byte 18 is not printable ASCII"},
		{"escape sequence", "\x1b[31m" + start9x9, "position", "byte 1 is not printable ASCII"},
		{"letter beyond ASCII", "9/9/9/9/9/9/9/9/8\u00c1 w 0 12,12", "position", "byte 18 is not printable ASCII"},
		{"space beyond ASCII", "9/9/9/9/9/9/9/9/9\u00a0w 0 12,12", "position", "byte 18 is not printable ASCII"},
		{"digits beyond ASCII", "9/9/9/9/9/9/9/9/\uff19 w 0 12,12", "position", "byte 17 is not printable ASCII"},
		{"not UTF-8", "\xff\xfe" + start9x9, "position", "byte 1 is not printable ASCII"},

		{"eight rows", "9/9/9/9/9/9/9/9 w 0 12,12", "rows", "there are 8"},
		{"ten rows", "9/9/9/9/9/9/9/9/9/9 w 0 12,12", "rows", "there are 10"},
		{"one row", "81 w 0 12,12", "rows", "there are 1;"},
		{"slash at the end", "9/9/9/9/9/9/9/9/9/ w 0 12,12", "rows", "there are 10"},
		{"nine rows of seven", "7/7/7/7/7/7/7/7/7 w 0 8,8", "rank 9", "7 squares; a rank has 9"},
		{"seven rows of nine", "9/9/9/9/9/9/9 w 0 8,8", "rank 7", "9 squares; a rank has 7"},
		{"short row", "9/9/9/9/9/9/8/9/9 w 0 12,12", "rank 3", "8 squares; a rank has 9"},
		{"row with too much skipped", "9/9/9/9/9/9/A@9/9/9 w 0 11,12", "rank 3", "10 squares; a rank has 9"},
		{"row with a piece too many", "9/9/9/9/9/9/9A@/9/9 w 0 11,12", "rank 3", "longer than the 9 squares"},
		{"row with everything too much", "999999999/9/9/9/9/9/9/9/9 w 0 12,12", "rank 9", "81 squares"},
		{"empty row", "9/9/9/9//9/9/9/9 w 0 12,12", "rank 5", "0 squares"},
		{"empty rows", "//////// w 0 12,12", "rank 9", "0 squares"},
		{"digit zero", "9/9/9/9/9/9/9/9/90 w 0 12,12", "rank 1", `"0" is neither a number of squares`},
		{"cap beyond L", "9/9/9/9/9/9/9/9/M@8 w 0 0,0", "rank 1", `"M@8" is neither`},
		{"cap beyond l", "9/9/9/9/9/9/9/9/m@8 w 0 0,0", "rank 1", `"m@8" is neither`},
		{"no cap", "9/9/9/9/9/9/9/9/@A8 w 0 0,0", "rank 1", `"@A8" is neither`},
		{"prisoners beyond L", "9/9/9/9/9/9/9/9/AM8 w 0 0,0", "rank 1", `in "AM" the prisoners are neither @ nor a letter`},
		{"no prisoners before a digit", "9/9/9/9/9/9/9/9/A8 w 0 0,0", "rank 1", `in "A8" the prisoners`},
		{"no prisoners at the end", "9/9/9/9/9/9/9/9/8A w 0 0,0", "rank 1", `"A" lacks its prisoners`},
		{"white cap in lower-case company", "9/9/9/9/9/9/9/9/Cd8 w 0 0,0", "rank 1", `"Cd" mixes upper and lower case`},
		{"black cap in upper-case company", "9/9/9/9/9/9/9/9/bA8 w 0 0,0", "rank 1", `"bA" mixes upper and lower case`},
		{"other characters", "9/9/9/9/9/9/9/9/-8 w 0 0,0", "rank 1", `"-8" is neither`},
		{"chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "position", "6 fields"},
		{"first wrong rank counts", "9/9/8/9/9/9/9/9/7 w 0 12,12", "rank 7", "8 squares"},

		{"side in upper case", "9/9/9/9/9/9/9/9/9 W 0 12,12", "side to move", `"W" is neither w nor b`},
		{"side in full", "9/9/9/9/9/9/9/9/9 white 0 12,12", "side to move", `"white" is neither`},
		{"no side", "9/9/9/9/9/9/9/9/9 - 0 12,12", "side to move", `"-" is neither`},
		{"very long side", "9/9/9/9/9/9/9/9/9 " + strings.Repeat("w", 200) + " 0 12,12", "side to move", `"wwwwwwwwwwwwwwww"... is neither`},

		{"negative ply", "9/9/9/9/9/9/9/9/9 w -1 12,12", "ply", `"-1" is not a whole number from 0 to 2147483647`},
		{"ply with a plus sign", "9/9/9/9/9/9/9/9/9 w +1 12,12", "ply", `"+1" is not a whole number`},
		{"fraction of a ply", "9/9/9/9/9/9/9/9/9 w 1.5 12,12", "ply", `"1.5" is not a whole number`},
		{"hexadecimal ply", "9/9/9/9/9/9/9/9/9 w 0x1 12,12", "ply", `"0x1" is not a whole number`},
		{"ply with an underscore", "9/9/9/9/9/9/9/9/9 w 1_0 12,12", "ply", `"1_0" is not a whole number`},
		{"ply above the largest", "9/9/9/9/9/9/9/9/9 w 2147483648 12,12", "ply", `"2147483648" is not a whole number`},
		{"ply beyond 64 bits", "9/9/9/9/9/9/9/9/9 w 18446744073709551616 12,12", "ply", `"1844674407370955"... is not a whole number`},

		{"one number in hand", "9/9/9/9/9/9/9/9/9 w 0 12", "men in hand", "not two numbers separated by a comma"},
		{"three numbers in hand", "9/9/9/9/9/9/9/9/9 w 0 12,12,12", "men in hand", `Black's number "12,12" is not a whole number`},
		{"another separator", "9/9/9/9/9/9/9/9/9 w 0 12;12", "men in hand", "not two numbers separated by a comma"},
		{"a piece where none can stand, and a letter too many", "1A@7/zzz/9/9/9/9/9/9/9 w 0 0,0", "rank 8", `"zzz" is neither`},
		{"too many men in hand, and letters", "9/9/9/9/9/9/9/9/9 w 0 13,zz", "men in hand", `Black's number "zz"`},
		{"no number for White", "9/9/9/9/9/9/9/9/9 w 0 ,12", "men in hand", `White's number "" is not`},
		{"no number for Black", "9/9/9/9/9/9/9/9/9 w 0 12,", "men in hand", `Black's number "" is not`},
		{"negative number in hand", "9/9/9/9/9/9/9/9/9 w 0 -1,12", "men in hand", `White's number "-1" is not a whole number from 0 to 12`},
		{"number in hand with a plus sign", "7/7/7/7/7/7/7 w 0 8,+8", "men in hand", `Black's number "+8" is not a whole number from 0 to 8`},
		{"letters in hand", "7/7/7/7/7/7/7 w 0 H,8", "men in hand", `White's number "H" is not`},
		{"number in hand beyond 64 bits", "9/9/9/9/9/9/9/9/9 w 0 12,18446744073709551628", "men in hand", `Black's number "1844674407370955"...`},
	} {
		t.Run(c.name, func(t *testing.T) { checkPositionError(t, c.text, c.part, c.problem, false) })
	}
}

// Strings that can be read, of positions that the rules do not admit.
func TestImpossiblePosition(t *testing.T) {
	for _, c := range []struct{ name, text, part, problem string }{
		{"piece on an unplayable square", "9/9/9/9/9/9/9/9/1A@7 w 0 11,12", "rank 1", `"A@" stands on b1, which is not played on`},
		{"black pile on an unplayable square", "9/9/9/9/9/8ab/9/9/9 w 0 8,8", "rank 4", `"ab" stands on i4, which is not played on`},
		{"piece on an unplayable square of 7x7", "7/7/7/7/7/7/5A@1 w 0 7,8", "rank 1", `"A@" stands on f1`},
		{"too many in White's hand", "9/9/9/9/9/9/9/9/9 w 0 13,12", "men in hand", "White holds 13 men; the 9x9 board has 12 a side"},
		{"too many in Black's hand", "9/9/9/9/9/9/9/9/9 w 0 12,13", "men in hand", "Black holds 13 men; the 9x9 board has 12 a side"},
		{"too many in hand on 7x7", "7/7/7/7/7/7/7 w 0 9,8", "men in hand", "White holds 9 men; the 7x7 board has 8 a side"},
		{"as many in hand as a ply can count", "9/9/9/9/9/9/9/9/9 w 0 2147483647,12", "men in hand", "White holds 2147483647 men"},
		{"too many on the board", "8A@/9/9/9/9/9/9/9/L@8 w 0 0,0", "men", "White has 13"},
		{"too many in one piece on 7x7", "7/7/7/7/7/7/i@6 w 0 0,0", "men", "Black has 9"},
		{"too many as prisoners", "8al/9/9/9/9/9/9/9/ac8 w 0 0,0", "men", "White has 15"},
		{"too many of Black's as prisoners", "8AL/9/9/9/9/9/9/9/AL8 w 0 0,0", "men", "Black has 24"},
		{"too many with those in hand", "9/9/9/9/9/9/9/9/A@8 w 0 12,12", "men", "White has 13"},
		{"too many of Black's with those in hand", "9/9/9/9/9/9/9/9/a@8 w 0 12,12", "men", "Black has 13"},
		{"one too many, spread over all places", "8A@/9/9/9/9/9/9/9/D@1ac6 w 0 5,11", "men", "White has 13"},
		{"as many as can be written", "LL1LL1LL1LL1LL/9/9/9/9/9/9/9/9 w 0 0,0", "men", "White has 60"},
	} {
		t.Run(c.name, func(t *testing.T) { checkPositionError(t, c.text, c.part, c.problem, true) })
	}
}

func checkPositionError(t *testing.T, text, part, problem string, impossible bool) {
	t.Helper()
	p, err := emergo.ParsePosition(text)
	got, ok := errors.AsType[*emergo.PositionError](err)
	if !ok {
		t.Fatalf("%q: error %v, want a *PositionError", text, err)
	}
	if p != (emergo.Position{}) {
		t.Errorf("%q: with the error comes the position %s", text, &p)
	}
	if got.Part != part || !strings.Contains(got.Problem, problem) || got.Impossible != impossible {
		t.Errorf("%q\n got %q: %q, impossible %v\nwant %q: ...%s..., impossible %v",
			text, got.Part, got.Problem, got.Impossible, part, problem, impossible)
	}
	if got.Part != "position" && !strings.Contains(err.Error(), got.Part) || !strings.Contains(err.Error(), got.Problem) {
		t.Errorf("%q: the error says %q, not its part and problem", text, err)
	}
	if err := checkErrorText(err); err != nil {
		t.Errorf("%q: %v", text, err)
	}
}

// Strings that are not canonical, and are read all the same.
func TestLenientPosition(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"white space around", " \t\n" + start9x9 + "\r\n", start9x9},
		{"other white space between", "9/9/9/9/9/9/9/9/9\tw  0\n12,12", start9x9},
		{"several digits in a row", "333/81/18/111111111/45/9/9/9/A@17 w 0 11,12", "9/9/9/9/9/9/9/9/A@8 w 0 11,12"},
		{"leading zeros", "9/9/9/9/9/9/9/9/9 w 000 012,0012", start9x9},
		{"256 bytes", start9x9 + strings.Repeat(" ", 256-len(start9x9)), start9x9},
		{"the largest ply", "7/7/7/7/7/7/7 b 2147483647 8,8", "7/7/7/7/7/7/7 b 2147483647 8,8"},
		{"fewer men than the board has", "7/7/7/7/7/7/7 b 0 0,0", "7/7/7/7/7/7/7 b 0 0,0"},
		{"all men in one piece", "9/9/9/9/4LL4/9/9/9/9 b 99 0,0", "9/9/9/9/4LL4/9/9/9/9 b 99 0,0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := position(t, c.text)
			if got := p.String(); got != c.want {
				t.Errorf("%q is read as %s, want %s", c.text, got, c.want)
			}
		})
	}
}

// "The ply counts half-moves (for information)": it neither ends a game nor overflows.
func TestPlyStopsAtItsLargest(t *testing.T) {
	p := position(t, "9/9/9/9/9/9/9/9/9 w 2147483646 12,12")
	for _, text := range []string{"a1", "a9", "i1"} {
		p = play(t, &p, text)
		if p.Ply() != emergo.MaxPly {
			t.Errorf("ply %d after %s, want %d", p.Ply(), text, emergo.MaxPly)
		}
	}
}

// AppendText keeps what is there.
func TestAppendPositionText(t *testing.T) {
	p := position(t, start7x7)
	text, err := p.AppendText([]byte("position "))
	if string(text) != "position "+start7x7 || err != nil {
		t.Errorf("AppendText gives %q, %v", text, err)
	}
}
