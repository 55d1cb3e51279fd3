package endgame

import (
	"bytes"
	"compress/gzip"
	_ "embed" // for the tables
	"encoding/binary"
	"fmt"
	"io"
	"sync"
)

// A compressed file of tables of both boards: two pieces with distances, three pieces without.
//
//go:generate go run ../../../cmd/emergo tables build --embedded --output embedded.bin.gz
//go:embed embedded.bin.gz
var embeddedFile []byte

// Embedded returns the tables that are part of the program: the values of two and three pieces, and
// the distances of two, on both boards. The first call in a process decompresses them, which takes
// a tenth of a second; later calls cost nothing. It panics if they are damaged, which cannot happen
// to a program that passes its tests.
func Embedded() *Tables { return embedded() }

var embedded = sync.OnceValue(func() *Tables {
	tables, err := readEmbedded()
	if err != nil {
		panic(fmt.Sprintf("endgame: the embedded file: %v", err))
	}
	t := new(Tables)
	for _, table := range tables {
		t.add(table)
		t.memory += len(table.data)
	}
	return t
})

func readEmbedded() ([]*Table, error) {
	r, err := gzip.NewReader(bytes.NewReader(embeddedFile))
	if err != nil {
		return nil, err
	}
	// The last four bytes of gzip are the size of what is compressed.
	size := binary.LittleEndian.Uint32(embeddedFile[len(embeddedFile)-4:])
	file := bytes.NewBuffer(make([]byte, 0, int(size)+bytes.MinRead))
	if _, err := file.ReadFrom(r); err != nil {
		return nil, err
	}
	return read(file.Bytes())
}

// WriteEmbedded writes the file that a program embeds: compressed, with distances for two pieces
// only. The tables must have distances.
func WriteEmbedded(w io.Writer, tables ...*Table) error {
	short := make([]*Table, len(tables))
	for i, t := range tables {
		if short[i] = t; t.Pieces() > FewestPieces {
			short[i] = t.WithoutDistances()
		}
	}
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := Write(z, short...); err != nil {
		return err
	}
	return z.Close()
}
