package endgame

import "os"

// A mapping is the content of a file, in memory or mapped into it.
type mapping struct {
	data  []byte
	heap  int // bytes that it takes of the process's own memory
	unmap func() error
}

// readFile reads a whole file into memory.
func readFile(path string) (mapping, error) {
	data, err := os.ReadFile(path)
	return mapping{data: data, heap: len(data), unmap: func() error { return nil }}, err
}
