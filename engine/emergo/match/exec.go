package match

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// patience is how long a program may take to end after it was asked to.
const patience = 2 * time.Second

// A program is a player in a process of its own, which speaks the protocol that Serve describes. What
// it writes to standard error is passed on.
type program struct {
	command *exec.Cmd
	to      io.WriteCloser
	from    *bufio.Scanner
}

func parseExec(text string) (Spec, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return Spec{}, errors.New("it needs a command, as in exec:emergo engine search:nodes=20000")
	}
	return Spec{make: func() (Player, error) { return startProgram(words) }}, nil
}

func startProgram(words []string) (Player, error) {
	p := &program{command: exec.Command(words[0], words[1:]...)}
	p.command.Stderr = os.Stderr
	var err error
	if p.to, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	from, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.from = bufio.NewScanner(from)
	return p, p.command.Start()
}

func (p *program) Begin(ctx context.Context, g *emergo.Game, seed uint64) error {
	answer, err := p.ask(ctx, newGameLine(g, seed))
	if err == nil && answer != readyLine {
		err = fmt.Errorf("it answers a new game with %.80q instead of %q", answer, readyLine)
	}
	return err
}

func (p *program) Choose(ctx context.Context, g *emergo.Game) (Choice, error) {
	answer, err := p.ask(ctx, positionLine(g)+"\n"+goLine)
	if err != nil {
		return Choice{}, err
	}
	return readBestMove(answer, g.Position())
}

// ask sends lines and returns the line that answers them. If ctx ends meanwhile, it ends the program.
func (p *program) ask(ctx context.Context, lines string) (string, error) {
	defer context.AfterFunc(ctx, func() { p.command.Process.Kill() })()
	if _, err := io.WriteString(p.to, lines+"\n"); err != nil {
		return "", fmt.Errorf("it has stopped reading: %w", err)
	}
	if !p.from.Scan() {
		return "", errors.Join(errors.New("it has ended without an answer"), p.from.Err())
	}
	answer := p.from.Text()
	if problem, wrong := strings.CutPrefix(answer, errorWord+" "); wrong {
		return "", errors.New(problem)
	}
	return answer, nil
}

func (p *program) Close() error {
	p.to.Close()
	defer time.AfterFunc(patience, func() { p.command.Process.Kill() }).Stop()
	return p.command.Wait()
}
