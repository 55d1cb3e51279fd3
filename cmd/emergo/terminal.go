package main

import "os"

// isTerminal reports whether a stream is a terminal. /dev/null counts as one, which does no harm here.
func isTerminal(stream any) bool {
	if o, ok := stream.(*output); ok {
		stream = o.to
	}
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// colours tells whether to colour what is drawn on a stream: see no-color.org.
func colours(stream any) bool {
	return isTerminal(stream) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
