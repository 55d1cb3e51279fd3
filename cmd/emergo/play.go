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
	ctx, stop := s.interruptible()
	defer stop()
	s.ctx = ctx
	c, err := s.client()
	if err != nil {
		return err
	}
	defer c.close()
	first, err := c.moment(p.game(readGame(p.words())))
	if err != nil {
		return err
	}
	game := &sitting{client: c, lines: bufio.NewScanner(s.in), scripted: !isTerminal(s.in), moments: []moment{first}, engine: player}
	return game.play()
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

// A sitting is a game at the terminal between two people, or one and the engine.
type sitting struct {
	*client
	engine   engine
	lines    *bufio.Scanner
	scripted bool     // the lines do not come from a terminal, so they are not on the screen either
	moments  []moment // one more than moves played here
	ended    string   // how the players ended the game, or "" while they have not
	left     bool
	refused  bool // a move, at some time
}

func (s *sitting) now() *moment { return &s.moments[len(s.moments)-1] }

func (s *sitting) side() string { return colorName(s.now().state.GetSideToMove()) }

func (s *sitting) other() string { return colorName(opponent(s.now().state.GetSideToMove())) }

// say prints a line, as it is. If it cannot be printed, no other is read.
func (s *sitting) say(format string, args ...any) { fmt.Fprintf(s.out, format+"\n", args...) }

// show draws the board.
func (s *sitting) show() {
	s.say("")
	draw(s.out, s.now().state, s.now().last, paletteFor(s.out))
	s.say("")
}

// read prompts for a line. Its error is io.EOF at the end of the input, and that of the context if the
// players are interrupted.
func (s *sitting) read(prompt string) (string, error) {
	fmt.Fprint(s.out, prompt)
	if s.out.err != nil {
		return "", s.out.err
	}
	more := make(chan bool, 1)
	go func() { more <- s.lines.Scan() }()
	select {
	case <-s.ctx.Done(): // and nobody reads on
		return "", s.ctx.Err()
	case scanned := <-more:
		if !scanned {
			return "", s.endOfInput()
		}
	}
	text := strings.TrimSpace(validUTF8(s.lines.Text()))
	if s.scripted {
		s.say("%s", printable(text))
	}
	return text, nil
}

// endOfInput returns why there is no more to read.
func (s *sitting) endOfInput() error {
	s.say("")
	if err := s.lines.Err(); err != nil {
		return failuref("Standard input cannot be read: %v.", err)
	}
	return io.EOF
}

// play plays until the game is over or the players leave.
func (s *sitting) play() error {
	s.say(`White is O, Black is X. Type a move, such as c3, or "help".`)
	s.show()
	for s.ended == "" && !s.left && !over(s.now().state) {
		err := s.turn()
		var broken failure
		switch {
		case errors.Is(err, io.EOF):
			s.left = true
		case s.ctx.Err() != nil:
			s.say("") // the terminal has written ^C
			s.left = true
		case errors.As(err, &broken) && !s.scripted:
			say(s.out, err.Error())
			s.say("The game is kept: try again.")
			if s.engineToMove() { // which would at once
				_, err = s.read("Press Enter to go on. ")
				s.left = err != nil
			}
		case err != nil:
			return err
		}
	}
	s.conclude()
	if s.scripted && s.refused {
		return errReported // nobody was there to try again
	}
	return nil
}

// turn is that of the side to move.
func (s *sitting) turn() error {
	if s.engineToMove() {
		return s.engineMoves()
	}
	text, err := s.read(s.side() + "> ")
	if err != nil {
		return err
	}
	return s.obey(text)
}

// obey does what a line says.
func (s *sitting) obey(text string) error {
	command, argument, _ := strings.Cut(text, " ")
	switch strings.ToLower(command) {
	case "":
	case "help", "?":
		s.say("%s", playHelp)
	case "moves":
		return s.listMoves(strings.TrimSpace(argument))
	case "undo":
		s.undo()
	case "show":
		s.show()
	case "position":
		s.say("%s", printable(s.now().state.GetPosition()))
	case "resign":
		s.ended = fmt.Sprintf("%s wins: %s resigns.", s.other(), s.side())
	case "draw":
		return s.offerDraw()
	case "quit", "exit":
		s.left = true
	default:
		return s.move(strings.Join(strings.Fields(text), "")) // "c3 d4" is one move here
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
  quit        leaves the game; so do Ctrl-D and Ctrl-C
`

// move plays a move, or says why it cannot be played.
func (s *sitting) move(text string) error {
	response, err := s.applyMove(s.now().game, text)
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		s.refused = true
		say(s.out, err.Error())
		if refused.Reason == "MOVE_MALFORMED" {
			s.say(`"help" shows how moves are written, and the commands.`)
		}
		return nil
	case err != nil:
		return err
	}
	s.played(response)
	return nil
}

func (s *sitting) played(response *emergov1.ApplyMoveResponse) {
	s.moments = append(s.moments, moment{response.GetGame(), response.GetState(), response.GetMove()})
	s.show()
}

func (s *sitting) undo() {
	if len(s.moments) == 1 {
		s.say("There is no move to take back.")
		return
	}
	s.moments = s.moments[:len(s.moments)-1]
	for s.engineToMove() && len(s.moments) > 1 { // what it answered is taken back too
		s.moments = s.moments[:len(s.moments)-1]
	}
	s.show()
}

func (s *sitting) listMoves(prefix string) error {
	response, err := s.legalMoves(s.now().game, prefix)
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		say(s.out, err.Error())
		return nil
	case err != nil:
		return err
	case len(response.GetMoves()) == 0:
		s.say("No legal move begins so.")
	}
	for _, l := range wrap(notation(response.GetMoves()), 76) {
		s.say("  %s", l)
	}
	return nil
}

func (s *sitting) offerDraw() error {
	if s.engine.side != 0 {
		s.say("The engine plays on.")
		return nil
	}
	text, err := s.read(fmt.Sprintf("%s offers a draw. Does %s agree? (y/n) ", s.side(), s.other()))
	if err != nil {
		return err
	}
	if text = strings.ToLower(text); text == "y" || text == "yes" {
		s.ended = "Draw: the players agree."
	} else {
		s.say("No draw: the game goes on.")
	}
	return nil
}

// conclude says how the game ended, or how to go on with it.
func (s *sitting) conclude() {
	if moves := s.moments[1:]; len(moves) > 0 {
		played := make([]*emergov1.Move, len(moves))
		for i, m := range moves {
			played[i] = m.last
		}
		s.say("The moves played:")
		for _, l := range wrap(notation(played), 76) {
			s.say("  %s", l)
		}
	}
	switch {
	case s.ended != "":
		s.say("%s", s.ended)
	case over(s.now().state):
		s.say("%s", outcome(s.now().state))
	case len(s.moments) > 1:
		s.say("To go on with the game:\n  %s", printable(resumption(s.now(), s.engine)))
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
