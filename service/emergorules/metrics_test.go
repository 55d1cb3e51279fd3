package emergorules_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// scrape returns the lines of a server's metrics that begin with prefix and are not zero.
func scrape(t testing.TB, s *server.Server, prefix string) (lines []string) {
	t.Helper()
	response, err := http.Get("http://" + s.AdminAddr().String() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(body)) {
		if strings.HasPrefix(line, prefix) && !strings.HasSuffix(line, " 0\n") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// What is adjudicated, refused and malformed is counted by what the contract names, whatever callers
// send.
func TestMetrics(t *testing.T) {
	s := startServer(t)
	client := emergov1.NewRulesServiceClient(dial(t, s.Addr()))
	lost := at("9/9/9/9/4A@4/9/9/9/9 b 9 0,0")
	for range 3 {
		_, _ = client.NewGame(t.Context(), &emergov1.NewGameRequest{})
	}
	_, _ = client.Evaluate(t.Context(), &emergov1.EvaluateRequest{Game: lost})
	_, _ = client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Game: lost, Move: "c3"})
	_, _ = client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Move: "e5"})
	_, _ = client.ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Game: &emergov1.Game{Moves: []string{"e5"}}, Move: "c3"})
	for i := range 200 {
		_, _ = client.LegalMoves(t.Context(), &emergov1.LegalMovesRequest{Game: at(fmt.Sprint("nonsense ", i)), Prefix: fmt.Sprint(i)})
	}
	want := []string{
		`emergo_adjudications_total{reason="REASON_NO_PIECES",result="RESULT_WHITE_WINS"} 1`,
		`emergo_adjudications_total{reason="REASON_UNSPECIFIED",result="RESULT_ONGOING"} 3`,
		`emergo_malformed_requests_total{reason="POSITION_MALFORMED"} 200`,
		`emergo_refused_moves_total{reason="ENTRY_ON_CENTRE"} 2`,
		`emergo_refused_moves_total{reason="GAME_OVER"} 1`,
	}
	if got := scrape(t, s, "emergo_"); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the metrics say\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
