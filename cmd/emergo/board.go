package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// Distances between neighbouring squares that make the board square on a terminal, whose characters are about twice as
// high as wide. All play is on the diagonals, which then look diagonal.
const (
	fileWidth  = 4
	rankHeight = 2
)

// Columns of a drawing.
const (
	margin    = 3 // before the first file
	sideGap   = 3 // between the board and what is said beside it
	sideWidth = terminalWidth - (margin + 9*fileWidth + 2) - sideGap
)

// draw draws the board and says beside it how the game stands. last is the move that led here, or nil; the square on
// which it ended is put in brackets.
func draw(w io.Writer, s *emergov1.State, last *emergov1.Move, p palette) error {
	size := 9
	if s.GetBoard() == emergov1.BoardSize_BOARD_SIZE_7X7 {
		size = 7
	}
	board, side := boardLines(s, size, last, p), sideLines(s, last, p)
	for i, l := range board {
		if at := i - 1; at >= 0 && at < len(side) && side[at].width > 0 {
			l.pad(margin + size*fileWidth + 2 + sideGap)
			l.add("", side[at].text)
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(l.text, " ")); err != nil {
			return err
		}
	}
	return nil
}

func boardLines(s *emergov1.State, size int, last *emergov1.Move, p palette) (lines []line) {
	pieces := make(map[string]*emergov1.Piece, len(s.GetPieces()))
	for _, piece := range s.GetPieces() {
		pieces[piece.GetSquare()] = piece
	}
	var files line
	for file := range size {
		files.pad(margin + file*fileWidth)
		files.add(p.faint, string('a'+rune(file)))
	}
	lines = append(lines, files)
	for rank := size; rank >= 1; rank-- {
		var l line
		l.add(p.faint, strconv.Itoa(rank))
		for file := range size {
			if (file+1+rank)%2 != 0 {
				continue // not played on
			}
			square := string('a'+rune(file)) + strconv.Itoa(rank)
			l.pad(margin + file*fileWidth - 1)
			switch piece := pieces[square]; {
			case piece == nil:
				l.add("", " ")
				l.add(p.faint, ".")
			case square == lastSquare(last):
				l.add(p.of(piece), "["+pieceText(piece)+"]")
			default:
				l.add(p.of(piece), " "+pieceText(piece)+" ")
			}
		}
		l.pad(margin + size*fileWidth + 1)
		l.add(p.faint, strconv.Itoa(rank))
		lines = append(lines, l)
		if rank > 1 {
			lines = append(lines, make([]line, rankHeight-1)...)
		}
	}
	return append(lines, files)
}

// The marks of the sides, by which their pieces can be told apart without colour.
const (
	whiteMark = "O"
	blackMark = "X"
)

// pieceText writes a piece as its owner's mark, the size of its cap and its prisoners: "O3/2". A single man is the mark
// alone.
func pieceText(piece *emergov1.Piece) string {
	mark := whiteMark
	if piece.GetOwner() == emergov1.Color_COLOR_BLACK {
		mark = blackMark
	}
	switch {
	case piece.GetPrisoners() > 0:
		return fmt.Sprintf("%s%d/%d", mark, piece.GetCap(), piece.GetPrisoners())
	case piece.GetCap() > 1:
		return fmt.Sprintf("%s%d", mark, piece.GetCap())
	}
	return mark
}

// of returns the colour of a piece.
func (p palette) of(piece *emergov1.Piece) string {
	if piece.GetOwner() == emergov1.Color_COLOR_BLACK {
		return p.black
	}
	return p.white
}

// lastSquare returns the square on which a move ended, or "".
func lastSquare(m *emergov1.Move) string {
	switch kind := m.GetKind().(type) {
	case *emergov1.Move_Entry:
		return kind.Entry.GetSquare()
	case *emergov1.Move_Step:
		return kind.Step.GetTo()
	case *emergov1.Move_Capture:
		if path := kind.Capture.GetPath(); len(path) > 0 {
			return path[len(path)-1]
		}
	}
	return ""
}

// sideLines says how the game stands.
func sideLines(s *emergov1.State, last *emergov1.Move, p palette) (lines []line) {
	say := func(colour, text string) {
		for _, part := range wrap(strings.Fields(text), sideWidth) {
			var l line
			l.add(colour, part)
			lines = append(lines, l)
		}
	}
	lines = append(lines,
		sideLine(s, emergov1.Color_COLOR_WHITE, s.GetWhiteInHand(), p),
		sideLine(s, emergov1.Color_COLOR_BLACK, s.GetBlackInHand(), p),
		line{})
	if over(s) {
		say(p.bold, outcome(s))
	} else {
		say(p.bold, colorName(s.GetSideToMove())+" "+duty(s))
	}
	if last != nil {
		say("", colorName(opponent(s.GetSideToMove()))+" played "+moveText(last))
	}
	if s.GetOccurrences() == 2 {
		say("", "This position for the 2nd time")
	}
	stage := "movement stage"
	if s.GetStage() == emergov1.Stage_STAGE_ENTERING {
		stage = "entering stage"
	}
	say("", fmt.Sprintf("Ply %d, %s", s.GetPly(), stage))
	if example := tallest(s.GetPieces()); example != nil {
		lines = append(lines, line{})
		text := fmt.Sprintf("%s: %d men", pieceText(example), example.GetCap())
		if example.GetPrisoners() > 0 {
			text = fmt.Sprintf("%s: a cap of %d over %s", pieceText(example), example.GetCap(), count(example.GetPrisoners(), "prisoner", "prisoners"))
		}
		say(p.faint, text)
	}
	return lines
}

// tallest returns the piece that most needs an explanation: the first with most prisoners, or with most men if
// there are none, or nil if all are single men.
func tallest(pieces []*emergov1.Piece) (found *emergov1.Piece) {
	for _, piece := range pieces {
		switch {
		case piece.GetPrisoners() > found.GetPrisoners(),
			piece.GetPrisoners() == found.GetPrisoners() && piece.GetCap() > max(1, found.GetCap()):
			found = piece
		}
	}
	return found
}

func sideLine(s *emergov1.State, c emergov1.Color, inHand int32, p palette) (l line) {
	owned := 0
	for _, piece := range s.GetPieces() {
		if piece.GetOwner() == c {
			owned++
		}
	}
	man := &emergov1.Piece{Owner: c, Cap: 1}
	l.add("", colorName(c)+" ")
	l.add(p.of(man), " "+pieceText(man)+" ")
	l.add("", fmt.Sprintf(" %2d in hand, %s", inHand, count(owned, "piece", "pieces")))
	return l
}

// moveText writes a move and what it does.
func moveText(m *emergov1.Move) string {
	text := printable(m.GetNotation())
	if jumped := len(m.GetCapture().GetJumped()); jumped > 0 {
		text += ", taking " + count(jumped, "man", "men")
	}
	return text
}
