//go:build unix

package match

import (
	"os"
	"os/exec"
	"syscall"
)

// leadGroup makes a command begin with a process group of its own. So an interrupt at the terminal is
// for the match alone, which then ends its programs.
func leadGroup(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a process that leads a group, and all of that.
func killGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGKILL) }
