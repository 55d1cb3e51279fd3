package main

import (
	"errors"
	"io"
	"net"
	"strconv"
	"time"

	"github.com/alecthomas/kong"

	"github.com/luctor-et-emergo/emergod/engine/emergo/fit"
)

// A commandLine is what can be said on it.
type commandLine struct {
	Addr    address          `default:"127.0.0.1:50051" env:"EMERGO_ADDR" placeholder:"HOST:PORT" help:"The server to ask (${default})."`
	Timeout time.Duration    `type:"duration" from:"1ms" default:"5s" placeholder:"DURATION" help:"How long to wait for each answer (${default})."`
	Version kong.VersionFlag `help:"Print the version and exit."`

	New     newCmd     `cmd:"" help:"Print the start position."`
	Moves   movesCmd   `cmd:"" help:"List the legal moves."`
	Apply   applyCmd   `cmd:"" help:"Play moves and print the position they lead to."`
	Eval    evalCmd    `cmd:"" help:"Print what the position is worth and what each side has."`
	Analyze analyzeCmd `cmd:"" help:"Show what the position is worth, deeper and deeper."`
	Show    showCmd    `cmd:"" help:"Draw the board."`
	Play    playCmd    `cmd:"" help:"Play a game: two people at one terminal, or one against the server."`
	Perft   perftCmd   `cmd:"" help:"Count the move sequences of a position, without a server."`
	Prove   proveCmd   `cmd:"" help:"Prove what a position is worth, without a server."`
	Match   matchCmd   `cmd:"" help:"Let two players play a match and say which is stronger."`
	Ladder  ladderCmd  `cmd:"" help:"Play the matches that show how strong the search is."`
	Engine  engineCmd  `cmd:"" help:"Be a player of another program's match."`
	Fit     fitCmd     `cmd:"" help:"Fit the weights of the evaluation to games."`
	Tables  tablesCmd  `cmd:"" help:"Compute and check endgame tables, without a server."`
}

var flagGroups = []kong.Group{{Key: "rules", Title: "Rules of the game:"}, {Key: "search", Title: "Search:"}}

// parse reads a command line. It returns no command if the line asked for help or the version, which have then been
// printed.
func (l *commandLine) parse(args []string, stdout, stderr io.Writer) (*kong.Context, error) {
	printed := false
	parser, err := kong.New(l, append(quantities,
		kong.Name("emergo"),
		kong.Description(description),
		kong.Help(printHelp),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, NoAppSummary: true, NoAppDescFormat: true, WrapUpperBound: 90}),
		kong.ExplicitGroups(flagGroups),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { printed = true }),
		kong.Vars{"version": "emergo " + version()},
		kong.Vars(matchVars),
		kong.Vars{"fit_steps": strconv.Itoa(fit.DefaultSteps)},
	)...)
	if err != nil {
		return nil, err
	}
	for _, command := range parser.Model.Children {
		command.Detail = pages[command.Name].about
		for _, part := range command.Children {
			part.Detail = pages[command.Name+" "+part.Name].about
		}
	}
	command, err := parser.Parse(joinNegatives(args))
	if printed { // and whatever else the line lacks does not matter
		return nil, nil
	}
	return command, err
}

// An address is where a server listens, host:port.
type address string

func (a *address) UnmarshalText(text []byte) error {
	_, port, err := net.SplitHostPort(string(text))
	if err != nil || port == "" {
		return errors.New("it must be HOST:PORT, as in 127.0.0.1:50051")
	}
	if n, err := net.LookupPort("tcp", port); err != nil || n == 0 { // some ports have names
		return errors.New("its port must be a number from 1 to 65535, as in 127.0.0.1:50051")
	}
	*a = address(text)
	return nil
}
