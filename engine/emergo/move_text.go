package emergo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MaxMoveLen is the length in bytes over which a move string is refused unread. A canonical one is
// never longer than 38 bytes.
const MaxMoveLen = 64

// ParseSquare reads the name of a playable square, such as "c3", in either case.
func ParseSquare(s string) (Square, error) {
	n, err := scanMove(s)
	if err != nil {
		return 0, err
	}
	if len(n.squares()) != 1 || n.men != 0 || n.trailing {
		return 0, &Refusal{Reason: MoveMalformed, Problem: fmt.Sprintf("%s is not one square", excerpt(s))}
	}
	return n.path[0], nil
}

// String returns the canonical notation of m: "c3", "c3*5", "c3-d4" or "d4xb6xd8xf6".
func (m Move) String() string {
	switch {
	case m.Kind() == Entry && m.Men() == 1:
		return m.To().String()
	case m.Kind() == Step:
		return stepNames[m.From()][directionOf(m.From(), m.To())]
	}
	var buf [MaxMoveLen]byte
	text, _ := m.AppendText(buf[:0])
	return string(text)
}

// stepNames spares the most frequent moves an allocation each time they are written.
var stepNames = func() (names [squareLimit][4]string) {
	for _, from := range Board9x9.Squares() {
		for rest := neighbours[from]; rest != 0; rest = rest.Rest() {
			to := rest.First()
			names[from][directionOf(from, to)] = from.String() + "-" + to.String()
		}
	}
	return names
}()

// AppendText appends the canonical notation of m to dst. It implements encoding.TextAppender; the
// error is always nil.
func (m Move) AppendText(dst []byte) ([]byte, error) {
	dst = append(dst, m.From().String()...)
	switch m.Kind() {
	case Entry:
		if m.Men() > 1 {
			dst = append(dst, '*')
			dst = strconv.AppendInt(dst, int64(m.Men()), 10)
		}
	case Step:
		dst = append(dst, '-')
		dst = append(dst, m.To().String()...)
	case Capture:
		for _, land := range m.Jumps {
			dst = append(dst, 'x')
			dst = append(dst, land.String()...)
		}
	}
	return dst, nil
}

// AppendPath appends to dst the squares that name m, in order: the square entered, or where the
// piece comes from and each square it lands on.
func (m Move) AppendPath(dst []Square) []Square {
	dst = append(dst, m.From())
	switch m.Kind() {
	case Step:
		dst = append(dst, m.To())
	case Capture:
		for _, land := range m.Jumps {
			dst = append(dst, land)
		}
	}
	return dst
}

// A notation is a move as it was written: it follows the grammar, but is not yet known to mean
// anything on a board.
type notation struct {
	path      [MaxJumps + 1]Square
	length    int  // squares in path
	separator byte // between squares: 'x', ':', '-', or 0 for none
	mixed     bool // the separators differ
	trailing  bool // a separator follows the last square
	men       int  // the n of "c3*n", or 0
}

func (n *notation) squares() []Square { return n.path[:n.length] }

// scanMove reads squares with whatever separators. What combinations make a move is for its callers
// to say.
func scanMove(s string) (n notation, err error) {
	bad := func(format string, args ...any) (notation, error) {
		return notation{}, &Refusal{Reason: MoveMalformed, Problem: fmt.Sprintf(format, args...)}
	}
	if len(s) > MaxMoveLen {
		return bad("it has %d bytes; at most %d are read", len(s), MaxMoveLen)
	}
	text := strings.Trim(s, " \t\r\n")
	if text == "" {
		return bad("it is empty; a move is written c3, c3*5, c3-d4 or d4xb6xd8")
	}
	for rest := text; rest != ""; {
		if n.length > 0 {
			switch c := rest[0] | ('a' - 'A'); {
			case rest[0] == '*' && n.length == 1 && n.separator == 0 && !n.trailing:
				men, ok := parseNumber(rest[1:])
				if men == 1 {
					return bad("one man is entered by its square alone: %s", n.path[0])
				}
				if !ok || men < 2 || men > Board9x9.Men() || rest[1] == '0' {
					return bad("%s is not the size of a shadowpiece: * and a number from 2 to %d", excerpt(rest), Board9x9.Men())
				}
				n.men = men
				return n, nil
			case c == 'x', rest[0] == ':', rest[0] == '-':
				separator := rest[0]
				if c == 'x' {
					separator = c
				}
				if n.length == 1 {
					n.separator = separator
				}
				n.mixed = n.mixed || separator != n.separator
				n.trailing = true
				rest = rest[1:]
				if rest == "" {
					return n, nil
				}
			default:
				n.mixed = n.mixed || n.separator != 0
			}
		}
		if n.length == len(n.path) {
			return bad("it has more than %d squares, and no capture takes more than %d men", len(n.path), MaxJumps)
		}
		if strings.TrimLeft(rest, " \t\r\n") != rest {
			return bad("there is white space inside it; write it without, as in c3-d4")
		}
		square, problem := scanSquare(rest)
		if problem != "" {
			return bad("%s", problem)
		}
		n.path[n.length] = square
		n.length++
		n.trailing = false
		rest = rest[2:]
	}
	return n, nil
}

// scanSquare reads the square that s begins with, or says why there is none.
func scanSquare(s string) (square Square, problem string) {
	const most = 9
	if len(s) < 2 {
		return 0, fmt.Sprintf("%s is not a square; a square is a file and a rank, such as c3", excerpt(s))
	}
	file, rank := int(s[0]|('a'-'A'))-'a', int(s[1])-'1'
	letter := 'a' <= s[0] && s[0] <= 'z' || 'A' <= s[0] && s[0] <= 'Z'
	if !letter || file < 0 || file >= most || rank < 0 || rank >= most {
		return 0, fmt.Sprintf("%s does not begin with a square; a square is the letter of a file and the number of a rank, such as c3", excerpt(s))
	}
	if !playable(file, rank) {
		return 0, fmt.Sprintf("%s is not played on: file number + rank number must be even", strings.ToLower(s[:2]))
	}
	return squareAt(file, rank), ""
}

// kind returns the kind of move that is written, or says why it is none.
func (n *notation) kind() (kind MoveKind, problem string) {
	switch {
	case n.trailing:
		return 0, "a square is missing after the last separator"
	case n.length == 1:
		return Entry, ""
	case n.mixed:
		return 0, "its separators differ; the squares of a capture are all separated by x (or all by :)"
	case n.separator == 'x' || n.separator == ':':
		return Capture, ""
	case n.length == 2:
		return Step, ""
	}
	return 0, "the squares of a capture are separated by x, as in d4xb6xd8; a step has two squares, as in c3-d4"
}

// fits returns an error if n names a square that the board does not have.
func (n *notation) fits(b Board) error {
	for _, square := range n.squares() {
		if !b.Has(square) {
			return &Refusal{Reason: MoveMalformed, Problem: fmt.Sprintf("%s is not on the %s board", square, b)}
		}
	}
	return nil
}

// ParseMove reads a move of p in any of the accepted notations: the canonical ones; any case;
// surrounding white space; a shadowpiece without its number ("c3"); a step without its hyphen
// ("c3d4"); a capture with colons, or with its first and last square only if one legal capture
// alone fits. Any error is a *Refusal and names the first rule, in the order of the rules, that the
// move breaks.
func (p *Position) ParseMove(s string) (Move, error) {
	n, kind, err := p.readMove(s)
	if err != nil {
		return 0, err
	}
	return p.findMove(&n, kind, p.AppendMoves(make([]Move, 0, 64)))
}

// readMove reads what is written, without asking whether it is legal.
func (p *Position) readMove(s string) (n notation, kind MoveKind, err error) {
	if n, err = scanMove(s); err != nil {
		return n, 0, err
	}
	kind, problem := n.kind()
	if problem != "" {
		return n, 0, &Refusal{Reason: MoveMalformed, Problem: problem}
	}
	return n, kind, n.fits(p.board)
}

// findMove returns the legal move that is written, or the refusal of what is.
func (p *Position) findMove(n *notation, kind MoveKind, legal []Move) (Move, error) {
	switch kind {
	case Entry:
		m := newEntry(n.path[0], p.entering())
		if slices.Contains(legal, m) && (n.men == 0 || n.men == m.Men()) {
			return m, nil
		}
		return 0, p.refuseEntry(n.path[0], n.men, legal)
	case Step:
		m := newStep(n.path[0], n.path[1])
		if slices.Contains(legal, m) {
			return m, nil
		}
		return 0, p.refuseStep(n.path[0], n.path[1], legal)
	}
	if n.length > 2 {
		if m, ok := captureAlong(n.squares()); ok && slices.Contains(legal, m) {
			return m, nil
		}
		return 0, p.refuseCapture(n.squares(), legal)
	}
	var fits []Move
	for _, m := range legal {
		if m.Kind() == Capture && m.From() == n.path[0] && m.To() == n.path[1] {
			fits = append(fits, m)
		}
	}
	switch len(fits) {
	case 0:
		return 0, p.refuseCapture(n.squares(), legal)
	case 1:
		return fits[0], nil
	}
	return 0, &Refusal{Reason: MoveAmbiguous, Square: n.path[0], Other: n.path[1], Number: len(fits), Moves: examples(fits)}
}

// captureAlong returns the capture with the given path, if it consists of jumps at all.
func captureAlong(path []Square) (m Move, ok bool) {
	m = newCapture(path[0])
	for i := range len(path) - 1 {
		over, ok := between(path[i], path[i+1])
		if !ok {
			return 0, false
		}
		m = m.jumping(directionOf(path[i], over), path[i+1])
	}
	return m, true
}

// between returns the square in the middle of a jump, or ok = false if no jump leads from one
// square to the other.
func between(from, to Square) (over Square, ok bool) {
	for rest := neighbours[from%squareLimit]; rest != 0; rest = rest.Rest() {
		if over := rest.First(); from.beyond(over) == to {
			return over, true
		}
	}
	return 0, false
}

// A Prefix is the beginning of a move: the squares named so far. The zero Prefix names none, so
// every move begins with it.
type Prefix struct{ n notation }

// ParsePrefix reads the beginning of a move on the board of p: one square or more, with any
// separators, as in "d4", "d4x" or "d4xb6". A whole move is accepted too. Any error is a *Refusal
// with reason MoveMalformed.
func (p *Position) ParsePrefix(s string) (Prefix, error) {
	n, err := scanMove(s)
	if err == nil {
		err = n.fits(p.board)
	}
	if err != nil {
		return Prefix{}, err
	}
	return Prefix{n}, nil
}

// Select returns the moves that begin with the prefix and the squares that they name next, without
// repeats. moves must be in canonical order, which both results keep. It reuses the memory of
// moves.
func (x *Prefix) Select(moves []Move) (begin []Move, next []Square) {
	given := x.n.squares()
	begin = moves[:0]
	var buf [MaxJumps + 1]Square
	for _, m := range moves {
		if x.n.men != 0 && (m.Kind() != Entry || m.Men() != x.n.men) {
			continue
		}
		path := m.AppendPath(buf[:0])
		if len(given) > len(path) || !slices.Equal(given, path[:len(given)]) {
			continue
		}
		begin = append(begin, m)
		if path = path[len(given):]; len(path) > 0 && (len(next) == 0 || next[len(next)-1] != path[0]) {
			next = append(next, path[0])
		}
	}
	return begin, next
}
