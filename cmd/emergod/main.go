// Command emergod serves emergo.v1.RulesService: it adjudicates games of Emergo over gRPC.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/luctor-et-emergo/emergod/service/emergorules"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// The exit statuses.
const (
	exitOK      = 0
	exitFailed  = 1  // it could not start or go on serving; for healthcheck: not serving
	exitCutOff  = 3  // calls were cut off after the drain timeout
	exitConfig  = 78 // the settings are wrong: EX_CONFIG of sysexits; Go ends a crash with 2
	exitsInHelp = `Exit status: 0 after a clean stop, 1 if it could not start or go on serving, 3 if calls were cut off after the drain timeout, 78 if the settings are wrong. SIGTERM, SIGHUP or an interrupt begins a stop, a second SIGTERM or interrupt stops at once.`
)

// commandLine is the grammar of the command line. All commands take the same settings.
type commandLine struct {
	Settings settings `embed:""`

	ConfigFile kong.ConfigFlag  `name:"config" placeholder:"FILE" help:"Settings file, YAML, keys as the flags are named. Environment variables and flags override it." group:"Settings"`
	Version    kong.VersionFlag `env:"-" help:"Print the version and exit."`

	Serve  serveCommand `cmd:"" default:"1" help:"Serve (what emergod does if no command is given)."`
	Config struct {
		Check checkCommand `cmd:"" help:"Check the settings, and the files they name, and print what is in effect."`
	} `cmd:"" help:"Settings."`
	Healthcheck healthCommand `cmd:"" help:"Ask the server that these settings describe whether it is serving; for containers."`
}

func main() {
	var line commandLine
	parser, err := kong.New(&line,
		kong.Name("emergod"),
		kong.Description("Rules server for the board game Emergo: serves emergo.v1.RulesService over gRPC.\n\n"+exitsInHelp),
		kong.DefaultEnvars("EMERGOD"),
		kong.Configuration(loadSettings),
		kong.Vars{"version": version()},
		defaultValues(defaults().byName()),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.ValueFormatter(describe),
	)
	if err != nil {
		panic(err) // the grammar is wrong
	}
	command, err := parser.Parse(os.Args[1:])
	if err == nil {
		err = refuseBlank(os.LookupEnv)
	}
	if err == nil {
		err = line.Settings.validate()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "emergod: %v\nemergod: try: emergod --help\n", err)
		os.Exit(exitConfig)
	}
	if err := command.Run(line.Settings); err != nil {
		fmt.Fprintf(os.Stderr, "emergod: %v\n", err)
		var config *server.ConfigError
		var rules *emergorules.ConfigError
		switch {
		case errors.As(err, &config), errors.As(err, &rules):
			os.Exit(exitConfig)
		case errors.Is(err, server.ErrDrainTimeout):
			os.Exit(exitCutOff)
		}
		os.Exit(exitFailed)
	}
}

// defaultValues makes settings the values of the variables that the tags of settings name.
func defaultValues(settings map[string]string) kong.Vars {
	vars := kong.Vars{}
	for name, value := range settings {
		vars[strings.ReplaceAll(name, "-", "_")] = value
	}
	return vars
}

// describe returns the help of a flag with its default and its environment variable.
func describe(flag *kong.Value) string {
	var notes []string
	if flag.HasDefault && flag.Default != "" {
		notes = append(notes, flag.Default)
	}
	for _, env := range flag.Tag.Envs {
		notes = append(notes, "$"+env)
	}
	help := strings.TrimSuffix(flag.Help, ".")
	if len(notes) == 0 {
		return help + "."
	}
	return help + " (" + strings.Join(notes, "; ") + ")."
}

type serveCommand struct{}

// Run is called by kong.
func (serveCommand) Run(c settings) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent(c.Rules.EvaluateMemory))
	}
	rules, err := emergorules.Open(c.Rules)
	if err != nil {
		return err
	}
	s, err := server.New(c.Server, server.NewLogger(os.Stderr, c.Server), version(), rules.ForServer())
	if err != nil {
		return errors.Join(err, rules.Close())
	}
	if slots := c.Rules.Slots(); runtime.GOMAXPROCS(0) <= slots {
		// While searches keep all of Go's processors busy, nobody looks what has come from the network:
		// the system shares its processors more evenly.
		runtime.GOMAXPROCS(slots + 1)
	}
	signal.Ignore(syscall.SIGPIPE) // who reads the log may go away
	signalled, restore := signal.NotifyContext(context.Background(), stopSignals()...)
	ctx, stop := context.WithCancel(context.Background())
	context.AfterFunc(signalled, func() {
		restore() // from now on another signal ends the process at once
		stop()
	})
	return closed(rules, s.Run(ctx))
}

// stopSignals returns the signals that begin a stop. Under nohup a hangup is none; otherwise it never ends
// the process at once, since a terminal that is closed tends to send two.
func stopSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	return signals
}

// closed closes rules after a server has ended with err, and returns both errors. Calls that were cut off
// may still be at work on what it has open, so then the end of the process closes it.
func closed(rules io.Closer, err error) error {
	if errors.Is(err, server.ErrDrainTimeout) {
		return err
	}
	return errors.Join(err, rules.Close())
}

// gcPercent returns by how much the heap may grow between collections, beside tables of so many MiB:
// some tens of megabytes. What else lives between calls is a few megabytes, and by default Go would
// collect garbage each time they have doubled: a fifth of the processor time. GOMEMLIMIT still bounds
// the memory.
func gcPercent(tablesMiB int) int {
	const rest, growth = 8, 32                 // MiB
	return max(1, 100*growth/(rest+tablesMiB)) // 0 would be to collect without end
}

// version returns what the build recorded: a module version, or one made from the commit.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "unknown"
}
