package match

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// engineVariable makes the test program an engine: a player's spec, or a fault to show.
const engineVariable = "EMERGO_TEST_ENGINE"

func TestMain(m *testing.M) {
	what := os.Getenv(engineVariable)
	switch what {
	case "":
		os.Exit(m.Run())
	case "hangs":
		time.Sleep(time.Hour)
	case "readies":
		fmt.Println(readyLine)
		time.Sleep(time.Hour)
	case "closes":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case "rambles":
		fmt.Println(strings.Repeat("ready ", longestLine))
		time.Sleep(time.Hour)
	case "ends":
		os.Exit(3)
	}
	if file, ok := strings.CutPrefix(what, "spawns "); ok {
		child := exec.Command("sleep", "3600")
		child.Stdout = os.Stdout // as a script's programs have it
		if err := child.Start(); err != nil {
			panic(err)
		}
		if err := os.WriteFile(file, []byte(fmt.Sprint(child.Process.Pid)), 0o600); err != nil {
			panic(err)
		}
		time.Sleep(time.Hour)
	}
	if line, ok := strings.CutPrefix(what, "says "); ok {
		fmt.Println(readyLine)
		fmt.Println(line)
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}
	spec, err := ParseSpec(what)
	if err != nil {
		panic(err)
	}
	player, err := spec.New()
	if err != nil {
		panic(err)
	}
	if err := Serve(context.Background(), player, os.Stdin, os.Stdout); err != nil {
		panic(err)
	}
}

// engine returns the spec of the test program as an engine.
func engine(t *testing.T, what string) Spec {
	t.Setenv(engineVariable, what)
	return mustParse(t, "exec:"+os.Args[0])
}

// A program plays as the player in it does: it is told rules, seed and history.
func TestProgramsPlayAsTheirPlayersDo(t *testing.T) {
	for _, spec := range []string{"random", "alphabeta:2", "search:nodes=200,hash=1"} {
		t.Run(spec, func(t *testing.T) {
			m := matchOf(t, spec, "greedy")
			m.Pairs = 4
			m.Rules.BlockedLoses = true
			want, wantPairs := run(t, m)
			m.Players[0] = engine(t, spec)
			m.Players[0].text = spec
			got, gotPairs := run(t, m)
			if got != want || !reflect.DeepEqual(gotPairs, wantPairs) {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

func TestFaultsOfPrograms(t *testing.T) {
	tests := []struct{ what, says string }{
		{"ends", `it has ended (exit status 3) without answering "newgame"`},
		{"closes", `it has closed its output instead of answering "newgame"`},
		{"rambles", `it answers "newgame" with a line of more than 1048576 bytes`},
		{"says nothing of use", `it answers go with "nothing of use"`},
		{"says bestmove", `it answers go with "bestmove"`},
		{"says bestmove a1 nodes", `it answers go with "bestmove a1 nodes"`},
		{"says bestmove a1 nodes many", "nodes in "},
		{"says bestmove a1 nodes -1", "nodes in "},
		{"says bestmove a1 nodes 1 score 4294967296", "score in "},
		{"says bestmove z9", "its move \"z9\" is refused"},
		{"says error out of order", "out of order"},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			m := matchOf(t, "random", "random")
			m.Players[0], m.OpeningPlies, m.Threads = engine(t, test.what), [2]int{0, 0}, 1
			if _, err := m.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%v, want %q", err, test.says)
			}
		})
	}
	m := matchOf(t, "exec:/nowhere/at/all", "random")
	if _, err := m.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("error %v", err)
	}
}

func TestHangingProgramsEndWithTheMatch(t *testing.T) {
	for _, what := range []string{"hangs", "readies"} {
		m := matchOf(t, "random", "random")
		m.Players[1] = engine(t, what)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := m.Run(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: error %v", what, err)
		}
	}
}

func TestHangingProgramsEndTheMatch(t *testing.T) {
	for what, unanswered := range map[string]string{"hangs": "newgame", "readies": "go"} {
		t.Setenv(engineVariable, what)
		text := "exec:within=20ms " + os.Args[0]
		m := matchOf(t, "random", "random")
		m.Players[1] = mustParse(t, text)
		m.Players[1].text = text
		want := fmt.Sprintf("player %q: it did not answer %q within 20ms", text, unanswered)
		if what == "readies" { // which takes a while to begin
			m.Players[1].make = func() (Player, error) {
				return startProgram([]string{os.Args[0]}, patience{time.Minute, 20 * time.Millisecond})
			}
		}
		if _, err := m.Run(t.Context(), nil); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestPatienceWithPrograms(t *testing.T) {
	tests := []struct {
		command string
		want    patience
	}{
		{"old/emergo engine", patience{time.Minute, time.Minute}},
		{"old/emergo engine search:nodes=5000", patience{time.Minute, time.Minute}},
		{"old/emergo engine search:500ms", patience{time.Minute, 10*time.Second + 500*time.Millisecond}},
		{"old/emergo engine search:hash=1,5m", patience{time.Minute, 5*time.Minute + 10*time.Second}},
		{"old/emergo engine search:soon", patience{time.Minute, time.Minute}},
	}
	for _, test := range tests {
		if got := usualPatience(strings.Fields(test.command)); got != test.want {
			t.Errorf("%s: %v, want %v", test.command, got, test.want)
		}
	}
	for text, says := range map[string]string{
		"exec:within=5m":            "it needs a command",
		"exec:within=soon emergo":   "within=soon must be a time longer than zero",
		"exec:within=5m,hash=1 old": "there is no option hash=1",
	} {
		if _, err := ParseSpec(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", text, err, says)
		}
	}
}

func TestConversations(t *testing.T) {
	const newGame = "newgame board 7x7 blocked draw limit 0 seed 5\n"
	tests := []struct{ name, says, hears string }{
		{"a game", newGame + "position 7/7/7/7/7/7/7 w 0 8,8 moves a1 g7\ngo\nquit\ngo\n", "ready\nbestmove c3 nodes 0 score 150\n"},
		{"empty lines", "\n \nquit\n", ""},
		{"no end", newGame, "ready\n"},
		{"unknown", "uci\n", "error \"uci\" is not understood; there are newgame, position, go and quit\n"},
		{"board", "newgame board 8x8 blocked draw limit 0 seed 5\n", "error a new game is as in: newgame board 9x9 blocked draw limit 200 seed 17; not \"board 8x8 blocked draw limit 0 seed 5\"\n"},
		{"rules", "newgame board 9x9 blocked win limit 0 seed 5\n", "error a new game is as in: newgame board 9x9 blocked draw limit 200 seed 17; not \"board 9x9 blocked win limit 0 seed 5\"\n"},
		{"too soon", "go\n", "error there is no game yet; begin with newgame\n"},
		{"no position", newGame + "go\n", "ready\nerror there is no position yet\n"},
		{"bad position", "position 9/9 w 0 0,0 moves\n", "error rows"},
		{"bad move", "position 7/7/7/7/7/7/7 w 0 8,8 moves a1 a1\n", "error move 2 (a1) is refused: "},
		{"over", newGame + "position 7/7/7/7/7/7/A@6 b 1 0,0\ngo\n", "ready\nerror the game is over\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			player := stub{choose: func(_ context.Context, g *emergo.Game) (Choice, error) {
				m, err := g.Position().ParseMove("c3")
				return Choice{Move: m, Score: 150, Scored: true}, err
			}}
			var hears strings.Builder
			if err := Serve(t.Context(), player, strings.NewReader(test.says), &hears); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(hears.String(), test.hears) || test.hears == "" && hears.Len() > 0 {
				t.Errorf("%q, want %q", hears.String(), test.hears)
			}
		})
	}
}

// What is said of a game can be read back, whatever its rules and history.
func TestGamesSurviveTheProtocol(t *testing.T) {
	chance := newChance(5)
	for _, rules := range []emergo.Rules{{}, {BlockedLoses: true, NoProgressLimit: 30}} {
		for _, b := range []emergo.Board{emergo.Board9x9, emergo.Board7x7} {
			g := emergo.NewGame(emergo.StartPosition(b), rules)
			begun, seed, err := readNewGame(strings.TrimPrefix(newGameLine(g, 1<<63+7), newGameWord+" "))
			if err != nil || seed != 1<<63+7 || begun.Rules() != rules || begun.Position().Board() != b {
				t.Errorf("%v %+v: %v %+v, seed %d", b, rules, begun, err, seed)
			}
			for !g.Outcome().Over() {
				moves := g.AppendMoves(nil)
				g.Play(moves[chance.IntN(len(moves))])
				again, err := readPosition(strings.TrimPrefix(positionLine(g), positionWord+" "), rules)
				if err != nil || *again.Position() != *g.Position() || again.Occurrences() != g.Occurrences() || again.Outcome() != g.Outcome() {
					t.Fatalf("%s: %v", positionLine(g), err)
				}
			}
		}
	}
}
