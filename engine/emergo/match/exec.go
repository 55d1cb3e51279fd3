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
	"sync"
	"sync/atomic"
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// How long is waited for a program.
const (
	// endPatience is how long it may take to end after it was asked to.
	endPatience = 2 * time.Second
	// answerPatience is how long it may take to answer if nothing is known of it.
	answerPatience = time.Minute
	// searchPatience is how much longer than the time of its search it may take.
	searchPatience = 10 * time.Second
)

// A program is a player in a process of its own, which speaks the protocol that Serve describes. What
// it writes to standard error is passed on.
type program struct {
	command *exec.Cmd
	within  patience
	to      io.WriteCloser
	from    *bufio.Scanner
	killed  atomic.Bool
	wait    func() string // for its end, and tells how that was
}

// A patience is how long a program may take to answer.
type patience struct{ ready, move time.Duration }

func parseExec(text string) (Spec, error) {
	words := strings.Fields(text)
	var within time.Duration
	if len(words) > 0 && strings.HasPrefix(words[0], "within=") {
		o := readOptions(words[0])
		within = o.duration("within")
		if err := o.finish(); err != nil {
			return Spec{}, err
		}
		words = words[1:]
	}
	if len(words) == 0 {
		return Spec{}, errors.New("it needs a command, as in exec:emergo engine search:nodes=20000")
	}
	p := patience{within, within}
	if within == 0 {
		p = usualPatience(words)
	}
	return Spec{make: func() (Player, error) { return startProgram(words, p) }}, nil
}

// usualPatience returns how long a command may take to answer. If it is a search that goes by the
// clock, as in "emergo engine search:500ms", that follows from its time.
func usualPatience(words []string) patience {
	for _, word := range words {
		if options, ok := strings.CutPrefix(word, "search:"); ok {
			if d := readOptions(options).duration(""); d > 0 {
				return patience{answerPatience, d + searchPatience}
			}
		}
	}
	return patience{answerPatience, answerPatience}
}

func startProgram(words []string, within patience) (Player, error) {
	p := &program{command: exec.Command(words[0], words[1:]...), within: within}
	p.command.Stderr = os.Stderr
	leadGroup(p.command)
	var err error
	if p.to, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	from, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.from = bufio.NewScanner(from)
	p.from.Buffer(nil, longestLine)
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	p.wait = sync.OnceValue(func() string {
		p.to.Close()
		late := time.AfterFunc(endPatience, p.kill)
		defer late.Stop()
		_ = p.command.Wait() // which closes the pipes, whoever else holds them; the state tells the rest
		return p.command.ProcessState.String()
	})
	return p, nil
}

func (p *program) Begin(ctx context.Context, g *emergo.Game, seed uint64) error {
	answer, err := p.ask(ctx, newGameLine(g, seed), p.within.ready)
	if err == nil && answer != readyLine {
		err = fmt.Errorf("it answers a new game with %.80q instead of %q", answer, readyLine)
	}
	return err
}

func (p *program) Choose(ctx context.Context, g *emergo.Game) (Choice, error) {
	answer, err := p.ask(ctx, positionLine(g)+"\n"+goLine, p.within.move)
	if err != nil {
		return Choice{}, err
	}
	return readBestMove(answer, g.Position())
}

// ask sends lines and returns the line that answers the last of them. If it takes too long, or ctx ends
// meanwhile, ask ends the program.
func (p *program) ask(ctx context.Context, lines string, within time.Duration) (string, error) {
	type answer struct {
		line string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		line, err := p.exchange(lines)
		answers <- answer{line, err}
	}()
	// While this process is stopped, as by Ctrl-Z, it gets no ticks, and so the time does not run.
	const ticks = 10
	ticker := time.NewTicker(max(within/ticks, time.Millisecond))
	defer ticker.Stop()
	for range ticks {
		select {
		case a := <-answers:
			return a.line, a.err
		case <-ctx.Done():
			p.kill()
			return "", ctx.Err()
		case <-ticker.C:
		}
	}
	p.kill()
	return "", fmt.Errorf("it did not answer %q within %v", lastWord(lines), within)
}

// lastWord returns what the last line begins with.
func lastWord(lines string) string {
	word, _, _ := strings.Cut(lines[strings.LastIndex(lines, "\n")+1:], " ")
	return word
}

// exchange sends lines and waits for the answer.
func (p *program) exchange(lines string) (string, error) {
	_, err := io.WriteString(p.to, lines+"\n")
	if err == nil && p.from.Scan() {
		answer := p.from.Text()
		if problem, wrong := strings.CutPrefix(answer, errorWord+" "); wrong {
			return "", errors.New(problem)
		}
		return answer, nil
	}
	if errors.Is(p.from.Err(), bufio.ErrTooLong) {
		p.kill() // or it would go on writing
		return "", fmt.Errorf("it answers %q with a line of more than %d bytes", lastWord(lines), longestLine)
	}
	state := p.wait()
	if p.killed.Load() {
		return "", fmt.Errorf("it has closed its output instead of answering %q", lastWord(lines))
	}
	return "", fmt.Errorf("it has ended (%s) without answering %q", state, lastWord(lines))
}

// kill ends the program and what it has started.
func (p *program) kill() {
	p.killed.Store(true)
	killGroup(p.command.Process)
}

func (p *program) Close() error {
	p.wait()
	return nil
}
