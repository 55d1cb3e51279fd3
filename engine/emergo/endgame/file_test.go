package endgame

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// smallFile returns the bytes of a file of the smallest tables, one of each kind.
func smallFile(t testing.TB) []byte {
	t.Helper()
	table := Embedded().boards[emergo.Board7x7].distances[2]
	var b bytes.Buffer
	if err := Write(&b, table, table.WithoutDistances()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// mend gives a file the checksum of its header, if it has a header.
func mend(file []byte) {
	if len(file) < fixedHeaderSize {
		return
	}
	size := fixedHeaderSize + int(binary.LittleEndian.Uint32(file[12:]))*tableHeaderSize
	if size+checksumSize <= len(file) {
		binary.LittleEndian.PutUint32(file[size:], crc32.Checksum(file[:size], castagnoli))
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	file := smallFile(t)
	tables, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, table := range tables {
		names = append(names, table.String())
	}
	if want := []string{"7x7, 2 pieces, distances", "7x7, 2 pieces, values"}; !slices.Equal(names, want) {
		t.Errorf("the file has %q, want %q", names, want)
	}
	var again bytes.Buffer
	if err := Write(&again, tables...); err != nil || !bytes.Equal(again.Bytes(), file) {
		t.Errorf("written again the file is another one (%v)", err)
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	const second = fixedHeaderSize + tableHeaderSize // the header of the second table
	for _, test := range []struct {
		name   string
		spoil  func(file []byte) []byte
		reason string
	}{
		{"empty", func([]byte) []byte { return nil }, `it is not a file of endgame tables, which begins with "EMERGOTB"`},
		{"foreign", func([]byte) []byte { return []byte("\x7fELF and so on and on") }, "not a file of endgame tables"},
		{"another version", func(f []byte) []byte { f[8] = 7; return f }, "it has version 7 of the format; this program reads version 1"},
		{"no tables", func(f []byte) []byte { f[12] = 0; return f }, "it claims to hold 0 tables"},
		{"too many tables", func(f []byte) []byte { f[15] = 0xff; return f }, "it claims to hold 4278190082 tables"},
		{"only magic", func(f []byte) []byte { return f[:8] }, "truncated"},
		{"header truncated", func(f []byte) []byte { return f[:30] }, "truncated"},
		{"data truncated", func(f []byte) []byte { return f[:len(f)-1] }, "truncated"},
		{"too long", func(f []byte) []byte { return append(f, 0) }, "1 bytes follow the last table"},
		{"header damaged", func(f []byte) []byte { f[second+9] ^= 1; return f }, "its header does not have the checksum"},
		{"data damaged", func(f []byte) []byte { f[len(f)-1] ^= 1; return f }, "table 2 (7x7, 2 pieces, values) is damaged"},
		{"no such board", func(f []byte) []byte { f[second] = 8; mend(f); return f }, "table 2: there is no table of 2 pieces on a board of 8 ranks"},
		{"too many pieces", func(f []byte) []byte { f[second+1] = 5; mend(f); return f }, "table 2: there is no table of 5 pieces"},
		{"too few pieces", func(f []byte) []byte { f[second+1] = 1; mend(f); return f }, "table 2: there is no table of 1 pieces"},
		{"no such width", func(f []byte) []byte { f[second+2] = 3; mend(f); return f }, "a position cannot take 3 bits"},
		{"another number of positions", func(f []byte) []byte { f[second+8]++; mend(f); return f }, "table 2: it has 5569 positions; with 2 pieces on 7x7 there are 5568"},
		{"tables of another width", func(f []byte) []byte { f[second+2] = 8; mend(f); return f }, "truncated"},
		{"byte that must be 0", func(f []byte) []byte { f[second+3] = 1; mend(f); return f }, "a byte of its header is 1; it must be 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := test.spoil(smallFile(t))
			if _, err := read(file); err == nil || !strings.Contains(err.Error(), test.reason) {
				t.Errorf("got %v, want %s", err, test.reason)
			}
			path := filepath.Join(t.TempDir(), "tables")
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			tables, err := Open(path)
			if err == nil || !strings.Contains(err.Error(), test.reason) || !strings.HasPrefix(err.Error(), path+": ") {
				t.Errorf("opened, it says %v", err)
			}
			if tables != nil {
				t.Error("there are tables besides the error")
			}
		})
	}
}

func TestMissingFile(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestNoTablesAreNotWritten(t *testing.T) {
	if err := Write(new(bytes.Buffer)); err == nil {
		t.Error("a file without tables is written")
	}
}

func TestAnOpenFileAnswers(t *testing.T) {
	built, err := smallBoard()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "tables")
	var b bytes.Buffer
	if err := Write(&b, built...); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	tables, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	largest := built[len(built)-1]
	f := largest.Figures()
	if v, plies, ok := tables.ProbeDistance(&f.Longest); v != Win || plies != f.LongestWin || !ok {
		t.Errorf("%v is a %v in %d, %v", &f.Longest, v, plies, ok)
	}
	if _, _, ok := Embedded().ProbeDistance(&f.Longest); ok && largest.Pieces() > FewestPieces {
		t.Error("the embedded tables know what only the file does")
	}
	if v, ok := tables.Probe(position(t, "8la/9/9/9/9/9/9/1I@7/B@8 w 0 0,0")); v != Win || !ok {
		t.Error("what is embedded is not found besides a file")
	}
	if runtime.GOOS == "linux" && tables.MemoryBytes() != Embedded().MemoryBytes() {
		t.Error("a file that is mapped takes memory")
	}
	if err := tables.Close(); err != nil {
		t.Error(err)
	}
	if names, err := Verify(path, 1000); err != nil || len(names) != len(built) {
		t.Errorf("verified: %q, %v", names, err)
	}
}

// A file can be whole and yet say what is not so.
func TestVerifyFindsWrongValues(t *testing.T) {
	built, err := smallBoard()
	if err != nil {
		t.Fatal(err)
	}
	right := built[len(built)-1]
	wrong := *right
	wrong.data = bytes.Clone(wrong.data)
	for i := 0; i < len(wrong.data); i += 100 {
		wrong.data[i] ^= 3
	}
	var b bytes.Buffer
	if err := Write(&b, &wrong); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "tables")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(path, 1000); err == nil || !strings.HasPrefix(err.Error(), path+": "+right.String()+": ") {
		t.Errorf("got %v", err)
	}
}

// What is embedded does not stand in for what a file says of the same position.
func TestCheckComparesValuesWithDistances(t *testing.T) {
	const board, pieces = emergo.Board7x7, 3
	right := Embedded().boards[board].values[pieces]
	drawn := uint32(0)
	for right.value(drawn) != Draw {
		drawn++
	}
	p := right.index.at(drawn)
	tables := *Embedded()
	if err := tables.check(&p); err != nil {
		t.Fatal(err)
	}
	wrong := &Table{index: right.index, bits: outcomeBits, data: bytes.Repeat([]byte{byte(lostNow)}, dataSize(right.index, outcomeBits))}
	tables.add(wrong)
	if err := tables.check(&p); err == nil || !strings.Contains(err.Error(), "said to be a draw where there are only values, but a loss where there are distances") {
		t.Errorf("of a draw that a file says is lost: %v", err)
	}
}

// Where files cannot be mapped they are read, and count as memory.
func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tables")
	want := smallFile(t)
	if err := os.WriteFile(path, want, 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := readFile(path)
	if err != nil || !bytes.Equal(m.data, want) || m.heap != len(want) || m.unmap() != nil {
		t.Errorf("got %d bytes, %d of the heap, %v", len(m.data), m.heap, err)
	}
}

func FuzzReadFile(f *testing.F) {
	file := smallFile(f)
	const headerSize = fixedHeaderSize + 2*tableHeaderSize + checksumSize
	header, data := file[:headerSize], file[headerSize:]
	for size := range header {
		f.Add(header[:size], false)
	}
	f.Add(header, true)
	f.Fuzz(func(t *testing.T, header []byte, mended bool) {
		file := slices.Concat(header, data)
		if mended { // or hardly any file would get beyond the checksum
			mend(file)
		}
		tables, err := read(file)
		if err != nil {
			return
		}
		var all Tables
		for _, table := range tables {
			all.add(table)
			for _, i := range []uint32{0, table.index.size / 2, table.index.size - 1} {
				p := table.index.at(i)
				if _, ok := all.Probe(&p); !ok {
					t.Fatalf("%v has no position %d", table, i)
				}
				all.ProbeDistance(&p)
			}
		}
		var again bytes.Buffer
		if err := Write(&again, tables...); err != nil || !bytes.Equal(again.Bytes(), file) {
			t.Fatalf("written again the file is another one (%v)", err)
		}
	})
}
