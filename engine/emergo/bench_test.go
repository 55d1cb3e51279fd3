//go:build unix

package emergo_test

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// The positions measured. TestPerft and TestPerftOfTwelvePieces check their numbers.
var benchmarkPositions = []struct {
	name  string
	fen   string
	depth int // of the perft
}{
	{"start9x9", start9x9, 4},
	{"start7x7", start7x7, 5},
	{"entering18Pieces", "4A@1a@2/3A@3a@1/aa8/1a@1a@1a@1A@1/A@7A@/1a@1aa3A@1/6A@2/9/A@1a@3A@2 w 22 1,3", 5},
	{"capturing21Pieces", "A@1a@1A@4/7A@1/A@1AA1A@4/1a@7/2B@1A@1A@1a@/9/AA3a@1a@2/5a@1a@1/A@1a@1a@1a@2 b 27 0,0", 7},
	{"stepping12Pieces", twelvePieces, 5},
}

// worstCapture is the largest capture search known: 476 jumps, 64 captures.
const worstCapture = "A@7A@/1aa1a@1a@1aa1/9/1aa1a@1aa1a@1/9/1a@1a@1a@1aa1/A@7A@/9/2C@6 w 24 0,0"

// cpuTime is what the process has used of all processors. Other than the time on the clock it does not depend on what
// else the machine has to do.
func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// reportPerCPUSecond reports the number of what was done since start for each second of processor time.
func reportPerCPUSecond(b *testing.B, what string, done float64, start time.Duration) {
	b.ReportMetric(done/(cpuTime(b)-start).Seconds(), what+"/cpu-s")
}

func BenchmarkPerft(b *testing.B) {
	for _, way := range []struct {
		name  string
		perft func(*emergo.Position, int) uint64
	}{{"bulk", emergo.Perft}, {"played", emergo.PerftPlayed}} {
		for _, c := range benchmarkPositions {
			b.Run(way.name+"/"+c.name, func(b *testing.B) {
				p := position(b, c.fen)
				b.ReportAllocs()
				nodes, start := uint64(0), cpuTime(b)
				for b.Loop() {
					nodes += way.perft(&p, c.depth)
				}
				reportPerCPUSecond(b, "Mnodes", float64(nodes)/1e6, start)
			})
		}
	}
}

// benchmarkEach measures something in each of the positions.
func benchmarkEach(b *testing.B, run func(b *testing.B, p *emergo.Position)) {
	for _, c := range benchmarkPositions {
		b.Run(c.name, func(b *testing.B) {
			p := position(b, c.fen)
			b.ReportAllocs()
			run(b, &p)
		})
	}
	b.Run("worstCapture", func(b *testing.B) {
		p := position(b, worstCapture)
		b.ReportAllocs()
		run(b, &p)
	})
}

func BenchmarkAppendMoves(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, p *emergo.Position) {
		moves := make([]emergo.Move, 0, 64)
		for b.Loop() {
			moves = p.AppendMoves(moves[:0])
		}
	})
}

func BenchmarkCountMoves(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, p *emergo.Position) {
		for b.Loop() {
			p.CountMoves()
		}
	})
}

func BenchmarkPlay(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, p *emergo.Position) {
		m := p.AppendMoves(nil)[0]
		for b.Loop() {
			p.Play(m)
		}
	})
}

func BenchmarkOutcome(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, p *emergo.Position) {
		for b.Loop() {
			p.Outcome(emergo.Rules{})
		}
	})
}

func BenchmarkParsePosition(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, p *emergo.Position) {
		text := p.String()
		for b.Loop() {
			if _, err := emergo.ParsePosition(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkPositionString(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, p *emergo.Position) {
		for b.Loop() {
			_ = p.String()
		}
	})
}

func BenchmarkParseMove(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, p *emergo.Position) {
		text := p.AppendMoves(nil)[0].String()
		for b.Loop() {
			if _, err := p.ParseMove(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkMoveString(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, p *emergo.Position) {
		m := p.AppendMoves(nil)[0]
		for b.Loop() {
			_ = m.String()
		}
	})
}

// A random game lasts some 100 plies.
func BenchmarkRandomGame(b *testing.B) {
	for _, board := range []emergo.Board{emergo.Board9x9, emergo.Board7x7} {
		b.Run(board.String(), func(b *testing.B) {
			b.ReportAllocs()
			r := rand.New(rand.NewPCG(1986, 0))
			moves := make([]emergo.Move, 0, 64)
			games, plies, start := 0, 0, cpuTime(b)
			for b.Loop() {
				g := emergo.NewGame(emergo.StartPosition(board), emergo.Rules{})
				for !g.Outcome().Over() {
					moves = g.AppendMoves(moves[:0])
					g.Play(moves[r.IntN(len(moves))])
					plies++
				}
				games++
			}
			reportPerCPUSecond(b, "games", float64(games), start)
			reportPerCPUSecond(b, "Mplies", float64(plies)/1e6, start)
		})
	}
}
