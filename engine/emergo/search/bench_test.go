package search_test

import (
	"context"
	"testing"
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// BenchmarkSpeed compares, taking turns in one run, how many positions a second the search visits, how
// many leaves its evaluation weighs and how many positions perft plays, from the same position. ns/op is a
// search's.
func BenchmarkSpeed(b *testing.B) {
	for _, c := range []struct {
		name, position string
		depth          int // of perft
	}{
		{"start9x9", "9/9/9/9/9/9/9/9/9 w 0 12,12", 3},
		{"entering18Pieces", middle, 4},
		{"stepping12Pieces", "a@3a@3A@/1a@5A@1/2aa6/5AA3/6AB2/1AC7/2AA1D@4/3AA5/9 w 46 0,0", 5},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := game(b, emergo.Rules{}, c.position)
			s := search.New(16<<20, nil)
			var visited, weighed, played uint64
			var searching, weighing, playing time.Duration
			leaves := leaves(g.Position())
			b.ReportAllocs()
			for b.Loop() {
				r := s.Search(context.Background(), g, search.Limits{Nodes: 200_000}, nil)
				visited, searching = visited+r.Nodes, searching+r.Time
				b.StopTimer()
				begun := time.Now()
				for played <= visited {
					played += emergo.PerftPlayed(g.Position(), c.depth)
				}
				playing += time.Since(begun)
				begun = time.Now()
				for weighed <= visited {
					for i := range leaves {
						search.Evaluate(&leaves[i])
					}
					weighed += uint64(len(leaves))
				}
				weighing += time.Since(begun)
				b.StartTimer()
			}
			nodes := float64(visited) / searching.Seconds()
			perft := float64(played) / playing.Seconds()
			b.ReportMetric(nodes/1e6, "Mnodes/s")
			b.ReportMetric(float64(weighed)/weighing.Seconds()/1e6, "Mleaves/s")
			b.ReportMetric(perft/1e6, "Mperft/s")
			b.ReportMetric(perft/nodes, "perft/node")
		})
	}
}

// leaves returns the positions two plies after p that a search would weigh.
func leaves(p *emergo.Position) (list []emergo.Position) {
	for _, m := range p.AppendMoves(nil) {
		next := p.Play(m)
		for _, m := range next.AppendMoves(nil) {
			if leaf := next.Play(m); leaf.HasMoves() && !leaf.CanCapture(leaf.Turn()) {
				list = append(list, leaf)
			}
		}
	}
	return list
}

// BenchmarkTechniques reports, for each technique of the search, how many times as many positions are
// visited without it to finish the same depth, over a game's worth of positions on both boards. The
// numbers of positions are the same in every run.
func BenchmarkTechniques(b *testing.B) {
	games := []struct {
		start string
		depth int
	}{{"9/9/9/9/9/9/9/9/9 w 0 12,12", 7}, {"7/7/7/7/7/7/7 w 0 8,8", 8}}
	nodes := func(names ...string) (n uint64) {
		s := search.New(16<<20, nil)
		if err := s.Without(names...); err != nil {
			b.Fatal(err)
		}
		leader := search.New(16<<20, nil) // plays the same game whatever is switched off
		for _, c := range games {
			g := game(b, emergo.Rules{}, c.start)
			for ply := 0; !g.Outcome().Over() && ply < 90; ply++ {
				if ply%3 == 0 {
					n += s.Search(context.Background(), g, search.Limits{Depth: c.depth}, nil).Nodes
				}
				g.Play(leader.Search(context.Background(), g, search.Limits{Nodes: 2_000}, nil).Lines[0].Moves[0])
			}
		}
		return n
	}
	with := float64(nodes())
	for _, name := range search.Techniques() {
		b.Run(name, func(b *testing.B) {
			var without uint64
			for b.Loop() {
				without = nodes(name)
			}
			b.ReportMetric(float64(without)/with, "nodes/node")
		})
	}
}
