// Command emergod serves emergo.v1.RulesService: it adjudicates games of Emergo over gRPC.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/luctor-et-emergo/emergod/service/emergorules"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// settings are the command line, which environment variables can stand in for.
type settings struct {
	Listen       string           `default:"${listen}" env:"EMERGOD_LISTEN" placeholder:"HOST:PORT" help:"Address for gRPC; port 0 picks a free one (${default})."`
	AdminListen  string           `default:"${admin_listen}" env:"EMERGOD_ADMIN_LISTEN" placeholder:"HOST:PORT" help:"Address for HTTP with /metrics; empty for none (${default})."`
	DrainTimeout time.Duration    `default:"${drain_timeout}" env:"EMERGOD_DRAIN_TIMEOUT" placeholder:"DURATION" help:"How long a stop waits for calls in flight (${default})."`
	LogLevel     slog.Level       `default:"info" env:"EMERGOD_LOG_LEVEL" placeholder:"LEVEL" help:"Least level to log: debug (every call), info (refused calls too), warn or error (${default})."`
	LogFormat    string           `default:"text" enum:"text,json" env:"EMERGOD_LOG_FORMAT" placeholder:"FORMAT" help:"Format of the log on standard error: text or json (${default})."`
	Version      kong.VersionFlag `help:"Print the version and exit."`
}

func main() {
	var set settings
	kong.Parse(&set,
		kong.Name("emergod"),
		kong.Description("Rules server for the board game Emergo: serves emergo.v1.RulesService over gRPC."),
		kong.Vars{
			"listen":        server.DefaultListen,
			"admin_listen":  server.DefaultAdminListen,
			"drain_timeout": server.DefaultDrainTimeout.String(),
			"version":       version(),
		})
	log := set.logger()
	if err := run(set, log); err != nil {
		log.Error("emergod failed", "error", err)
		os.Exit(1)
	}
}

// Validate is called by kong.
func (set *settings) Validate() error {
	if set.DrainTimeout < 0 {
		return fmt.Errorf("--drain-timeout is %s; it must not be negative", set.DrainTimeout)
	}
	return nil
}

func run(set settings, log *slog.Logger) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s, err := server.New(server.Config{
		Listen:          set.Listen,
		AdminListen:     set.AdminListen,
		DrainTimeout:    set.DrainTimeout,
		MaxRequestBytes: emergorules.MaxRequestBytes,
		Log:             log,
		Version:         version(),
	}, emergorules.Register)
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, stop) // a second signal stops at once
	return s.Run(ctx)
}

func (set settings) logger() *slog.Logger {
	options := &slog.HandlerOptions{Level: set.LogLevel}
	if set.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, options))
}

// version returns what the build recorded: a module version, or one made from the commit.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "unknown"
}
