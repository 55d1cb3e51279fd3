package endgame

import (
	"context"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// near are positions as a search meets them, one close to another; far are all over the table. What
// listing the moves of the near ones takes is for comparison.
func BenchmarkProbe(b *testing.B) {
	tables := Embedded()
	x := indexOf(emergo.Board9x9, 3)
	var near, far []emergo.Position
	const positions = 4096
	for i := range uint32(positions) {
		near = append(near, x.at(x.size/2+i))
		far = append(far, x.at(i*(x.size/positions)))
	}
	start := emergo.StartPosition(emergo.Board9x9)
	for _, c := range []struct {
		name      string
		positions []emergo.Position
	}{{"near", near}, {"far", far}, {"not found", []emergo.Position{start}}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				tables.Probe(&c.positions[i%len(c.positions)])
			}
		})
	}
	b.Run("listing moves", func(b *testing.B) {
		b.ReportAllocs()
		moves := make([]emergo.Move, 0, 64)
		for i := range b.N {
			moves = near[i%len(near)].AppendMoves(moves[:0])
		}
	})
}

func BenchmarkReadEmbedded(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		if _, err := readEmbedded(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(Embedded().MemoryBytes()), "heap-bytes")
}

func BenchmarkBuild(b *testing.B) {
	b.ReportAllocs()
	positions := 0
	for range b.N {
		tables, err := Build(context.Background(), emergo.Board7x7, 3, func(Progress) {})
		if err != nil {
			b.Fatal(err)
		}
		for _, t := range tables {
			positions += int(t.index.size)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(positions), "ns/position")
}
