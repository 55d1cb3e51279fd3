package endgame

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// A file holds tables. All numbers are little-endian.
//
//	 0  8 bytes  magic
//	 8  4 bytes  version of the format, and of the order of positions in a table
//	12  4 bytes  number of tables
//	16  for each table
//	     0  1 byte   board: its number of ranks
//	     1  1 byte   pieces
//	     2  1 byte   bits for each position: 2 for its value, 8 for its outcome
//	     3  1 byte   zero
//	     4  4 bytes  CRC-32C of the table's data
//	     8  8 bytes  number of positions
//	then 4 bytes  CRC-32C of all that precedes
//	then the data of the tables, one after another, each in whole bytes
const (
	magic         = "EMERGOTB"
	formatVersion = 1

	fixedHeaderSize = 16
	tableHeaderSize = 16
	checksumSize    = 4

	mostTables = 64 // far more than there are
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Write writes a file of tables. It writes the same bytes for the same tables.
func Write(w io.Writer, tables ...*Table) error {
	if len(tables) == 0 || len(tables) > mostTables {
		return fmt.Errorf("a file holds from 1 to %d tables, not %d", mostTables, len(tables))
	}
	header := []byte(magic)
	header = binary.LittleEndian.AppendUint32(header, formatVersion)
	header = binary.LittleEndian.AppendUint32(header, uint32(len(tables)))
	for _, t := range tables {
		header = append(header, byte(t.Board().Ranks()), byte(t.Pieces()), byte(t.bits), 0)
		header = binary.LittleEndian.AppendUint32(header, crc32.Checksum(t.data, castagnoli))
		header = binary.LittleEndian.AppendUint64(header, uint64(t.index.size))
	}
	header = binary.LittleEndian.AppendUint32(header, crc32.Checksum(header, castagnoli))
	if _, err := w.Write(header); err != nil {
		return err
	}
	for _, t := range tables {
		if _, err := w.Write(t.data); err != nil {
			return err
		}
	}
	return nil
}

// read returns the tables of a file, which go on using its bytes. It checks everything that can be
// checked without computing the tables anew, the checksums of all data included.
func read(file []byte) ([]*Table, error) {
	if len(file) < len(magic) || string(file[:len(magic)]) != magic {
		return nil, fmt.Errorf("it is not a file of endgame tables, which begins with %q", magic)
	}
	if len(file) < fixedHeaderSize {
		return nil, errTruncated
	}
	if version := binary.LittleEndian.Uint32(file[8:]); version != formatVersion {
		return nil, fmt.Errorf("it has version %d of the format; this program reads version %d", version, formatVersion)
	}
	count := binary.LittleEndian.Uint32(file[12:])
	if count == 0 || count > mostTables {
		return nil, fmt.Errorf("it claims to hold %d tables; there can be from 1 to %d", count, mostTables)
	}
	headerSize := fixedHeaderSize + int(count)*tableHeaderSize
	if len(file) < headerSize+checksumSize {
		return nil, errTruncated
	}
	header, data := file[:headerSize], file[headerSize+checksumSize:]
	if crc32.Checksum(header, castagnoli) != binary.LittleEndian.Uint32(file[headerSize:]) {
		return nil, errors.New("it is damaged: its header does not have the checksum that it names")
	}
	tables := make([]*Table, count)
	for i := range tables {
		t, checksum, err := readTableHeader(header[fixedHeaderSize+i*tableHeaderSize:])
		if err != nil {
			return nil, fmt.Errorf("table %d: %w", i+1, err)
		}
		size := dataSize(t.index, t.bits)
		if len(data) < size {
			return nil, errTruncated
		}
		t.data, data = data[:size:size], data[size:]
		if crc32.Checksum(t.data, castagnoli) != checksum {
			return nil, fmt.Errorf("table %d (%v) is damaged: it does not have the checksum that the header names", i+1, t)
		}
		tables[i] = t
	}
	if len(data) > 0 {
		return nil, fmt.Errorf("%d bytes follow the last table; nothing may", len(data))
	}
	return tables, nil
}

var errTruncated = errors.New("it is truncated: it ends before the last table does")

// readTableHeader reads what the header says of a table.
func readTableHeader(h []byte) (t *Table, checksum uint32, err error) {
	ranks, pieces, bits, zero := h[0], int(h[1]), int(h[2]), h[3]
	var x *index
	for _, b := range boards {
		if int(ranks) == b.Ranks() {
			x = indexOf(b, pieces)
		}
	}
	if x == nil {
		return nil, 0, fmt.Errorf("there is no table of %d pieces on a board of %d ranks", pieces, ranks)
	}
	if bits != valueBits && bits != outcomeBits {
		return nil, 0, fmt.Errorf("a position cannot take %d bits; it takes %d or %d", bits, valueBits, outcomeBits)
	}
	if zero != 0 {
		return nil, 0, fmt.Errorf("a byte of its header is %d; it must be 0", zero)
	}
	if n := binary.LittleEndian.Uint64(h[8:]); n != uint64(x.size) {
		return nil, 0, fmt.Errorf("it has %d positions; with %d pieces on %v there are %d", n, pieces, x.board, x.size)
	}
	return &Table{index: x, bits: bits}, binary.LittleEndian.Uint32(h[4:]), nil
}

var boards = [...]emergo.Board{emergo.Board9x9, emergo.Board7x7}
