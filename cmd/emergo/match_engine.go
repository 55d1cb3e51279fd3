package main

import (
	"os"
	"os/signal"

	"github.com/luctor-et-emergo/emergod/engine/emergo/match"
)

type engineCmd struct {
	Player string `arg:"" optional:"" default:"search:100ms" help:"The player to be (${default})."`
}

// Run lets a player play by the protocol of package match.
func (c *engineCmd) Run(s *session) error {
	players, err := parsePlayers(c.Player)
	if err != nil {
		return err
	}
	player, err := players[0].New()
	if err != nil {
		return failuref("There is no such player: %v.", err)
	}
	defer player.Close()
	// An interrupt at the terminal is meant for the match, which then closes standard input.
	signal.Ignore(os.Interrupt)
	if err := match.Serve(s.ctx, player, s.in, s.out); err != nil {
		return failuref("The conversation has ended: %v.", err)
	}
	return nil
}
