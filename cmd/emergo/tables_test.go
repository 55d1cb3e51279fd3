package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTablesBuild(t *testing.T) {
	file := filepath.Join(t.TempDir(), "small.tables")
	if err := os.WriteFile(file, []byte("what was there before"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := emergoAt(deadAddr(t), "", "tables", "build", "--board=7x7", "--pieces=2", "--output", file)
	want := `7x7, 2 pieces, distances
  38400 positions in 5568 entries
  19104 wins, 0 draws, 19296 losses
  longest win 51 plies: 7/7/7/1h@5/7/7/H@6 w 0 0,0
`
	if got.status != exitOK || got.out != want {
		t.Errorf("got %+v, want %s", got, want)
	}
	if got := emergoAt(deadAddr(t), "", "tables", "verify", file); got.status != exitOK || got.out != "7x7, 2 pieces, distances: sound\n" {
		t.Errorf("verify: %+v", got)
	}
	if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 1 {
		t.Errorf("there are %v, %v", left, err)
	}
}

func TestTablesBuildEmbedded(t *testing.T) {
	dir := t.TempDir()
	plain, compressed := filepath.Join(dir, "plain"), filepath.Join(dir, "compressed")
	for _, args := range [][]string{{"--output", plain}, {"--embedded", "--output", compressed}} {
		if got := emergoAt(deadAddr(t), "", append([]string{"tables", "build", "--board=7x7", "--pieces=2"}, args...)...); got.status != exitOK {
			t.Fatalf("%q: %+v", args, got)
		}
	}
	want, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(compressed)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want) {
		t.Errorf("of two pieces, other bytes are compressed than written plainly (%v)", err)
	}
}

func TestTablesFailures(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "foreign")
	if err := os.WriteFile(foreign, []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"tables"}, exitUsage, `expected one of "build", "verify"`},
		{[]string{"tables", "build"}, exitUsage, "missing flags: --output=FILE"},
		{[]string{"tables", "build", "--pieces=1", "--output", dir + "/x"}, exitUsage, "--pieces: tables of 9x9 are of 2 to 3 pieces, not 1"},
		{[]string{"tables", "build", "--pieces=4", "--output", dir + "/x"}, exitUsage, "--pieces: tables of 9x9 are of 2 to 3 pieces, not 4"},
		{[]string{"tables", "build", "--pieces=2,5", "--board=7x7", "--output", dir + "/x"}, exitUsage, "--pieces: tables of 7x7 are of 2 to 4 pieces, not 5"},
		{[]string{"tables", "build", "--pieces=", "--output", dir + "/x"}, exitUsage, "--pieces: it must be one or more numbers, as in 2,3"},
		{[]string{"tables", "build", "--pieces=two", "--output", dir + "/x"}, exitUsage, "--pieces: it must be one or more numbers, as in 2,3"},
		{[]string{"tables", "build", "--pieces", "-2", "--output", dir + "/x"}, exitUsage, "--pieces: tables of 9x9 are of 2 to 3 pieces, not -2"},
		{[]string{"tables", "build", "--pieces=2", "--output", dir + "/none/x"}, exitFailed, "The file was not written: no file can be made in " + dir + "/none: "},
		{[]string{"tables", "build", "--output", dir}, exitFailed, dir + " is a directory; name a file in it"},
		{[]string{"tables", "build", "--output", ""}, exitUsage, "--output: it must be the name of a file"},
		{[]string{"tables", "build", "--output", dir + "/x/"}, exitUsage, "--output: it must be the name of a file"},
		{[]string{"tables", "verify", ""}, exitUsage, "<file>: it must be the name of a file"},
		{[]string{"tables", "verify"}, exitUsage, `expected "<file>"`},
		{[]string{"tables", "verify", foreign}, exitFailed, "it is not a file of endgame tables"},
		{[]string{"tables", "verify", dir + "/none"}, exitFailed, "no such file or directory"},
	} {
		got := emergoAt(deadAddr(t), "", test.args...)
		if got.status != test.status || got.out != "" || !strings.Contains(got.err, test.says) {
			t.Errorf("%q: got %+v, want %s", test.args, got, test.says)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("there are %v, %v", left, err)
	}
}

// What is there stays as it was until the new file is whole.
func TestTablesBuildInterrupted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "small.tables")
	if err := os.WriteFile(file, []byte("what was there before"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, stderr bytes.Buffer
	status := run(ctx, []string{"tables", "build", "--board=7x7", "--output", file}, nil, &out, &stderr)
	if status != exitFailed || !strings.HasPrefix(stderr.String(), "emergo: The file was not written: that was interrupted.\n") {
		t.Errorf("status %d, %s%s", status, &out, &stderr)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "what was there before" {
		t.Errorf("the file is %q, %v", got, err)
	}
	if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 1 {
		t.Errorf("there are %v, %v", left, err)
	}
}
