//go:build !linux

package emergorules

// yieldProcessor does nothing where the system has no such call, or schedules well without.
func yieldProcessor() {}
