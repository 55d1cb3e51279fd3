//go:build !unix

package match

import (
	"os"
	"os/exec"
)

// leadGroup does nothing where there are no process groups.
func leadGroup(*exec.Cmd) {}

// killGroup kills a process; what it has started finds its pipes closed.
func killGroup(leader *os.Process) { _ = leader.Kill() }
