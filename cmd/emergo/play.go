package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

type playCmd struct {
	gameArgs `embed:""`
	Engine   side           `group:"search" placeholder:"white|black" help:"The side that the server plays (neither)."`
	Time     *time.Duration `type:"duration" from:"1ms" to:"10m" group:"search" placeholder:"DURATION" help:"How long the server thinks about a move (1s)."`
}

// engineTime is how long the server thinks about a move if nothing is said of it.
const engineTime = time.Second

// Run plays a game.
func (p *playCmd) Run(s *session) error {
	if p.Position == "-" {
		return usageError("play reads moves from standard input, so its position must be on the command line")
	}
	player := engine{p.Engine, engineTime}
	if p.Time != nil {
		if p.Engine == 0 {
			return usageError("--time: it is how long the server thinks, so --engine must name the side that it plays")
		}
		player.time = *p.Time
	}
	c, err := s.client()
	if err != nil {
		return err
	}
	defer c.close()
	first, err := c.moment(p.game(readGame(p.words())))
	if err != nil {
		return err
	}
	t := &table{client: c, lines: bufio.NewScanner(s.in), scripted: !isTerminal(s.in), moments: []moment{first}, engine: player}
	return t.play()
}

// A moment is a game between two moves.
type moment struct {
	game  *emergov1.Game // to be sent with the next call
	state *emergov1.State
	last  *emergov1.Move // that led here, or nil
}

// moment returns the moment after the last move of a game.
func (c *client) moment(game *emergov1.Game) (moment, error) {
	if len(game.GetMoves()) == 0 {
		response, err := c.legalMoves(game, "")
		return moment{game, response.GetState(), nil}, err
	}
	response, err := c.applyMoves(game)
	return moment{response.GetGame(), response.GetState(), response.GetMove()}, err
}

// A table is where two people play, or one and the engine.
type table struct {
	*client
	engine   engine
	lines    *bufio.Scanner
	scripted bool     // the lines do not come from a terminal, so they are not on the screen either
	moments  []moment // one more than moves played here
	ended    string   // how the players ended the game, or "" while they have not
	left     bool
	refused  bool // a move, at some time
}

func (t *table) now() *moment { return &t.moments[len(t.moments)-1] }

func (t *table) side() string { return colorName(t.now().state.GetSideToMove()) }

func (t *table) other() string { return colorName(opponent(t.now().state.GetSideToMove())) }

// say prints a line, as it is. If it cannot be printed, no other is read.
func (t *table) say(format string, args ...any) { fmt.Fprintf(t.out, format+"\n", args...) }

// show draws the board.
func (t *table) show() {
	t.say("")
	draw(t.out, t.now().state, t.now().last, paletteFor(t.out))
	t.say("")
}

// read prompts for a line. Its error is io.EOF at the end of the input.
func (t *table) read(prompt string) (string, error) {
	fmt.Fprint(t.out, prompt)
	if t.out.err != nil {
		return "", t.out.err
	}
	if !t.lines.Scan() {
		t.say("")
		if err := t.lines.Err(); err != nil {
			return "", failuref("Standard input cannot be read: %v.", err)
		}
		return "", io.EOF
	}
	text := strings.TrimSpace(validUTF8(t.lines.Text()))
	if t.scripted {
		t.say("%s", printable(text))
	}
	return text, nil
}

// play plays until the game is over or the players leave.
func (t *table) play() error {
	t.say(`White is O, Black is X. Type a move, such as c3, or "help".`)
	t.show()
	for t.ended == "" && !t.left && !over(t.now().state) {
		err := t.turn()
		var broken failure
		switch {
		case errors.Is(err, io.EOF):
			t.left = true
		case errors.As(err, &broken) && !t.scripted:
			say(t.out, err.Error())
			t.say("The game is kept: try again.")
			if t.engineToMove() { // which would at once
				_, err = t.read("Press Enter to go on. ")
				t.left = err != nil
			}
		case err != nil:
			return err
		}
	}
	t.close()
	if t.scripted && t.refused {
		return errReported // nobody was there to try again
	}
	return nil
}

// turn is that of the side to move.
func (t *table) turn() error {
	if t.engineToMove() {
		return t.engineMoves()
	}
	text, err := t.read(t.side() + "> ")
	if err != nil {
		return err
	}
	return t.obey(text)
}

// obey does what a line says.
func (t *table) obey(text string) error {
	command, argument, _ := strings.Cut(text, " ")
	switch strings.ToLower(command) {
	case "":
	case "help", "?":
		t.say("%s", playHelp)
	case "moves":
		return t.listMoves(strings.TrimSpace(argument))
	case "undo":
		t.undo()
	case "show":
		t.show()
	case "position":
		t.say("%s", printable(t.now().state.GetPosition()))
	case "resign":
		t.ended = fmt.Sprintf("%s wins: %s resigns.", t.other(), t.side())
	case "draw":
		return t.offerDraw()
	case "quit", "exit":
		t.left = true
	default:
		return t.move(strings.Join(strings.Fields(text), "")) // "c3 d4" is one move here
	}
	return nil
}

const playHelp = `
  c3          enters a man; c3*5, or c3, a last piece of five men
  c3-d4       steps to a neighbouring square
  d4xb6xd8    captures: every square landed on; d4xd8 if only one capture fits

  moves [d4]  lists the legal moves, or those that begin so
  undo        takes the last move back
  show        draws the board again
  position    prints the position, to copy
  resign      gives the game up
  draw        offers a draw
  quit        leaves the game; so does Ctrl-D
`

// move plays a move, or says why it cannot be played.
func (t *table) move(text string) error {
	response, err := t.applyMove(t.now().game, text)
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		t.refused = true
		say(t.out, err.Error())
		if refused.Reason == "MOVE_MALFORMED" {
			t.say(`"help" shows how moves are written, and the commands.`)
		}
		return nil
	case err != nil:
		return err
	}
	t.played(response)
	return nil
}

func (t *table) played(response *emergov1.ApplyMoveResponse) {
	t.moments = append(t.moments, moment{response.GetGame(), response.GetState(), response.GetMove()})
	t.show()
}

func (t *table) undo() {
	if len(t.moments) == 1 {
		t.say("There is no move to take back.")
		return
	}
	t.moments = t.moments[:len(t.moments)-1]
	for t.engineToMove() && len(t.moments) > 1 { // what it answered is taken back too
		t.moments = t.moments[:len(t.moments)-1]
	}
	t.show()
}

func (t *table) listMoves(prefix string) error {
	response, err := t.legalMoves(t.now().game, prefix)
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		say(t.out, err.Error())
		return nil
	case err != nil:
		return err
	case len(response.GetMoves()) == 0:
		t.say("No legal move begins so.")
	}
	for _, l := range wrap(notation(response.GetMoves()), 76) {
		t.say("  %s", l)
	}
	return nil
}

func (t *table) offerDraw() error {
	if t.engine.side != 0 {
		t.say("The engine plays on.")
		return nil
	}
	text, err := t.read(fmt.Sprintf("%s offers a draw. Does %s agree? (y/n) ", t.side(), t.other()))
	if err != nil {
		return err
	}
	if text = strings.ToLower(text); text == "y" || text == "yes" {
		t.ended = "Draw: the players agree."
	} else {
		t.say("No draw: the game goes on.")
	}
	return nil
}

// close says how the game ended, or how to go on with it.
func (t *table) close() {
	if moves := t.moments[1:]; len(moves) > 0 {
		played := make([]*emergov1.Move, len(moves))
		for i, m := range moves {
			played[i] = m.last
		}
		t.say("The moves played:")
		for _, l := range wrap(notation(played), 76) {
			t.say("  %s", l)
		}
	}
	switch {
	case t.ended != "":
		t.say("%s", t.ended)
	case over(t.now().state):
		t.say("%s", outcome(t.now().state))
	case len(t.moments) > 1:
		t.say("To go on with the game:\n  %s", printable(resumption(t.now(), t.engine)))
	}
}

// resumption returns the command that goes on with a game.
func resumption(m *moment, e engine) string {
	words := []string{"emergo play"}
	if e.side != 0 {
		words = append(words, fmt.Sprintf("--engine=%s --time=%s", e.side, e.time))
	}
	rules := m.game.GetRuleset()
	if rules.GetBlocked() == emergov1.BlockedResult_BLOCKED_RESULT_LOSS {
		words = append(words, "--blocked=loss")
	}
	if limit := rules.GetNoProgressLimit(); limit != 0 {
		words = append(words, fmt.Sprintf("--no-progress-limit=%d", limit))
	}
	position := m.game.GetPosition()
	if position == "" { // as it was at the start
		position = m.state.GetPosition()
	}
	words = append(words, position)
	return joined(append(words, m.game.GetMoves()...))
}
