package emergorules

import (
	"github.com/luctor-et-emergo/emergod/engine/emergo"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// How the engine's values are named on the wire.
var (
	boards  = [...]emergov1.BoardSize{emergo.Board9x9: emergov1.BoardSize_BOARD_SIZE_9X9, emergo.Board7x7: emergov1.BoardSize_BOARD_SIZE_7X7}
	colors  = [...]emergov1.Color{emergo.White: emergov1.Color_COLOR_WHITE, emergo.Black: emergov1.Color_COLOR_BLACK}
	results = [...]emergov1.Result{
		emergo.Ongoing:   emergov1.Result_RESULT_ONGOING,
		emergo.WhiteWins: emergov1.Result_RESULT_WHITE_WINS,
		emergo.BlackWins: emergov1.Result_RESULT_BLACK_WINS,
		emergo.Draw:      emergov1.Result_RESULT_DRAW,
	}
	reasons = [...]emergov1.Reason{
		emergo.NotEnded:   emergov1.Reason_REASON_UNSPECIFIED,
		emergo.NoPieces:   emergov1.Reason_REASON_NO_PIECES,
		emergo.Blocked:    emergov1.Reason_REASON_BLOCKED,
		emergo.Repetition: emergov1.Reason_REASON_REPETITION,
		emergo.NoProgress: emergov1.Reason_REASON_NO_PROGRESS,
	}
)

// writeGame writes a game normalised: from its last irreversible move on. state is what it has come
// to.
func writeGame(g *emergo.Game, state *emergov1.State) *emergov1.Game {
	rules := g.Rules()
	ruleset := &emergov1.Ruleset{
		Board:           boards[g.Anchor().Board()],
		Blocked:         emergov1.BlockedResult_BLOCKED_RESULT_DRAW,
		NoProgressLimit: int32(rules.NoProgressLimit),
	}
	if rules.BlockedLoses {
		ruleset.Blocked = emergov1.BlockedResult_BLOCKED_RESULT_LOSS
	}
	if len(g.Moves()) == 0 {
		return &emergov1.Game{Ruleset: ruleset, Position: state.GetPosition()}
	}
	moves := make([]string, len(g.Moves()))
	for i, m := range g.Moves() {
		moves[i] = m.String()
	}
	return &emergov1.Game{Ruleset: ruleset, Position: g.Anchor().String(), Moves: moves}
}

func writeState(g *emergo.Game) *emergov1.State {
	p := g.Position()
	s := &emergov1.State{
		Position:             p.String(),
		Board:                boards[p.Board()],
		SideToMove:           colors[p.Turn()],
		Stage:                emergov1.Stage_STAGE_MOVEMENT,
		Pieces:               writePieces(p),
		WhiteInHand:          int32(p.InHand(emergo.White)),
		BlackInHand:          int32(p.InHand(emergo.Black)),
		Ply:                  int32(p.Ply()),
		Occurrences:          int32(g.Occurrences()),
		PliesWithoutProgress: int32(len(g.Moves())),
		CaptureObligatory:    g.CaptureObligatory(),
		Outcome:              writeOutcome(g.Outcome()),
	}
	if s.WhiteInHand > 0 || s.BlackInHand > 0 {
		s.Stage = emergov1.Stage_STAGE_ENTERING
	}
	return s
}

func writeOutcome(o emergo.Outcome) *emergov1.Outcome {
	return &emergov1.Outcome{Result: results[o.Result], Reason: reasons[o.End]}
}

func writePieces(p *emergo.Position) []*emergov1.Piece {
	// One allocation for all pieces: they are made and dropped together.
	n := p.PieceCount(emergo.White) + p.PieceCount(emergo.Black)
	pieces, all := make([]emergov1.Piece, n), make([]*emergov1.Piece, 0, n)
	for s, piece := range p.Pieces {
		w := &pieces[len(all)]
		w.Square, w.Owner = s.String(), colors[piece.Owner]
		w.Cap, w.Prisoners = int32(piece.Cap), int32(piece.Prisoners)
		all = append(all, w)
	}
	return all
}

func writeMoves(moves []emergo.Move) []*emergov1.Move {
	written := make([]*emergov1.Move, len(moves))
	for i, m := range moves {
		written[i] = writeMove(m)
	}
	return written
}

// writeMove writes a move. The message may be shared with other calls: it is not to be changed.
func writeMove(m emergo.Move) *emergov1.Move {
	switch {
	case m.Kind() == emergo.Capture:
		return writeCapture(m)
	case m.Kind() == emergo.Step:
		return steps[[2]emergo.Square{m.From(), m.To()}]
	case m.Men() == 1:
		return entries[m.To()]
	}
	return writeEntry(m.To().String(), m.String(), m.Men())
}

// entries (of one man) and steps are ready-made: answers are made of dozens of them, there are only
// some two hundred, and each would cost three allocations.
var entries, steps = func() (map[emergo.Square]*emergov1.Move, map[[2]emergo.Square]*emergov1.Move) {
	entries, steps := map[emergo.Square]*emergov1.Move{}, map[[2]emergo.Square]*emergov1.Move{}
	for _, from := range emergo.Board9x9.Squares() {
		entries[from] = writeEntry(from.String(), from.String(), 1)
		for _, to := range from.Neighbours() {
			steps[[2]emergo.Square{from, to}] = writeStep(from.String(), to.String())
		}
	}
	return entries, steps
}()

func writeEntry(square, notation string, men int) *emergov1.Move {
	return &emergov1.Move{
		Notation: notation,
		Kind:     &emergov1.Move_Entry{Entry: &emergov1.Entry{Square: square, Men: int32(men)}},
	}
}

func writeStep(from, to string) *emergov1.Move {
	return &emergov1.Move{
		Notation: from + "-" + to,
		Kind:     &emergov1.Move_Step{Step: &emergov1.Step{From: from, To: to}},
	}
}

func writeCapture(m emergo.Move) *emergov1.Move {
	path, jumped := make([]string, 0, m.Men()+1), make([]string, 0, m.Men())
	path = append(path, m.From().String())
	for over, land := range m.Jumps {
		path, jumped = append(path, land.String()), append(jumped, over.String())
	}
	return &emergov1.Move{
		Notation: m.String(),
		Kind:     &emergov1.Move_Capture{Capture: &emergov1.Capture{Path: path, Jumped: jumped}},
	}
}

func writeSquares(squares []emergo.Square) []string {
	names := make([]string, len(squares))
	for i, s := range squares {
		names[i] = s.String()
	}
	return names
}

func writeTally(p *emergo.Position, c emergo.Color) *emergov1.Tally {
	t := &emergov1.Tally{
		Pieces:     int32(p.PieceCount(c)),
		InHand:     int32(p.InHand(c)),
		LegalMoves: int32(p.CountMovesOf(c)),
	}
	for _, piece := range p.Pieces {
		if piece.Owner == c {
			t.Caps += int32(piece.Cap)
		} else {
			t.HeldPrisoner += int32(piece.Prisoners)
		}
	}
	return t
}
