package match

import (
	"context"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// One operation is a random game from the start to its end.
func BenchmarkPlayout(b *testing.B) {
	u := &uct{chance: newChance(1)}
	start := emergo.StartPosition(emergo.Board9x9)
	b.ReportAllocs()
	for b.Loop() {
		u.playOut(start, emergo.White)
	}
}

// One operation is a move by 1,000 playouts.
func BenchmarkUCT(b *testing.B) {
	g := emergo.NewGame(emergo.StartPosition(emergo.Board9x9), emergo.Rules{})
	u := &uct{playouts: 1000}
	if err := u.Begin(context.Background(), g, 1); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := u.Choose(context.Background(), g); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLogLikelihoodRatio(b *testing.B) {
	test := SPRT{0, 5, DefaultError, DefaultError}
	b.ReportAllocs()
	for b.Loop() {
		test.LogLikelihoodRatio(Pentanomial{292, 5905, 28939, 6129, 299})
	}
}
