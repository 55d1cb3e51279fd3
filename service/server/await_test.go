package server_test

import (
	"testing"
	"time"
)

// await waits until something holds; a minute is for the busiest of machines.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("in vain awaited: %s", what)
		}
	}
}
