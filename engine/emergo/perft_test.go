package emergo_test

import (
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// twelvePieces was reached in a random game: six pieces on either side, and no capture yet.
const twelvePieces = "a@3a@3A@/1a@5A@1/2aa6/5AA3/6AB2/1AC7/2AA1D@4/3AA5/9 w 46 0,0"

// The numbers of a position that is not among the facts of perft.jsonl. The oracle confirms the first of them.
func TestPerftOfTwelvePieces(t *testing.T) {
	const confirmed = 4
	p := position(t, twelvePieces)
	oracle, err := oracleParse(twelvePieces)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []uint64{19, 133, 2469, 19388, 332896, 2394197} {
		depth := i + 1
		if got := emergo.Perft(&p, depth); got != want {
			t.Errorf("Perft(%d) = %d, want %d", depth, got, want)
		}
		if got := emergo.PerftPlayed(&p, depth); got != want {
			t.Errorf("PerftPlayed(%d) = %d, want %d", depth, got, want)
		}
		if depth <= confirmed {
			if got := oraclePerft(oracle, depth); got != want {
				t.Errorf("the oracle's perft of %d plies is %d, want %d", depth, got, want)
			}
		}
	}
}

// oraclePerft counts the sequences of legal moves of a number of plies.
func oraclePerft(p oraclePosition, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	n := uint64(0)
	for _, move := range p.legal() {
		n += oraclePerft(p.play(move), depth-1)
	}
	return n
}

// No plies can be played in one way, whatever the position.
func TestPerftOfNoPlies(t *testing.T) {
	lost := position(t, "9/9/9/9/4fl4/9/9/9/9 w 30 0,6")
	if got := emergo.Perft(&lost, 0); got != 1 {
		t.Errorf("Perft(0) = %d, want 1", got)
	}
	if got := emergo.PerftPlayed(&lost, 0); got != 1 {
		t.Errorf("PerftPlayed(0) = %d, want 1", got)
	}
}
