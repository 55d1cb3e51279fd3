package server

import "runtime"

// growStack makes a goroutine's stack large enough for a call at once. gRPC starts a goroutine for
// each call, with a stack of some kilobytes, and each time it has to grow while a dozen interceptors
// and decoders are on it, every one of them must be found and moved: a fifth of what a call costs.
// Here there is little to move. (So does CockroachDB, in pkg/util/growstack.)
//
//go:noinline
func growStack() {
	var room [8 << 10]byte
	runtime.KeepAlive(&room)
}
