package main

import "runtime/debug"

// version says which build this is: a module version or one made from the commit, and the Go it was built with.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return info.Main.Version + " (" + info.GoVersion + ")"
}
