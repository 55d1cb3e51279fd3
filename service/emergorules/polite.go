package emergorules

import (
	"context"
	"runtime"
)

// A polite context lets others go first whenever a search looks whether to go on, every millisecond or
// so. Otherwise Go would interrupt it every ten milliseconds, and the system every few, and the calls
// beside it would wait for that.
type polite struct{ context.Context }

// Err returns why the context has ended, if it has.
func (p polite) Err() error {
	runtime.Gosched() // to goroutines
	yieldProcessor()  // to threads, in which other calls are answered, and other processes
	return p.Context.Err()
}
