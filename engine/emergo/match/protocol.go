package match

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// The words of the protocol.
const (
	newGameWord  = "newgame"
	readyLine    = "ready"
	positionWord = "position"
	goLine       = "go"
	bestMoveWord = "bestmove"
	quitLine     = "quit"
	errorWord    = "error"
)

// longestLine bounds a line of the protocol in bytes; a game is a small part of it.
const longestLine = 1 << 20

// Serve plays by a protocol of lines, in the style of UCI, until it reads "quit" or the end of r:
//
//	newgame board 9x9 blocked draw limit 200 seed 17    answer: ready
//	position 9/9/9/9/9/9/9/9/9 w 0 12,12 moves c3 e3    no answer
//	go                                                  answer: bestmove g3 nodes 20000 score 12
//
// The rules of newgame are what happens to a side that cannot move (draw or loss) and the limit of
// plies without progress, 0 for none. The position is the one after the last irreversible move, and
// the moves are those since, so that repetitions can be seen. Nodes and score, in hundredths of a
// man from the side of the player, are left out if it has none. What is wrong is answered with
// "error" and a sentence.
func Serve(ctx context.Context, player Player, r io.Reader, w io.Writer) error {
	s := &server{player: player}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == quitLine {
			return nil
		}
		answer, err := s.answer(ctx, line)
		if err != nil {
			answer = errorWord + " " + err.Error()
		}
		if answer == "" {
			continue
		}
		if _, err := fmt.Fprintln(w, answer); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a line is longer than %d bytes", longestLine)
	}
	return lines.Err()
}

// A server is what Serve has understood so far.
type server struct {
	player Player
	rules  emergo.Rules
	begun  bool
	game   *emergo.Game
}

func (s *server) answer(ctx context.Context, line string) (string, error) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "":
		return "", nil
	case newGameWord:
		g, seed, err := readNewGame(rest)
		if err != nil {
			return "", err
		}
		s.rules, s.game, s.begun = g.Rules(), nil, true
		return readyLine, s.player.Begin(ctx, g, seed)
	case positionWord:
		g, err := readPosition(rest, s.rules)
		s.game = g
		return "", err
	case goLine:
		switch {
		case !s.begun:
			return "", errors.New("there is no game yet; begin with newgame")
		case s.game == nil:
			return "", errors.New("there is no position yet")
		case s.game.Outcome().Over():
			return "", errors.New("the game is over")
		}
		c, err := s.player.Choose(ctx, s.game)
		return bestMoveLine(c), err
	}
	return "", fmt.Errorf("%.40q is not understood; there are newgame, position, go and quit", word)
}

var blockedWords = map[bool]string{false: "draw", true: "loss"}

func newGameLine(g *emergo.Game, seed uint64) string {
	r := g.Rules()
	return fmt.Sprintf("%s board %v blocked %s limit %d seed %d", newGameWord, g.Position().Board(), blockedWords[r.BlockedLoses], r.NoProgressLimit, seed)
}

func readNewGame(text string) (*emergo.Game, uint64, error) {
	var board, blocked string
	var r emergo.Rules
	var seed uint64
	_, err := fmt.Sscanf(text, "board %s blocked %s limit %d seed %d", &board, &blocked, &r.NoProgressLimit, &seed)
	r.BlockedLoses = blocked == blockedWords[true]
	b := emergo.Board9x9
	if board == emergo.Board7x7.String() {
		b = emergo.Board7x7
	}
	if err != nil || board != b.String() || blocked != blockedWords[r.BlockedLoses] || r.NoProgressLimit < 0 {
		return nil, 0, fmt.Errorf("a new game is as in: newgame board 9x9 blocked draw limit 200 seed 17; not %.80q", text)
	}
	return emergo.NewGame(emergo.StartPosition(b), r), seed, nil
}

func positionLine(g *emergo.Game) string {
	var line strings.Builder
	fmt.Fprintf(&line, "%s %v moves", positionWord, g.Anchor())
	for _, m := range g.Moves() {
		fmt.Fprintf(&line, " %v", m)
	}
	return line.String()
}

func readPosition(text string, r emergo.Rules) (*emergo.Game, error) {
	position, moves, _ := strings.Cut(text, " moves")
	p, err := emergo.ParsePosition(position)
	if err != nil {
		return nil, err
	}
	g := emergo.NewGame(p, r)
	for i, move := range strings.Fields(moves) {
		if _, err := g.PlayText(move); err != nil {
			return nil, fmt.Errorf("move %d (%.40s) is refused: %w", i+1, move, err)
		}
	}
	return g, nil
}

func bestMoveLine(c Choice) string {
	line := fmt.Sprintf("%s %v nodes %d", bestMoveWord, c.Move, c.Nodes)
	if c.Scored {
		line += fmt.Sprintf(" score %d", int(c.Score))
	}
	return line
}

func readBestMove(line string, p *emergo.Position) (Choice, error) {
	words := strings.Fields(line)
	if len(words) < 2 || len(words)%2 != 0 || words[0] != bestMoveWord {
		return Choice{}, fmt.Errorf("it answers go with %.80q instead of %s and a move", line, bestMoveWord)
	}
	var c Choice
	var err error
	if c.Move, err = p.ParseMove(words[1]); err != nil {
		return Choice{}, fmt.Errorf("its move %.40q is refused: %w", words[1], err)
	}
	for i := 2; i < len(words); i += 2 {
		var err error
		switch words[i] {
		case "nodes":
			c.Nodes, err = strconv.ParseUint(words[i+1], 10, 64)
		case "score":
			var n int64
			n, err = strconv.ParseInt(words[i+1], 10, 32)
			c.Score, c.Scored = search.Score(n), true
		}
		if err != nil {
			return Choice{}, fmt.Errorf("%s in %.80q is not a whole number that can be", words[i], line)
		}
	}
	return c, nil
}
