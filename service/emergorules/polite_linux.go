package emergorules

import "syscall"

// yieldProcessor lets other threads that wait for the same processor run.
func yieldProcessor() { _, _, _ = syscall.Syscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) } // it always succeeds
