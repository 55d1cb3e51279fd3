//go:build unix

package match

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What might never end, or fill the memory, is not read.
func TestWeightsAreReadWithinBounds(t *testing.T) {
	dir := t.TempDir()
	pipe, long, longest := filepath.Join(dir, "pipe"), filepath.Join(dir, "long"), filepath.Join(dir, "longest")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int{longest: mostWeights, long: mostWeights + 1} {
		if err := os.WriteFile(name, bytes.Repeat([]byte("#"), size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, says := range map[string]string{
		"/dev/zero": "it is no regular file", pipe: "it is no regular file", dir: "it is no regular file",
		long: "it is longer than 1048576 bytes",
	} {
		_, err := ParseSpec("search:depth=1,weights=" + name)
		var file *fs.PathError
		if !errors.As(err, &file) || file.Path != name || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", name, err, says)
		}
	}
	if _, err := ParseSpec("search:depth=1,weights=" + longest); err != nil { // it is read, and refused for what it says
		t.Errorf("of the longest that is read: %v", err)
	}
}
