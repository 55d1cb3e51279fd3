package emergorules_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/emergorules"
)

// Each bound that the contract documents, below, at and above it.
func TestBounds(t *testing.T) {
	client := newClient(t)
	pad := func(s string, length int) string { return s + strings.Repeat(" ", length-len(s)) }
	legalMoves := func(game *emergov1.Game, prefix string) error {
		_, err := client.LegalMoves(t.Context(), &emergov1.LegalMovesRequest{Game: game, Prefix: prefix})
		return err
	}
	applyMove := func(move string) error {
		_, err := client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Move: move})
		return err
	}
	const start = "9/9/9/9/9/9/9/9/9 w 0 12,12"
	limit := func(n int32) *emergov1.Game {
		return &emergov1.Game{Ruleset: &emergov1.Ruleset{NoProgressLimit: n}}
	}
	for _, c := range []struct {
		what   string
		err    error
		reason string // "" if within bounds
	}{
		{"position of 255 bytes", legalMoves(at(pad(start, 255)), ""), ""},
		{"position of 256 bytes", legalMoves(at(pad(start, 256)), ""), ""},
		{"position of 257 bytes", legalMoves(at(pad(start, 257)), ""), "POSITION_MALFORMED"},
		{"prefix of 64 bytes", legalMoves(nil, pad("c3", 64)), ""},
		{"prefix of 65 bytes", legalMoves(nil, pad("c3", 65)), "MOVE_MALFORMED"},
		{"move of 63 bytes", applyMove(pad("c3", 63)), ""},
		{"move of 64 bytes", applyMove(pad("c3", 64)), ""},
		{"move of 65 bytes", applyMove(pad("c3", 65)), "MOVE_MALFORMED"},
		{"move in the game of 64 bytes", legalMoves(&emergov1.Game{Moves: []string{pad("c3", 64)}}, ""), ""},
		{"move in the game of 65 bytes", legalMoves(&emergov1.Game{Moves: []string{pad("c3", 65)}}, ""), "MOVE_MALFORMED"},
		{"no-progress limit -1", legalMoves(limit(-1), ""), "LIMIT_OUT_OF_RANGE"},
		{"no-progress limit 0", legalMoves(limit(0), ""), ""},
		{"no-progress limit 1", legalMoves(limit(1), ""), ""},
		{"no-progress limit 4095", legalMoves(limit(4095), ""), ""},
		{"no-progress limit 4096", legalMoves(limit(4096), ""), ""},
		{"no-progress limit 4097", legalMoves(limit(4097), ""), "LIMIT_OUT_OF_RANGE"},
		{"ply 2147483647", legalMoves(at("9/9/9/9/9/9/9/9/9 w 2147483647 12,12"), ""), ""},
		{"ply 2147483648", legalMoves(at("9/9/9/9/9/9/9/9/9 w 2147483648 12,12"), ""), "POSITION_MALFORMED"},
	} {
		got := ""
		if c.err != nil {
			got = reasonOf(t, c.err)
		}
		if got != c.reason {
			t.Errorf("%s: reason is %q (%v), want %q", c.what, got, c.err, c.reason)
		}
	}
}

// The ply stays at its largest value, so that what is answered can be sent back.
func TestLargestPly(t *testing.T) {
	client := newClient(t)
	applied, err := client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Game: at("9/9/9/9/9/9/9/9/9 w 2147483647 12,12"), Move: "c3"})
	if err != nil {
		t.Fatal(err)
	}
	if ply := applied.GetState().GetPly(); ply != emergo.MaxPly {
		t.Errorf("ply is %d", ply)
	}
	if _, err := client.LegalMoves(t.Context(), &emergov1.LegalMovesRequest{Game: applied.GetGame()}); err != nil {
		t.Error(err)
	}
}

// longPlay returns n reversible moves, played at random from a position of two lone pieces, with no
// capture possible and no position occurring for the third time on the way.
func longPlay(t testing.TB, n int) *emergov1.Game {
	t.Helper()
	const position = "8a@/9/9/9/9/9/9/1A@7/A@8 w 40 0,0"
	random := rand.New(rand.NewPCG(1, 2))
	start, err := emergo.ParsePosition(position)
	if err != nil {
		t.Fatal(err)
	}
	game := emergo.NewGame(start, emergo.Rules{})
	moves := make([]string, 0, n)
	seen := map[uint64]int{start.Key(): 1}
	for len(moves) < n {
		// The move to the position seen least, at random among several, leads on for longest, if
		// there is an answer to it.
		var best emergo.Move
		least := 2
		legal := game.AppendMoves(nil)
		for _, i := range random.Perm(len(legal)) {
			next := game.Position().Play(legal[i])
			if seen[next.Key()] < least && quiet(&next) && slices.ContainsFunc(next.AppendMoves(nil), func(m emergo.Move) bool {
				after := next.Play(m)
				return seen[after.Key()] < 2 && quiet(&after)
			}) {
				best, least = legal[i], seen[next.Key()]
			}
		}
		if best == 0 {
			t.Fatalf("no way on after %d moves", len(moves))
		}
		game.Play(best)
		seen[game.Position().Key()]++
		moves = append(moves, best.String())
	}
	return &emergov1.Game{Position: position, Moves: moves}
}

func quiet(p *emergo.Position) bool {
	return !p.CanCapture(emergo.White) && !p.CanCapture(emergo.Black)
}

func TestLongestHistory(t *testing.T) {
	client := newClient(t)
	game := longPlay(t, 4096)
	next := longPlay(t, 4097).GetMoves()[4096]

	shorter := &emergov1.Game{Position: game.GetPosition(), Moves: game.GetMoves()[:4095]}
	applied, err := client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Game: shorter, Move: game.GetMoves()[4095]})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(applied.GetGame().GetMoves()); n != 4096 || applied.GetState().GetPliesWithoutProgress() != 4096 {
		t.Errorf("the game has %d moves, %d plies without progress", n, applied.GetState().GetPliesWithoutProgress())
	}
	if _, err := client.LegalMoves(t.Context(), &emergov1.LegalMovesRequest{Game: game}); err != nil {
		t.Errorf("4096 moves are refused: %v", err)
	}
	_, err = client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Game: game, Move: next})
	checkStatus(t, err, codes.InvalidArgument, "LIMIT_OUT_OF_RANGE", "game.moves")

	longer := &emergov1.Game{Position: game.GetPosition(), Moves: append(game.GetMoves(), next)}
	_, err = client.LegalMoves(t.Context(), &emergov1.LegalMovesRequest{Game: longer})
	checkStatus(t, err, codes.InvalidArgument, "LIMIT_OUT_OF_RANGE", "game.moves")

	// A ruleset that bounds games at the bound of the contract ends this one in time.
	game.Ruleset = &emergov1.Ruleset{NoProgressLimit: 4096}
	listed, err := client.LegalMoves(t.Context(), &emergov1.LegalMovesRequest{Game: game})
	if err != nil {
		t.Fatal(err)
	}
	if reason := listed.GetState().GetOutcome().GetReason(); reason != emergov1.Reason_REASON_NO_PROGRESS {
		t.Errorf("the game ends by %v", reason)
	}
}

func TestRequestSize(t *testing.T) {
	client := newClient(t)
	// Requests are filled up with moves that are refused only once they have been read.
	request := func(size int) *emergov1.LegalMovesRequest {
		req := &emergov1.LegalMovesRequest{Game: &emergov1.Game{}}
		for proto.Size(req) < size-128 {
			req.Game.Moves = append(req.Game.Moves, strings.Repeat("x", 100))
		}
		req.Game.Moves = append(req.Game.Moves, "")
		last := len(req.Game.Moves) - 1
		req.Game.Moves[last] = strings.Repeat("x", size-proto.Size(req))
		if got := proto.Size(req); got != size {
			t.Fatalf("the request has %d bytes, want %d", got, size)
		}
		return req
	}
	for _, size := range []int{emergorules.MaxRequestBytes - 1, emergorules.MaxRequestBytes} {
		_, err := client.LegalMoves(t.Context(), request(size))
		checkStatus(t, err, codes.InvalidArgument, "MOVE_MALFORMED", "game.moves[0]")
	}
	_, err := client.LegalMoves(t.Context(), request(emergorules.MaxRequestBytes+1))
	if status.Code(err) != codes.ResourceExhausted || reasonOf(t, err) != "REQUEST_TOO_LARGE" {
		t.Errorf("a request of %d bytes is answered %v", emergorules.MaxRequestBytes+1, err)
	}
	_, err = client.LegalMoves(t.Context(), request(3*emergorules.MaxRequestBytes))
	if status.Code(err) != codes.ResourceExhausted {
		t.Errorf("a far too large request is answered %v", err)
	}
}

// The largest request that keeps to the other bounds fits.
func TestLargestRequestFits(t *testing.T) {
	pad := strings.Repeat(" ", emergo.MaxMoveLen)
	game := &emergov1.Game{
		Ruleset:  &emergov1.Ruleset{Board: 1, Blocked: 1, NoProgressLimit: 4096},
		Position: strings.Repeat("9", emergo.MaxPositionLen),
	}
	for range 4096 {
		game.Moves = append(game.Moves, pad)
	}
	if size := proto.Size(&emergov1.ApplyMoveRequest{Game: game, Move: pad}); size > emergorules.MaxRequestBytes {
		t.Errorf("it has %d bytes", size)
	}
}

// However odd the input, an error stays far below the 8 KiB that a status may have.
func TestLongestError(t *testing.T) {
	client := newClient(t)
	long := strings.Repeat("\u2603", 80)
	worst := at("A@7A@/1aa1a@1a@1aa1/9/1aa1a@1aa1a@1/9/1a@1a@1a@1aa1/A@7A@/9/2C@6 w 24 0,0")
	games := []*emergov1.Game{at(long), at(strings.Repeat("A@/", 85)), at(strings.Repeat("\x00", 256)), worst,
		{Moves: []string{long[:60]}}, {Position: worst.GetPosition(), Moves: []string{strings.Repeat("x", 64)}}}
	moves := []string{long[:60], "a3", "a3-b4", "a3xc5", "a3xg5", strings.Repeat("a3", 32), strings.Repeat("x", 64), "a1" + strings.Repeat(":c3", 12)}
	longest := 0
	for i, game := range games {
		for _, move := range moves {
			_, err := client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Game: game, Move: move})
			if err == nil {
				t.Errorf("game %d, %q is accepted", i, move)
				continue
			}
			longest = max(longest, checkErrorSize(t, err, fmt.Sprintf("game %d, %q", i, move)))
		}
	}
	t.Logf("the longest error has %d bytes", longest)
}

// maxErrorBytes is well under the 8 KiB that many HTTP/2 stacks allow for all headers.
const maxErrorBytes = 2048

func checkErrorSize(t testing.TB, err error, what string) int {
	t.Helper()
	size := proto.Size(status.Convert(err).Proto())
	if size > maxErrorBytes {
		t.Errorf("%s: the error has %d bytes: %v", what, size, err)
	}
	return size
}
