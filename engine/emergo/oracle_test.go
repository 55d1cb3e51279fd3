package emergo_test

// A second implementation of the rules, to check the engine against. It knows nothing of the engine, and it is
// slow and literal on purpose: a piece is the list of its men, a move is played on a copy of the board, and the
// functions follow rules.md from top to bottom.

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// ---- Words ----

// The colours of men and sides.
const (
	oracleWhite byte = 'w'
	oracleBlack byte = 'b'
)

// oracleOpponent is the other side.
func oracleOpponent(color byte) byte {
	if color == oracleWhite {
		return oracleBlack
	}
	return oracleWhite
}

// oracleColumn is a piece: its men from bottom to top, one letter each ("wbb" is two black men over one white
// prisoner). The empty column is a vacant square.
type oracleColumn string

// oracleMen is a column of n men of one colour.
func oracleMen(color byte, n int) oracleColumn {
	return oracleColumn(strings.Repeat(string(color), n))
}

// vacant: no man stands here.
func (c oracleColumn) vacant() bool { return c == "" }

// top is the man on top.
func (c oracleColumn) top() byte { return c[len(c)-1] }

// ownedBy: "The man on top decides the owner."
func (c oracleColumn) ownedBy(color byte) bool { return !c.vacant() && c.top() == color }

// capSize: the cap is "the run of same-coloured men on top".
func (c oracleColumn) capSize() int {
	n := 0
	for n < len(c) && c[len(c)-1-n] == c.top() {
		n++
	}
	return n
}

// prisoners are "the men below the cap".
func (c oracleColumn) prisoners() int { return len(c) - c.capSize() }

// count is the number of men of one colour in the column.
func (c oracleColumn) count(color byte) int { return strings.Count(string(c), string(color)) }

// oracleMenOfSize: "12 of each on 9x9, 8 of each on 7x7".
var oracleMenOfSize = map[int]int{9: 12, 7: 8}

// ---- Board ----

// oracleSquare has file and rank counted from 1, as on the board's rim.
type oracleSquare struct{ file, rank int }

func (sq oracleSquare) String() string {
	return string(rune('a'+sq.file-1)) + strconv.Itoa(sq.rank)
}

// oracleReadSquare reads a square such as "c3".
func oracleReadSquare(s string) oracleSquare {
	return oracleSquare{file: int(s[0]-'a') + 1, rank: int(s[1]-'1') + 1}
}

// playable: "Only the squares whose file number + rank number is even are played on".
func (sq oracleSquare) playable() bool { return (sq.file+sq.rank)%2 == 0 }

// oracleDirection is one of the four diagonals. "All movement is diagonal."
type oracleDirection struct{ file, rank int }

var oracleDirections = []oracleDirection{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}

// back is the direction turned by 180 degrees.
func (d oracleDirection) back() oracleDirection { return oracleDirection{-d.file, -d.rank} }

// next is the square one step further.
func (sq oracleSquare) next(d oracleDirection) oracleSquare {
	return oracleSquare{sq.file + d.file, sq.rank + d.rank}
}

// oracleSquares lists the playable squares of each board: 41 on 9x9, 25 on 7x7.
var oracleSquares = map[int][]oracleSquare{9: oracleListSquares(9), 7: oracleListSquares(7)}

func oracleListSquares(size int) []oracleSquare {
	var squares []oracleSquare
	for file := 1; file <= size; file++ {
		for rank := 1; rank <= size; rank++ {
			if sq := (oracleSquare{file, rank}); sq.playable() {
				squares = append(squares, sq)
			}
		}
	}
	return squares
}

// oracleCentre: "e5 on 9x9, d4 on 7x7".
var oracleCentre = map[int]oracleSquare{9: {5, 5}, 7: {4, 4}}

// oraclePosition is a board with the men in hand, the side to move and the ply. It is a plain value: assigning
// it copies the whole board.
type oraclePosition struct {
	size      int                  // 9 or 7
	board     [10][10]oracleColumn // by file and rank, both from 1
	side      byte                 // to move
	ply       int
	whiteHand int
	blackHand int
}

func (p *oraclePosition) at(sq oracleSquare) oracleColumn     { return p.board[sq.file][sq.rank] }
func (p *oraclePosition) put(sq oracleSquare, c oracleColumn) { p.board[sq.file][sq.rank] = c }

// exists: the square lies on the board.
func (p *oraclePosition) exists(sq oracleSquare) bool {
	return 1 <= sq.file && sq.file <= p.size && 1 <= sq.rank && sq.rank <= p.size
}

// inHand is the number of men not yet entered.
func (p *oraclePosition) inHand(color byte) int {
	if color == oracleWhite {
		return p.whiteHand
	}
	return p.blackHand
}

// menOnBoard counts the men of a colour on the board, caps and prisoners alike.
func (p *oraclePosition) menOnBoard(color byte) int {
	n := 0
	for _, sq := range oracleSquares[p.size] {
		n += p.at(sq).count(color)
	}
	return n
}

// pieceCount is the number of pieces on the board, of both sides.
func (p oraclePosition) pieceCount() int {
	n := 0
	for _, sq := range oracleSquares[p.size] {
		if !p.at(sq).vacant() {
			n++
		}
	}
	return n
}

// ownsPiece: the side has a piece on the board.
func (p *oraclePosition) ownsPiece(color byte) bool {
	for _, sq := range oracleSquares[p.size] {
		if p.at(sq).ownedBy(color) {
			return true
		}
	}
	return false
}

// ---- Turn ----

// legal lists all legal moves in canonical notation and byte order: captures, otherwise entries if there are men
// in hand, otherwise steps.
func (p oraclePosition) legal() []string {
	var moves []string
	switch {
	case p.canCapture(p.side):
		moves = p.captures()
	case p.inHand(p.side) > 0:
		moves = p.entries()
	default:
		moves = p.steps()
	}
	slices.Sort(moves)
	return moves
}

// menToEnter: "one man", but "all its remaining men as one piece" if the opponent has no man in hand.
func (p *oraclePosition) menToEnter() int {
	if p.inHand(oracleOpponent(p.side)) == 0 {
		return p.inHand(p.side)
	}
	return 1
}

// entries lists the legal entries: "any vacant playable square" within the entering limits.
func (p *oraclePosition) entries() []string {
	var moves []string
	for _, sq := range oracleSquares[p.size] {
		if !p.at(sq).vacant() || p.isFirstOnCentre(sq) || p.feeds(sq) {
			continue
		}
		move := sq.String()
		if n := p.menToEnter(); n > 1 {
			move += "*" + strconv.Itoa(n)
		}
		moves = append(moves, move)
	}
	return moves
}

// isFirstOnCentre: "White's very first entry may not be on the centre." As men never leave the board, it is the
// first as long as no white man is there.
func (p *oraclePosition) isFirstOnCentre(sq oracleSquare) bool {
	return p.side == oracleWhite && p.menOnBoard(oracleWhite) == 0 && sq == oracleCentre[p.size]
}

// feeds: "An entry may not give the opponent a capture, unless the opponent could already capture something
// before the entry."
func (p *oraclePosition) feeds(sq oracleSquare) bool {
	opponent := oracleOpponent(p.side)
	return !p.canCapture(opponent) && p.afterEntry(sq).canCapture(opponent)
}

// steps lists the steps: "one of its pieces one square diagonally, any of four directions, to a vacant square".
func (p *oraclePosition) steps() []string {
	var moves []string
	for _, from := range oracleSquares[p.size] {
		if !p.at(from).ownedBy(p.side) {
			continue
		}
		for _, d := range oracleDirections {
			if to := from.next(d); p.exists(to) && p.at(to).vacant() {
				moves = append(moves, from.String()+"-"+to.String())
			}
		}
	}
	return moves
}

// ---- Capture ----

// canJump: "A piece jumps a diagonally adjacent enemy-owned piece onto the square straight behind it, which must
// exist and be vacant."
func (p *oraclePosition) canJump(from oracleSquare, d oracleDirection) bool {
	over := from.next(d)
	to := over.next(d)
	return p.exists(to) && p.at(over).ownedBy(oracleOpponent(p.at(from).top())) && p.at(to).vacant()
}

// canCapture tells whether any piece of the colour, to move or not, has something to jump.
func (p oraclePosition) canCapture(color byte) bool {
	for _, from := range oracleSquares[p.size] {
		if !p.at(from).ownedBy(color) {
			continue
		}
		for _, d := range oracleDirections {
			if p.canJump(from, d) {
				return true
			}
		}
	}
	return false
}

// afterJump is the position after one jump: the top man of the jumped piece goes to the bottom of the jumper, and
// "the rest of the jumped piece stays"; both the jumper's old square and an emptied one are "vacant at once".
func (p oraclePosition) afterJump(from oracleSquare, d oracleDirection) oraclePosition {
	over := from.next(d)
	to := over.next(d)
	jumper, jumped := p.at(from), p.at(over)
	p.put(from, "")
	p.put(over, jumped[:len(jumped)-1])
	p.put(to, jumped[len(jumped)-1:]+jumper)
	return p
}

// captures: "Majority: of all capture sequences of all the mover's pieces, only those taking the most men are
// legal. One jump takes one man."
func (p *oraclePosition) captures() []string {
	var sequences [][]oracleSquare
	for _, from := range oracleSquares[p.size] {
		if p.at(from).ownedBy(p.side) {
			sequences = append(sequences, p.sequences([]oracleSquare{from}, nil)...)
		}
	}
	most := 0
	for _, path := range sequences {
		most = max(most, len(path))
	}
	var moves []string
	for _, path := range sequences {
		if len(path) == most {
			moves = append(moves, oracleWritePath(path))
		}
	}
	return moves
}

// sequences lists the whole paths that begin with path, whose last square is where the piece now stands: it goes
// on "as long as possible, in any direction except straight back over the line of the jump just made".
func (p *oraclePosition) sequences(path []oracleSquare, last *oracleDirection) [][]oracleSquare {
	from := path[len(path)-1]
	var found [][]oracleSquare
	for _, d := range oracleDirections {
		if last != nil && d == last.back() {
			continue
		}
		if !p.canJump(from, d) {
			continue
		}
		after := p.afterJump(from, d)
		longer := append(slices.Clone(path), from.next(d).next(d))
		found = append(found, after.sequences(longer, &d)...)
	}
	if len(found) == 0 && len(path) > 1 { // no way on: the sequence ends here
		found = [][]oracleSquare{path}
	}
	return found
}

// oracleWritePath joins the start and every landing square: "d4xb6xd8xf6".
func oracleWritePath(path []oracleSquare) string {
	names := make([]string, len(path))
	for i, sq := range path {
		names[i] = sq.String()
	}
	return strings.Join(names, "x")
}

// ---- Playing a move ----

// play plays a legal move, given in canonical notation.
func (p oraclePosition) play(move string) oraclePosition {
	switch {
	case strings.Contains(move, "x"):
		path := strings.Split(move, "x")
		for i := 1; i < len(path); i++ {
			from, to := oracleReadSquare(path[i-1]), oracleReadSquare(path[i])
			p = p.afterJump(from, oracleDirection{(to.file - from.file) / 2, (to.rank - from.rank) / 2})
		}
	case strings.Contains(move, "-"):
		from, to, _ := strings.Cut(move, "-")
		p = p.afterStep(oracleReadSquare(from), oracleReadSquare(to))
	default:
		p = p.afterEntry(oracleReadSquare(move[:2]))
	}
	p.side = oracleOpponent(p.side)
	p.ply++
	return p
}

// afterStep is the position with the piece moved.
func (p oraclePosition) afterStep(from, to oracleSquare) oraclePosition {
	p.put(to, p.at(from))
	p.put(from, "")
	return p
}

// afterEntry is the position with the men from the hand of the side to move put on the square.
func (p oraclePosition) afterEntry(sq oracleSquare) oraclePosition {
	n := p.menToEnter()
	p.put(sq, oracleMen(p.side, n))
	if p.side == oracleWhite {
		p.whiteHand -= n
	} else {
		p.blackHand -= n
	}
	return p
}

// ---- End ----

// hasNothing: "The side to move owns no piece and has no man in hand".
func (p *oraclePosition) hasNothing() bool {
	return !p.ownsPiece(p.side) && p.inHand(p.side) == 0
}

// isBlocked: "The side to move has a piece or a man in hand but no legal move".
func (p *oraclePosition) isBlocked() bool {
	return !p.hasNothing() && len(p.legal()) == 0
}

// oracleLossOf is the result when the colour has lost.
func oracleLossOf(color byte) string {
	if color == oracleWhite {
		return "0-1"
	}
	return "1-0"
}

// result is what the position alone says: 1-0, 0-1, 1/2, or * for a game that goes on.
func (p oraclePosition) result(blockedLoses bool) string {
	switch {
	case p.hasNothing():
		return oracleLossOf(p.side)
	case p.isBlocked() && blockedLoses:
		return oracleLossOf(p.side)
	case p.isBlocked():
		return "1/2"
	}
	return "*"
}

// same: "Position = board, men in hand, side to move (not the ply)."
func (p oraclePosition) same(q oraclePosition) bool {
	p.ply = q.ply
	return p == q
}

// oracleGame is a game played from a position, with every position that occurred in it, the first and the
// present one included. The zero ruleset is the standard one.
type oracleGame struct {
	history         []oraclePosition
	blockedLoses    bool
	noProgressLimit int // plies; 0 is off
}

func oracleNewGame(start oraclePosition) *oracleGame {
	return &oracleGame{history: []oraclePosition{start}}
}

// position is the present one.
func (g *oracleGame) position() oraclePosition { return g.history[len(g.history)-1] }

// play plays a legal move, given in canonical notation.
func (g *oracleGame) play(move string) { g.history = append(g.history, g.position().play(move)) }

// occurrences counts how often the present position has occurred, this time included.
func (g *oracleGame) occurrences() int {
	n := 0
	for _, earlier := range g.history {
		if earlier.same(g.position()) {
			n++
		}
	}
	return n
}

// oracleIrreversible: "What can never be undone is an entry, and a capture that leaves fewer pieces on the board".
func oracleIrreversible(before, after oraclePosition) bool {
	entered := after.whiteHand < before.whiteHand || after.blackHand < before.blackHand
	return entered || after.pieceCount() < before.pieceCount()
}

// pliesWithoutProgress counts the plies played since the last irreversible move, or since the first position.
func (g *oracleGame) pliesWithoutProgress() int {
	n := 0
	for i := len(g.history) - 1; i > 0 && !oracleIrreversible(g.history[i-1], g.history[i]); i-- {
		n++
	}
	return n
}

// outcome is the result and its reason; "*" and no reason while the game goes on. What the position itself says
// comes first, then repetition, then the platform's limit.
func (g *oracleGame) outcome() (result, reason string) {
	p := g.position()
	switch {
	case p.hasNothing():
		return p.result(g.blockedLoses), "no pieces"
	case p.isBlocked():
		return p.result(g.blockedLoses), "blocked"
	case g.occurrences() >= 3:
		return "1/2", "repetition"
	case g.noProgressLimit > 0 && g.pliesWithoutProgress() >= g.noProgressLimit:
		return "1/2", "no progress"
	}
	return "*", ""
}

// ---- Position string ----

// String writes `<rows> <side> <ply> <white in hand>,<black in hand>`.
func (p oraclePosition) String() string {
	var rows []string
	for rank := p.size; rank >= 1; rank-- {
		rows = append(rows, p.row(rank))
	}
	return fmt.Sprintf("%s %c %d %d,%d", strings.Join(rows, "/"), p.side, p.ply, p.whiteHand, p.blackHand)
}

// row writes one rank: "digits count squares to skip, and a piece is two characters".
func (p *oraclePosition) row(rank int) string {
	row, skip := "", 0
	flush := func() {
		if skip > 0 {
			row += strconv.Itoa(skip)
		}
		skip = 0
	}
	for file := 1; file <= p.size; file++ {
		c := p.at(oracleSquare{file, rank})
		if c.vacant() {
			skip++
			continue
		}
		flush()
		row += oracleWriteColumn(c)
	}
	flush()
	return row
}

// oracleLetters stand for the numbers 0 to 12.
const oracleLetters = "@ABCDEFGHIJKL"

// oracleWriteColumn writes the cap, then the prisoners: "upper case when White owns the piece, lower case when
// Black does".
func oracleWriteColumn(c oracleColumn) string {
	letters := string(oracleLetters[c.capSize()]) + string(oracleLetters[c.prisoners()])
	if c.ownedBy(oracleBlack) {
		return strings.ToLower(letters)
	}
	return letters
}

// oracleReadColumn is the reverse.
func oracleReadColumn(s string) (oracleColumn, error) {
	owner := oracleWhite
	if s == strings.ToLower(s) {
		owner = oracleBlack
	} else if s != strings.ToUpper(s) {
		return "", fmt.Errorf("piece %q mixes upper and lower case", s)
	}
	letters := strings.ToUpper(s)
	size := strings.IndexByte(oracleLetters, letters[0])
	prisoners := strings.IndexByte(oracleLetters, letters[1])
	if size < 1 || prisoners < 0 {
		return "", fmt.Errorf("piece %q is not a cap A to L and prisoners @ or A to L", s)
	}
	return oracleMen(oracleOpponent(owner), prisoners) + oracleMen(owner, size), nil
}

// oracleReadNumber reads a decimal number from 0 to the maximum; leading zeros do not matter.
func oracleReadNumber(s string, maximum int) (int, error) {
	if s == "" {
		return 0, errors.New("a number is missing")
	}
	n := 0
	for _, digit := range []byte(s) {
		if digit < '0' || digit > '9' {
			return 0, errors.New("a number holds something else than digits")
		}
		n = 10*n + int(digit-'0')
		if n > maximum {
			return 0, fmt.Errorf("a number is above %d", maximum)
		}
	}
	return n, nil
}

// readRow reads one rank on to the board.
func (p *oraclePosition) readRow(rank int, row string) error {
	file := 1
	for len(row) > 0 {
		if file > p.size {
			return fmt.Errorf("row %d is wider than the board", rank)
		}
		if '1' <= row[0] && row[0] <= '9' {
			file += int(row[0] - '0')
			row = row[1:]
			continue
		}
		if len(row) < 2 {
			return fmt.Errorf("row %d ends in half a piece", rank)
		}
		piece, err := oracleReadColumn(row[:2])
		if err != nil {
			return err
		}
		sq := oracleSquare{file, rank}
		if !sq.playable() {
			return fmt.Errorf("a piece on %v, which is not played on", sq)
		}
		p.put(sq, piece)
		file++
		row = row[2:]
	}
	if file != p.size+1 {
		return fmt.Errorf("row %d is not as wide as the board", rank)
	}
	return nil
}

// oracleParse reads a position string. It lets pass what changes nothing (more spaces around the four fields,
// several digits in a row, leading zeros) and refuses everything else that rules.md does not say.
func oracleParse(s string) (oraclePosition, error) {
	var p, none oraclePosition
	for _, c := range []byte(s) {
		if c > 127 {
			return none, errors.New("not ASCII")
		}
	}
	fields := strings.FieldsFunc(s, func(c rune) bool { return c == ' ' })
	if len(fields) != 4 {
		return none, fmt.Errorf("%d fields, not four", len(fields))
	}

	rows := strings.Split(fields[0], "/")
	p.size = len(rows) // "The number of rows (9 or 7) gives the board."
	if p.size != 9 && p.size != 7 {
		return none, fmt.Errorf("%d rows, neither 9 nor 7", p.size)
	}
	for i, row := range rows { // "from the top rank down to rank 1"
		if err := p.readRow(p.size-i, row); err != nil {
			return none, err
		}
	}

	if fields[1] != "w" && fields[1] != "b" {
		return none, errors.New("the side is neither w nor b")
	}
	p.side = fields[1][0]

	var err error
	if p.ply, err = oracleReadNumber(fields[2], 2147483647); err != nil {
		return none, fmt.Errorf("ply: %w", err)
	}

	men := oracleMenOfSize[p.size]
	hands := strings.Split(fields[3], ",")
	if len(hands) != 2 {
		return none, errors.New("men in hand are not two numbers")
	}
	if p.whiteHand, err = oracleReadNumber(hands[0], men); err != nil {
		return none, fmt.Errorf("white in hand: %w", err)
	}
	if p.blackHand, err = oracleReadNumber(hands[1], men); err != nil {
		return none, fmt.Errorf("black in hand: %w", err)
	}

	for _, color := range []byte{oracleWhite, oracleBlack} { // "12 of each on 9x9, 8 of each on 7x7"
		if n := p.menOnBoard(color) + p.inHand(color); n > men {
			return none, fmt.Errorf("%d men of %c, at most %d", n, color, men)
		}
	}
	return p, nil
}

// ---- Random positions ----

// oracleRandomPosition makes an arbitrary valid position: any number of men, in hand and on the board, stacked in
// few high or many low pieces, and more often than by pure chance next to each other with room behind.
func oracleRandomPosition(r *rand.Rand, size int) oraclePosition {
	p := oraclePosition{size: size, side: oracleWhite, ply: r.IntN(400)}
	if r.IntN(2) == 0 {
		p.side = oracleBlack
	}
	if r.IntN(20) == 0 {
		p.ply = r.IntN(2147483647)
	}

	whites, blacks := oracleRandomTotal(r, size), oracleRandomTotal(r, size)
	p.whiteHand, p.blackHand = oracleRandomHands(r, whites, blacks)
	pieces := oracleRandomPieces(r, whites-p.whiteHand, blacks-p.blackHand)
	for i, sq := range oracleRandomSquares(r, size, pieces) {
		p.put(sq, pieces[i])
	}
	return p
}

// oracleRandomTotal is the number of men of a colour: mostly all, otherwise any number.
func oracleRandomTotal(r *rand.Rand, size int) int {
	men := oracleMenOfSize[size]
	if r.IntN(3) > 0 {
		return men
	}
	return r.IntN(men + 1)
}

// oracleRandomHands leaves to both, to one or to neither of the sides some of its men in hand.
func oracleRandomHands(r *rand.Rand, whites, blacks int) (whiteHand, blackHand int) {
	switch r.IntN(8) {
	case 0:
		return r.IntN(whites + 1), r.IntN(blacks + 1)
	case 1:
		return r.IntN(whites + 1), 0
	case 2:
		return 0, r.IntN(blacks + 1)
	case 3:
		return r.IntN(min(whites, 3) + 1), r.IntN(min(blacks, 3) + 1)
	}
	return 0, 0
}

// oracleRandomPieces stacks the men of the board: some of them are given a square of their own, and each of the
// others joins any piece, above as its owner's man or below as a prisoner.
func oracleRandomPieces(r *rand.Rand, whites, blacks int) []oracleColumn {
	if whites+blacks == 0 {
		return nil
	}
	white, black := oracleRandomSplit(r, whites), oracleRandomSplit(r, blacks)
	if white+black == 0 { // somebody has to own the first piece
		white, black = min(whites, 1), min(blacks, 1)
	}
	var pieces []oracleColumn
	for range white {
		pieces = append(pieces, oracleMen(oracleWhite, 1))
	}
	for range black {
		pieces = append(pieces, oracleMen(oracleBlack, 1))
	}
	r.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })

	among := 1 + r.IntN(len(pieces)) // the men left over gather on so many pieces, low or high
	join := func(color byte) {
		i := r.IntN(among)
		if pieces[i].ownedBy(color) {
			pieces[i] += oracleMen(color, 1)
		} else {
			pieces[i] = oracleMen(color, 1) + pieces[i]
		}
	}
	for range whites - white {
		join(oracleWhite)
	}
	for range blacks - black {
		join(oracleBlack)
	}
	r.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	return pieces
}

// oracleRandomSplit is how many pieces so many men own: any number, or few, or nearly one for each man.
func oracleRandomSplit(r *rand.Rand, men int) int {
	switch r.IntN(3) {
	case 0:
		return min(men, 1+r.IntN(3))
	case 1:
		return max(0, men-r.IntN(4))
	}
	return r.IntN(men + 1)
}

// oracleRandomSquares gives each of the pieces a square of its own. Some boards are without any order. In some,
// most pieces stand in a cluster. In others, most pieces of one colour stand on the even files and ranks and the
// others on the odd ones, so that the squares behind a piece are often vacant and captures go a long way.
func oracleRandomSquares(r *rand.Rand, size int, pieces []oracleColumn) []oracleSquare {
	free := slices.Clone(oracleSquares[size])
	r.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	style := r.IntN(3)
	even := []byte{oracleWhite, oracleBlack}[r.IntN(2)]
	order := 50 + r.IntN(51) // per cent of the pieces that keep to the style

	var taken []oracleSquare
	for _, piece := range pieces {
		wanted := func(sq oracleSquare) bool { return true }
		if r.IntN(100) < order && style == 1 && len(taken) > 0 {
			mate := taken[r.IntN(len(taken))]
			wanted = func(sq oracleSquare) bool {
				return max(sq.file-mate.file, mate.file-sq.file) == 1 && max(sq.rank-mate.rank, mate.rank-sq.rank) == 1
			}
		}
		if r.IntN(100) < order && style == 2 {
			wanted = func(sq oracleSquare) bool { return (sq.file%2 == 0) == piece.ownedBy(even) }
		}
		i := max(0, slices.IndexFunc(free, wanted)) // the first wanted square, otherwise any
		taken = append(taken, free[i])
		free = slices.Delete(free, i, i+1)
	}
	return taken
}
