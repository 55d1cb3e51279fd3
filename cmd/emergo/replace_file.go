package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// replaceFile writes a file under another name and then gives it its own, since the one it replaces
// may be mapped into a server's memory. Where that cannot be, it fails before it calls write, which
// may take long.
func replaceFile(path string, write func(io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // the link stays
	}
	switch info, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a directory; name a file in it", path)
	case !info.Mode().IsRegular(): // a device would be gone
		return fmt.Errorf("%s is no regular file", path)
	}
	dir := filepath.Dir(path)
	file, err := os.CreateTemp(dir, filepath.Base(path)+".*")
	var why *fs.PathError
	if errors.As(err, &why) {
		return fmt.Errorf("no file can be made in %s: %w", dir, why.Err)
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	buffered := bufio.NewWriter(file)
	if err := write(buffered); err != nil {
		return errors.Join(err, file.Close())
	}
	const everybodyReads = 0o644
	if err := errors.Join(buffered.Flush(), file.Chmod(everybodyReads), file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// unwritten says why replaceFile has failed.
func unwritten(err error) error {
	if errors.Is(err, context.Canceled) {
		return failure("The file was not written: that was interrupted.")
	}
	return failuref("The file was not written: %v.", err)
}
