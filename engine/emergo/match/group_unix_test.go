//go:build unix

package match

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// Scripts that start programs end as a whole, though these hold the pipes open.
func TestWhatProgramsHaveStartedEndsWithThem(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	m := matchOf(t, "random", "random")
	m.Players[1], m.Threads = engine(t, "spawns "+file), 1
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := m.Run(ctx, nil)
		ended <- err
	}()
	child := 0
	await(t, "a child", func() bool {
		text, err := os.ReadFile(file)
		if err == nil {
			child, err = strconv.Atoi(string(text))
		}
		return err == nil
	})
	if !lives(child) {
		t.Fatal("the child has not lived")
	}
	interrupt()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	await(t, "the child's end", func() bool { return !lives(child) })
}

// lives reports whether a process is there and has not ended. Not every system reaps orphans.
func lives(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return !bytes.Contains(stat, []byte(") Z "))
}

// await waits until something holds; a minute is for the busiest of machines.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("in vain awaited: %s", what)
		}
	}
}
