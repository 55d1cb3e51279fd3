package emergo_test

// The reason why a move is refused, read once more from the rules on the oracle's board, for random wrong moves.

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// A wrongMove is a move that can be read and is not legal: squares and what stands between them.
type wrongMove struct {
	path      []oracleSquare
	separator string // "x", "-" or, of an entry, none
	men       int    // of an entry; 0 if not said
}

func (m wrongMove) String() string {
	names := make([]string, len(m.path))
	for i, s := range m.path {
		names[i] = s.String()
	}
	text := strings.Join(names, m.separator)
	if m.men > 0 {
		text += "*" + strconv.Itoa(m.men)
	}
	return text
}

// firstRule lists the refusals that name the first rule broken: more than one if the rule leaves a choice, such as
// between several pieces that could capture what is fed.
func (p oraclePosition) firstRule(m wrongMove) []refusal {
	hand := p.inHand(p.side)
	switch {
	case p.canCapture(p.side) && m.separator != "x":
		return []refusal{{reason: emergo.CaptureObligatory, number: p.majority(), moves: someOf(p.legal())}}
	case p.canCapture(p.side):
		return p.firstRuleOfCapture(m.path)
	case hand > 0 && m.separator != "":
		return []refusal{{reason: emergo.EntryObligatory, number: hand, moves: someOf(p.legal())}}
	case hand > 0:
		return p.firstRuleOfEntry(m.path[0], m.men)
	case m.separator == "":
		return []refusal{{reason: emergo.NoMenInHand, moves: someOf(p.legal())}}
	case m.separator == "-":
		return p.firstRuleOfStep(m.path[0], m.path[1])
	}
	return p.firstRuleOfCapture(m.path)
}

// majority is the number of men that the legal captures take.
func (p oraclePosition) majority() int { return strings.Count(p.legal()[0], "x") }

// someOf names three moves at most.
func someOf(moves []string) string { return strings.Join(moves[:min(3, len(moves))], " ") }

func (p oraclePosition) firstRuleOfEntry(s oracleSquare, men int) []refusal {
	switch {
	case !p.at(s).vacant():
		return []refusal{{reason: emergo.SquareOccupied, square: s.String()}}
	case men > 0 && men != p.menToEnter():
		return []refusal{{reason: emergo.EntryCountWrong, square: s.String(), men: men, number: p.menToEnter()}}
	case p.isFirstOnCentre(s):
		return []refusal{{reason: emergo.EntryOnCentre, square: s.String()}}
	}
	after := p.afterEntry(s)
	var feeds []refusal
	for _, from := range oracleSquares[p.size] {
		for _, d := range oracleDirections {
			if after.at(from).ownedBy(oracleOpponent(p.side)) && after.canJump(from, d) {
				feeds = append(feeds, refusal{reason: emergo.EntryFeeds, square: s.String(), other: from.String()})
			}
		}
	}
	return feeds
}

func (p oraclePosition) firstRuleOfStep(from, to oracleSquare) []refusal {
	if why := p.firstRuleOfOrigin(from); why != nil {
		return why
	}
	for _, d := range oracleDirections {
		if from.next(d) == to {
			return []refusal{{reason: emergo.SquareOccupied, square: to.String()}}
		}
	}
	return []refusal{{reason: emergo.NotAdjacent, square: to.String(), other: from.String()}}
}

func (p oraclePosition) firstRuleOfOrigin(from oracleSquare) []refusal {
	switch {
	case p.at(from).vacant():
		return []refusal{{reason: emergo.SquareEmpty, square: from.String()}}
	case !p.at(from).ownedBy(p.side):
		return []refusal{{reason: emergo.PieceNotOwned, square: from.String()}}
	}
	return nil
}

// oracleJump is the direction of a jump, or ok = false if two squares are not a jump apart.
func oracleJump(from, to oracleSquare) (d oracleDirection, ok bool) {
	for _, d := range oracleDirections {
		if from.next(d).next(d) == to {
			return d, true
		}
	}
	return oracleDirection{}, false
}

func (p oraclePosition) firstRuleOfCapture(path []oracleSquare) []refusal {
	if why := p.firstRuleOfOrigin(path[0]); why != nil {
		return why
	}
	if _, ok := oracleJump(path[0], path[1]); !ok && len(path) == 2 {
		return p.firstRuleOfEnds(path[0], path[1])
	}
	board := p
	var last *oracleDirection
	for i, to := range path[1:] {
		from := path[i]
		d, ok := oracleJump(from, to)
		over := from.next(d)
		jump := refusal{square: over.String(), other: from.String()}
		switch {
		case !ok:
			return []refusal{{reason: emergo.NotAdjacent, square: to.String(), other: from.String()}}
		case board.at(over).vacant():
			jump.reason = emergo.NothingToCapture
		case board.at(over).ownedBy(p.side):
			jump.reason = emergo.JumpsOwnPiece
		case !board.at(to).vacant():
			return []refusal{{reason: emergo.SquareOccupied, square: to.String()}}
		case last != nil && d == last.back():
			jump.reason = emergo.CaptureReverses
		}
		if jump.reason != 0 {
			return []refusal{jump}
		}
		board = board.afterJump(from, d)
		last = &d
	}
	return p.firstRuleOfWholeJumps(path, board, last)
}

// firstRuleOfWholeJumps is about a path whose jumps are all right, with the board after it.
func (p oraclePosition) firstRuleOfWholeJumps(path []oracleSquare, board oraclePosition, last *oracleDirection) []refusal {
	end, taken := path[len(path)-1], len(path)-1
	var goesOn []refusal
	for _, d := range oracleDirections {
		if d != last.back() && board.canJump(end, d) {
			goesOn = append(goesOn, refusal{reason: emergo.CaptureIncomplete, square: end.String(), other: end.next(d).next(d).String(), men: taken})
		}
	}
	if len(goesOn) > 0 {
		return goesOn
	}
	return []refusal{{reason: emergo.CaptureNotMaximal, square: path[0].String(), men: taken, number: p.majority(), moves: someOf(p.legal())}}
}

// firstRuleOfEnds is about a capture named by its ends that is not legal: some whole sequence that ends there if there
// is one, otherwise one that could go on from there.
func (p oraclePosition) firstRuleOfEnds(from, to oracleSquare) []refusal {
	var whole, begun []refusal
	for _, path := range p.sequences([]oracleSquare{from}, nil) {
		for n := 2; n <= len(path); n++ {
			switch {
			case path[n-1] != to:
			case n == len(path):
				whole = append(whole, p.firstRuleOfCapture(path)...)
			default:
				begun = append(begun, p.firstRuleOfCapture(path[:n])...)
			}
		}
	}
	switch {
	case len(whole) > 0:
		return whole
	case len(begun) > 0:
		return begun
	}
	return []refusal{{reason: emergo.NotAdjacent, square: to.String(), other: from.String()}}
}

// movers are the own pieces, but only those that can capture if any can.
func (p oraclePosition) movers() []oracleSquare {
	var own, jumpers []oracleSquare
	for _, s := range oracleSquares[p.size] {
		if p.at(s).ownedBy(p.side) {
			own = append(own, s)
			if slices.ContainsFunc(oracleDirections, func(d oracleDirection) bool { return p.canJump(s, d) }) {
				jumpers = append(jumpers, s)
			}
		}
	}
	if len(jumpers) > 0 {
		return jumpers
	}
	return own
}

// randomMove makes a move that is mostly wrong, but not by much.
func randomMove(r *rand.Rand, p oraclePosition) wrongMove {
	squares := oracleSquares[p.size]
	anywhere := func() oracleSquare { return squares[r.IntN(len(squares))] }
	from := anywhere()
	if movers := p.movers(); len(movers) > 0 && r.IntN(5) > 0 {
		from = movers[r.IntN(len(movers))]
	}
	near := func(s oracleSquare, distance int) oracleSquare {
		for range 4 {
			d := oracleDirections[r.IntN(4)]
			to := s
			for range distance {
				to = to.next(d)
			}
			if p.exists(to) {
				return to
			}
		}
		return anywhere()
	}
	entry := func() wrongMove {
		m := wrongMove{path: []oracleSquare{anywhere()}}
		if r.IntN(6) == 0 {
			m.path[0] = oracleCentre[p.size]
		}
		if r.IntN(4) == 0 {
			m.men = 2 + r.IntN(11)
		}
		return m
	}
	step := func() wrongMove {
		to := []oracleSquare{near(from, 1), near(from, 1), near(from, 2), anywhere()}[r.IntN(4)]
		return wrongMove{path: []oracleSquare{from, to}, separator: "-"}
	}
	capture := func() wrongMove { return wrongMove{path: randomJumps(r, p, from, near), separator: "x"} }
	switch n := r.IntN(10); {
	case n > 2 && p.canCapture(p.side):
		return capture()
	case n > 2 && p.inHand(p.side) > 0:
		return entry()
	case n > 2:
		return step()
	}
	return []func() wrongMove{entry, step, capture}[r.IntN(3)]()
}

// randomJumps makes the path of a capture: some good jumps as long as there are any, then perhaps one more of any kind,
// or the ends alone.
func randomJumps(r *rand.Rand, p oraclePosition, from oracleSquare, near func(oracleSquare, int) oracleSquare) []oracleSquare {
	path := []oracleSquare{from}
	if p.at(from).ownedBy(p.side) {
		if whole := p.sequences(path, nil); len(whole) > 0 {
			path = whole[r.IntN(len(whole))]
			path = path[:1+r.IntN(len(path))]
		}
	}
	end := path[len(path)-1]
	switch r.IntN(6) {
	case 0:
		if len(path) > 1 {
			path = append(slices.Clone(path), path[len(path)-2]) // straight back
		}
	case 1:
		path = append(slices.Clone(path), near(end, 2))
	case 2:
		path = []oracleSquare{path[0], end}
	case 3:
		path = []oracleSquare{path[0], near(near(end, 2), 2)}
	}
	if len(path) == 1 {
		path = append(slices.Clone(path), near(end, 2))
	}
	return path[:min(len(path), emergo.MaxJumps+1)]
}

func TestFirstRuleBroken(t *testing.T) {
	const seed = 7
	positions := 20_000
	if testing.Short() {
		positions = 2_000
	}
	r := rand.New(rand.NewPCG(seed, 0))
	seen := map[emergo.Reason]int{}
	for range positions {
		oracle := oracleRandomPosition(r, 9-2*r.IntN(2))
		p := position(t, oracle.String())
		fits := spellings(oracle.legal())
		for range 5 {
			m := randomMove(r, oracle)
			if len(fits[m.String()]) > 0 {
				continue
			}
			accepted, err := p.ParseMove(m.String())
			if err == nil {
				t.Fatalf("seed %d: %v: %v is accepted as %v", seed, oracle, m, accepted)
			}
			got, want := refusalOf(t, err), oracle.firstRule(m)
			if !slices.Contains(want, got) {
				t.Fatalf("seed %d: %v: %v is refused for %v, want one of %v", seed, oracle, m, got, want)
			}
			seen[got.reason]++
		}
	}
	for reason := emergo.CaptureObligatory; reason <= emergo.CaptureNotMaximal; reason++ {
		t.Logf("%6d %v", seen[reason], reason)
		if seen[reason] == 0 {
			t.Errorf("no move was refused for %v", reason)
		}
	}
}
