package main

import (
	"errors"
	"os"

	"github.com/alecthomas/kong"
)

// A fileName is what a flag or an argument names a file by.
type fileName string

func (f *fileName) UnmarshalText(text []byte) error {
	if len(text) == 0 || os.IsPathSeparator(text[len(text)-1]) {
		return errors.New("it must be the name of a file")
	}
	*f = fileName(kong.ExpandPath(string(text)))
	return nil
}
