package main

import emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"

func colorName(c emergov1.Color) string {
	switch c {
	case emergov1.Color_COLOR_WHITE:
		return "White"
	case emergov1.Color_COLOR_BLACK:
		return "Black"
	}
	return "nobody"
}

func opponent(c emergov1.Color) emergov1.Color {
	if c == emergov1.Color_COLOR_WHITE {
		return emergov1.Color_COLOR_BLACK
	}
	return emergov1.Color_COLOR_WHITE
}

// over reports whether a game has ended.
func over(s *emergov1.State) bool {
	switch s.GetOutcome().GetResult() {
	case emergov1.Result_RESULT_WHITE_WINS, emergov1.Result_RESULT_BLACK_WINS, emergov1.Result_RESULT_DRAW:
		return true
	}
	return false
}

// outcome says how a game has ended, or whose turn it is.
func outcome(s *emergov1.State) string {
	side := colorName(s.GetSideToMove())
	var result string
	switch s.GetOutcome().GetResult() {
	case emergov1.Result_RESULT_WHITE_WINS:
		result = "White wins"
	case emergov1.Result_RESULT_BLACK_WINS:
		result = "Black wins"
	case emergov1.Result_RESULT_DRAW:
		result = "Draw"
	default:
		return side + " to move"
	}
	switch s.GetOutcome().GetReason() {
	case emergov1.Reason_REASON_NO_PIECES:
		return result + ": " + side + " has no piece and no man in hand."
	case emergov1.Reason_REASON_BLOCKED:
		return result + ": " + side + " cannot move."
	case emergov1.Reason_REASON_REPETITION:
		return result + ": the same position for the third time."
	case emergov1.Reason_REASON_NO_PROGRESS:
		return result + ": " + count(s.GetPliesWithoutProgress(), "ply", "plies") + " without progress."
	}
	return result + "."
}

// duty says what the side to move must do.
func duty(s *emergov1.State) string {
	own, other := s.GetWhiteInHand(), s.GetBlackInHand()
	if s.GetSideToMove() == emergov1.Color_COLOR_BLACK {
		own, other = other, own
	}
	switch {
	case s.GetCaptureObligatory():
		return "must capture"
	case own > 1 && other == 0:
		return "enters all " + count(own, "man", "men") + " as one piece"
	case own > 0:
		return "enters a man"
	}
	return "moves a piece"
}
