package search

import "github.com/luctor-et-emergo/emergod/engine/emergo"

// Evaluate estimates p as a leaf of a search does.
func Evaluate(p *emergo.Position) Score { return fitted[p.Board()].evaluate(p) }
