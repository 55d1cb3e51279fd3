package emergorules

import (
	"context"
	"testing"
	"time"
)

// However long searches took before, an evaluation waits until its own deadline: those ahead of it may be
// short.
func TestLongSearchesBeforeDoNotRefuseAShortOne(t *testing.T) {
	c := DefaultConfig()
	c.EvaluateSlots, c.EvaluateMemory = 1, 16
	e, err := newEvaluator(c)
	if err != nil {
		t.Fatal(err)
	}
	e.usual.Store(int64(time.Hour))
	end := time.Now().Add(time.Minute)
	ctx, cancel := context.WithDeadline(t.Context(), end)
	defer cancel()
	held, err := e.acquire(ctx, end)
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan error, 1)
	go func() {
		_, err := e.acquire(ctx, end)
		got <- err
	}()
	for e.waiting.Load() == 0 && len(got) == 0 {
		time.Sleep(time.Millisecond)
	}
	e.release(held, time.Now())
	if err := <-got; err != nil {
		t.Errorf("refused: %v", err)
	}
}
