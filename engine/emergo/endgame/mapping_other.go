//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package endgame

// mapFile reads a file: not every system can map one.
func mapFile(path string) (mapping, error) { return readFile(path) }
