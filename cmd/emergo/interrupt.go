package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interruptible returns a context that ends when the user interrupts the command, or the system asks it to
// end. Whoever does so again ends it at once, but for a hangup: a terminal that is closed tends to send two.
func (s *session) interruptible() (ctx context.Context, stop func()) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	hangups := make(chan os.Signal, 1)
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		signals = append(signals, syscall.SIGHUP)
		signal.Notify(hangups, syscall.SIGHUP)
	}
	ctx, restore := signal.NotifyContext(s.ctx, signals...)
	release := context.AfterFunc(ctx, restore)
	return ctx, func() {
		release()
		restore()
		signal.Stop(hangups)
	}
}
