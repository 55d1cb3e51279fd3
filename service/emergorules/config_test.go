package emergorules

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// allocated returns the bytes that f allocates.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// However many slots share it, evaluations take the memory that is set, and little less.
func TestEvaluationsKeepToTheirMemory(t *testing.T) {
	held := endgame.Embedded().MemoryBytes()
	for _, slots := range []int{1, 8, 32} {
		t.Run(fmt.Sprint(slots, " slots"), func(t *testing.T) {
			c := DefaultConfig()
			c.EvaluateSlots, c.EvaluateMemory = slots, 48
			used := held + allocated(func() {
				s, err := Open(c)
				if err != nil {
					t.Fatal(err)
				}
				game := emergo.NewGame(emergo.StartPosition(emergo.Board9x9), emergo.Rules{})
				for range slots { // each is used once, and then is the last in the queue of free ones
					if _, _, err := s.evaluator.search(t.Context(), game, search.Limits{Depth: 4}, nil); err != nil {
						t.Fatal(err)
					}
				}
			})
			most := c.EvaluateMemory << 20
			const passing = 1 << 20 // metrics and answers
			if used > most+passing || used < most*9/10 {
				t.Errorf("%d slots take %d bytes, want %d", slots, used, most)
			}
		})
	}
}

// The least memory that a refusal names is enough, and less is not.
func TestLeastMemory(t *testing.T) {
	c := DefaultConfig()
	c.EvaluateSlots, c.EvaluateMemory = 100, 1
	err := Check(c)
	var refused *ConfigError
	if !errors.As(err, &refused) {
		t.Fatalf("1 MiB for 100 slots: %v", err)
	}
	_, text, _ := strings.Cut(err.Error(), "the least is ")
	var least int
	if _, err := fmt.Sscan(text, &least); err != nil {
		t.Fatalf("%q names no least memory", refused)
	}
	if c.EvaluateMemory = least; Check(c) != nil {
		t.Errorf("%d MiB are refused: %v", least, Check(c))
	}
	if c.EvaluateMemory = least - 1; Check(c) == nil {
		t.Errorf("%d MiB are enough", least-1)
	}
}

// By default there is a slot for each processor but one, as far as the memory goes.
func TestSlotsByProcessors(t *testing.T) {
	c := DefaultConfig()
	for processors, want := range map[int]int{1: 1, 2: 1, 3: 2, 16: 15, 33: 32, 34: 32, 1024: 32} {
		got := c.slotsOf(processors)
		if got != want {
			t.Errorf("%d processors make %d slots, want %d", processors, got, want)
		}
		with := c
		if with.EvaluateSlots = got; Check(with) != nil {
			t.Errorf("%d processors: %v", processors, Check(with))
		}
	}
}

// To check settings takes none of the memory that they grant.
func TestCheckMakesNoTables(t *testing.T) {
	c := DefaultConfig()
	c.EvaluateMemory = 1 << 10
	bytes := allocated(func() {
		if err := Check(c); err != nil {
			t.Error(err)
		}
	})
	if bytes > 1<<20 {
		t.Errorf("%d bytes are allocated", bytes)
	}
}
