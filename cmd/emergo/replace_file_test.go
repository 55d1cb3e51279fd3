package main

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What cannot be replaced is refused before anything is computed, and left as it is.
func TestReplaceFileRefuses(t *testing.T) {
	dir := t.TempDir()
	socket := filepath.Join(dir, "socket")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for link, target := range map[string]string{"toSocket": socket, "toDirectory": dir, "toNothing": filepath.Join(dir, "none")} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	before := listing(t, dir)
	for name, says := range map[string]string{
		"":            "is a directory; name a file in it",
		"socket":      "is no regular file",
		"toSocket":    "is no regular file",
		"toDirectory": "is a directory",
		"toNothing":   "is no regular file",
		"none/x":      "no file can be made in " + filepath.Join(dir, "none") + ": ",
		"socket/x":    "not a directory",
	} {
		err := replaceFile(filepath.Join(dir, name), func(io.Writer) error {
			t.Errorf("%q: it was begun", name)
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %s", name, err, says)
		}
	}
	if after := listing(t, dir); after != before {
		t.Errorf("there are %s; there were %s", after, before)
	}
}

// listing names what is in a directory, and what each is.
func listing(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, fs.FormatDirEntry(e))
	}
	return strings.Join(names, ", ")
}

// A link goes on leading to the file, whose contents are new.
func TestReplaceFileBehindALink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(file, []byte("old"), 0o600), os.Symlink(file, link)); err != nil {
		t.Fatal(err)
	}
	before := listing(t, dir)
	err := replaceFile(link, func(w io.Writer) error {
		_, err := io.WriteString(w, "new")
		return err
	})
	if text, _ := os.ReadFile(file); err != nil || string(text) != "new" || listing(t, dir) != before {
		t.Errorf("%v: the file is %q, and there are %s", err, text, listing(t, dir))
	}
}

// What went wrong leaves the old file as it was, and nothing beside it.
func TestReplaceFileFails(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	fault := errors.New("out of order")
	err := replaceFile(file, func(w io.Writer) error {
		io.WriteString(w, "new")
		return fault
	})
	if text, _ := os.ReadFile(file); !errors.Is(err, fault) || string(text) != "old" || listing(t, dir) != "- file" {
		t.Errorf("%v: the file is %q, and there are %s", err, text, listing(t, dir))
	}
}
