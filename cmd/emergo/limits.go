package main

import (
	"time"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// limitFlags bound a search. What they may be is what the server takes.
type limitFlags struct {
	Depth int32         `type:"whole" to:"100" group:"search" placeholder:"PLIES" help:"Search so deep; 0 for no limit (0)."`
	Nodes int32         `type:"whole" to:"1000000000" group:"search" placeholder:"N" help:"Visit so many positions; 0 for no limit (0)."`
	Time  time.Duration `type:"duration" to:"10m" group:"search" placeholder:"DURATION" help:"Search so long, as in 500ms; 0 for no limit (0)."`
	Lines int32         `type:"whole" from:"1" to:"64" group:"search" default:"1" placeholder:"N" help:"Show so many of the best moves (${default})."`
}

func (f limitFlags) limits() *emergov1.SearchLimits {
	return &emergov1.SearchLimits{Depth: f.Depth, Nodes: f.Nodes, Milliseconds: milliseconds(f.Time)}
}

// milliseconds returns a time in milliseconds, rounded up so that a short time does not become none.
func milliseconds(d time.Duration) int32 {
	return int32((d + time.Millisecond - 1) / time.Millisecond)
}
