//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package endgame

import (
	"errors"
	"os"
	"syscall"
)

// mapFile maps a regular file into memory, read-only.
func mapFile(path string) (m mapping, err error) {
	file, err := os.Open(path)
	if err != nil {
		return mapping{}, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return mapping{}, err
	}
	if info.Size() == 0 { // there is nothing to map
		return readFile(path)
	}
	data, err := syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return mapping{}, &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	return mapping{data: data, unmap: func() error { return syscall.Munmap(data) }}, nil
}
