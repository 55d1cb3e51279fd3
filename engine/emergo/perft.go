package emergo

// Perft returns the number of move sequences of a number of plies from p: each capture path is one
// move, a finished game has none. The last ply is counted without playing its moves (bulk
// counting).
func Perft(p *Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	return perftBulk(p, depth, make([]Move, 0, 1024))
}

// PerftPlayed returns the same number as Perft, but plays every move: it measures Play as well.
func PerftPlayed(p *Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	return perftPlayed(p, depth, make([]Move, 0, 1024))
}

// perftBulk keeps its moves at the end of a list shared with its callers, so that no list is
// cleared or allocated for each node.
func perftBulk(p *Position, depth int, moves []Move) (nodes uint64) {
	if depth == 1 {
		return uint64(p.CountMoves())
	}
	first := len(moves)
	moves = p.AppendMoves(moves)
	var next Position // outside the loop, or it would be allocated for each move
	for _, m := range moves[first:] {
		next = *p
		next.play(m)
		nodes += perftBulk(&next, depth-1, moves)
	}
	return nodes
}

func perftPlayed(p *Position, depth int, moves []Move) (nodes uint64) {
	first := len(moves)
	moves = p.AppendMoves(moves)
	var next Position // outside the loop, or it would be allocated for each move
	for _, m := range moves[first:] {
		next = *p
		next.play(m)
		if depth == 1 {
			nodes++
		} else {
			nodes += perftPlayed(&next, depth-1, moves)
		}
	}
	return nodes
}
