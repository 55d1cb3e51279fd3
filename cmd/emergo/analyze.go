package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"google.golang.org/grpc/status"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

type analyzeCmd struct {
	gameArgs   `embed:""`
	limitFlags `embed:""`
	JSON       bool `name:"json" help:"Print the server's messages as JSON, one a line."`
}

// Run prints what the position is worth at one depth after the other.
func (a *analyzeCmd) Run(s *session) error {
	if a.Position == "-" {
		return usageError(`analyze takes one game, from the command line; "emergo eval -" evaluates many`)
	}
	c, err := s.client()
	if err != nil {
		return err
	}
	defer c.close()
	show := a.printer(s)
	return c.analyze(a.game(readGame(a.words())), a.limits(), a.Lines, show)
}

// printer returns what prints a message.
func (a *analyzeCmd) printer(s *session) func(*emergov1.AnalyzeResponse) error {
	switch {
	case a.JSON:
		return func(m *emergov1.AnalyzeResponse) error { return printMessageLine(s.out, m) }
	case isTerminal(s.out) && os.Getenv("TERM") != "dumb":
		return (&screen{out: s.out, height: func() int { return terminalHeight(s.out) }}).show
	}
	return func(m *emergov1.AnalyzeResponse) error {
		if over(m.GetState()) {
			say(s.err, "The game is over. "+outcome(m.GetState()))
		}
		for _, l := range evaluationLines(m.GetEvaluation()) {
			if _, err := fmt.Fprintf(s.out, "%3d  %s\n", m.GetEvaluation().GetDepth(), l); err != nil {
				return err
			}
		}
		return nil
	}
}

// A screen shows the newest message in the place of the one before.
type screen struct {
	out    io.Writer
	height func() int // in lines; it may change
	shown  int        // lines
}

func (s *screen) show(m *emergov1.AnalyzeResponse) error {
	lines := []string{outcome(m.GetState())}
	lines = append(lines, evaluationLines(m.GetEvaluation())...)
	lines = append(lines, effort(m.GetEvaluation()))
	most := max(s.height()-1, 1) // the cursor stands below them
	if last := len(lines) - 1; last >= most {
		lines = append(lines[:most-1], lines[last]) // of the moves the best
	}
	s.shown = min(s.shown, most)
	text, width := "", lineWidth(s.out)
	if s.shown > 0 {
		text = fmt.Sprintf("\x1b[%dA\x1b[J", s.shown) // up, and clear from there
	}
	for _, l := range lines {
		text += fmt.Sprintf("%.*s\n", width, l) // a line that went on in the next would upset the count
	}
	s.shown = len(lines)
	_, err := io.WriteString(s.out, text)
	return err
}

// analyze gives each message of an analysis to show.
func (c *client) analyze(game *emergov1.Game, limits *emergov1.SearchLimits, lines int32, show func(*emergov1.AnalyzeResponse) error) error {
	ctx, cancel := context.WithCancelCause(c.ctx)
	defer cancel(nil)
	late := time.AfterFunc(c.timeout, func() { cancel(context.DeadlineExceeded) })
	stream, err := c.rpc.Analyze(ctx, &emergov1.AnalyzeRequest{Game: game, Limits: limits, Lines: lines})
	for err == nil {
		var m *emergov1.AnalyzeResponse
		if m, err = stream.Recv(); err == nil {
			late.Stop() // the first answer has come; how long the others take is for the limits to say
			if err := show(m); err != nil {
				return err
			}
		}
	}
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		err = status.FromContextError(context.DeadlineExceeded).Err()
	}
	return c.explain(err, game.GetMoves())
}
