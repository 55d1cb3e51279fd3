package emergo

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxPositionLen is the length in bytes over which ParsePosition refuses a string unread. A
// canonical string is never longer than 150 bytes.
const MaxPositionLen = 256

// A PositionError says why a string is not a position.
type PositionError struct {
	// Impossible is true if the string can be read but the rules do not admit the position, such as
	// a side with too many men; false if it cannot be read.
	Impossible bool
	// Part names the part that is wrong, such as "rank 3" or "ply"; "position" is the whole.
	Part string
	// Problem says what is wrong with the part and what would be right.
	Problem string
}

func (e *PositionError) Error() string {
	if e.Part == whole {
		return e.Problem
	}
	return e.Part + ": " + e.Problem
}

// whole is the part that all of a position string is.
const whole = "position"

func malformed(part, format string, args ...any) error {
	return &PositionError{Part: part, Problem: fmt.Sprintf(format, args...)}
}

func impossible(part, format string, args ...any) error {
	return &PositionError{Impossible: true, Part: part, Problem: fmt.Sprintf(format, args...)}
}

// A positionReader reads a position string part by part. What cannot be read ends the reading; what
// cannot be is noted, for only a string that can be read is called impossible.
type positionReader struct {
	Position
	impossible error // the first that was noted
}

func (p *positionReader) note(err error) {
	if p.impossible == nil {
		p.impossible = err
	}
}

// ParsePosition reads a position string: rows from the top rank down, the side to move, the ply,
// the men in hand, as in "9/9/9/9/9/9/9/9/9 w 0 12,12". In a row a digit skips squares and a piece
// is two characters, its cap (A = 1 to L = 12, upper case when White owns it) and its prisoners (@
// for none). Positions with fewer men than the board has are accepted, positions with more are not.
// Any error is a *PositionError.
func ParsePosition(s string) (Position, error) {
	if len(s) > MaxPositionLen {
		return Position{}, malformed(whole, "it has %d bytes; at most %d are read", len(s), MaxPositionLen)
	}
	for i := range len(s) {
		if s[i] >= 0x7f || s[i] < ' ' && s[i] != '\t' && s[i] != '\n' && s[i] != '\r' {
			return Position{}, malformed(whole, "byte %d is not printable ASCII", i+1)
		}
	}
	var fields [4]string
	n := 0
	for field := range strings.FieldsSeq(s) {
		if n < len(fields) {
			fields[n] = field
		}
		n++
	}
	if n != len(fields) {
		return Position{}, malformed(whole,
			"it has %s; it needs four: rows, side to move, ply, men in hand, as in %q", fieldCount(n), "9/9/9/9/9/9/9/9/9 w 0 12,12")
	}
	var p positionReader
	if err := p.parseRows(fields[0]); err != nil {
		return Position{}, err
	}
	switch fields[1] {
	case "w":
		p.turn = White
	case "b":
		p.turn = Black
	default:
		return Position{}, malformed("side to move", "%s is neither w nor b", excerpt(fields[1]))
	}
	ply, ok := parseNumber(fields[2])
	if !ok {
		return Position{}, malformed("ply", "%s is not a whole number from 0 to %d", excerpt(fields[2]), MaxPly)
	}
	p.ply = int32(ply)
	if err := p.parseHands(fields[3]); err != nil {
		return Position{}, err
	}
	if p.impossible != nil {
		return Position{}, p.impossible
	}
	p.key = p.computeKey()
	return p.Position, nil
}

func fieldCount(n int) string {
	if n == 1 {
		return "one field"
	}
	return strconv.Itoa(n) + " fields"
}

func (p *positionReader) parseRows(s string) error {
	switch rows := strings.Count(s, "/") + 1; rows {
	case Board9x9.Ranks():
		p.board = Board9x9
	case Board7x7.Ranks():
		p.board = Board7x7
	default:
		return malformed("rows", "there are %d; the board has 9 or 7, separated by /", rows)
	}
	rank := p.board.Ranks()
	for row := range strings.SplitSeq(s, "/") {
		rank--
		if err := p.parseRow(row, rank); err != nil {
			return err
		}
	}
	return nil
}

func (p *positionReader) parseRow(row string, rank int) error {
	part := func() string { return fmt.Sprintf("rank %d", rank+1) }
	width := p.board.Ranks()
	file := 0
	for i := 0; i < len(row); {
		if '1' <= row[i] && row[i] <= '9' {
			file += int(row[i] - '0')
			i++
			continue
		}
		owner, men, ok := capLetter(row[i])
		if !ok {
			return malformed(part(), "%s is neither a number of squares to skip (1 to 9) nor a cap (A to L or a to l)", excerpt(row[i:]))
		}
		if i+1 == len(row) {
			return malformed(part(), "%s lacks its prisoners: @ for none, else a letter", excerpt(row[i:]))
		}
		prisoners := 0
		if row[i+1] != '@' {
			var other Color
			if other, prisoners, ok = capLetter(row[i+1]); !ok {
				return malformed(part(), "in %s the prisoners are neither @ nor a letter from A to L", excerpt(row[i:i+2]))
			}
			if other != owner {
				return malformed(part(), "%s mixes upper and lower case: both letters have the case of the owner", excerpt(row[i:i+2]))
			}
		}
		if file >= width {
			return malformed(part(), "it is longer than the %d squares of a rank", width)
		}
		if playable(file, rank) {
			s := squareAt(file, rank)
			p.stacks[s] = newStack(men, prisoners)
			p.owned[owner] |= s.bit()
		} else {
			p.note(impossible(part(), "%s stands on %c%d, which is not played on: file number + rank number must be even",
				excerpt(row[i:i+2]), 'a'+file, rank+1))
		}
		file++
		i += 2
	}
	if file != width {
		return malformed(part(), "it describes %d squares; a rank has %d", file, width)
	}
	return nil
}

// capLetter reads the letter of a cap or of prisoners.
func capLetter(b byte) (owner Color, men int, ok bool) {
	switch {
	case 'A' <= b && b <= 'L':
		return White, int(b-'A') + 1, true
	case 'a' <= b && b <= 'l':
		return Black, int(b-'a') + 1, true
	}
	return 0, 0, false
}

// parseHands reads the men in hand and checks, now that all men are known, that no side has too
// many.
func (p *positionReader) parseHands(s string) error {
	white, black, found := strings.Cut(s, ",")
	if !found {
		return malformed("men in hand", "%s is not two numbers separated by a comma, White's first", excerpt(s))
	}
	for c, text := range [...]string{White: white, Black: black} {
		n, ok := parseNumber(text)
		if !ok {
			return malformed("men in hand", "%s's number %s is not a whole number from 0 to %d", Color(c), excerpt(text), p.board.Men())
		}
		if n > p.board.Men() {
			p.note(impossible("men in hand", "%s holds %d men; the %s board has %d a side", Color(c), n, p.board, p.board.Men()))
			continue
		}
		p.hand[c] = uint8(n)
	}
	if err := p.checkMen(); err != nil {
		p.note(err)
	}
	return nil
}

// parseNumber reads a whole number from 0 to MaxPly in decimal digits.
func parseNumber(s string) (n int, ok bool) {
	if s == "" {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		if n = 10*n + int(s[i]-'0'); n > MaxPly {
			return 0, false
		}
	}
	return n, true
}

// excerpt quotes at most 16 bytes of input for an error.
func excerpt(s string) string {
	const most = 16
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "..."
	}
	return strconv.QuoteToASCII(s)
}

// AppendText appends the canonical position string to dst. It implements encoding.TextAppender; the
// error is always nil.
func (p *Position) AppendText(dst []byte) ([]byte, error) {
	width := p.board.Ranks()
	for rank := width - 1; rank >= 0; rank-- {
		skipped := byte(0)
		for file := range width {
			var piece Piece
			ok := false
			if playable(file, rank) {
				piece, ok = p.PieceAt(squareAt(file, rank))
			}
			if !ok {
				skipped++
				continue
			}
			if skipped > 0 {
				dst = append(dst, '0'+skipped)
				skipped = 0
			}
			zero := byte('@') // the character before A
			if piece.Owner == Black {
				zero = '`' // the character before a
			}
			dst = append(dst, zero+byte(piece.Cap))
			if piece.Prisoners == 0 {
				dst = append(dst, '@')
			} else {
				dst = append(dst, zero+byte(piece.Prisoners))
			}
		}
		if skipped > 0 {
			dst = append(dst, '0'+skipped)
		}
		if rank > 0 {
			dst = append(dst, '/')
		}
	}
	dst = append(dst, ' ', "wb"[p.turn&1], ' ')
	dst = strconv.AppendInt(dst, int64(p.ply), 10)
	dst = append(dst, ' ')
	dst = strconv.AppendUint(dst, uint64(p.hand[White]), 10)
	dst = append(dst, ',')
	return strconv.AppendUint(dst, uint64(p.hand[Black]), 10), nil
}

// String returns the canonical position string. ParsePosition reads it back.
func (p *Position) String() string {
	var buf [MaxPositionLen]byte
	text, _ := p.AppendText(buf[:0])
	return string(text)
}
