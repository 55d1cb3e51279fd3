package server_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/luctor-et-emergo/emergod/service/emergorules"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// Each attack is one of the things that clients do by malice or mistake. It leaves nothing open.
var attacks = map[string]func(t *testing.T, to target){
	"random bytes":             randomBytes,
	"random bytes after hello": randomBytesAfterPreface,
	"malformed frames":         malformedFrames,
	"HTTP/1 requests":          oldRequests,
	"oversized messages":       oversizedMessages,
	"messages of a false size": falseSizes,
	"oversized headers":        oversizedHeaders,
	"endless headers":          endlessHeaders,
	"half-open connections":    halfOpen,
	"calls never finished":     unfinishedCalls,
	"rapid resets":             rapidResets,
	"pings too often":          tooManyPings,
	"settings too often":       tooManySettings,
	"slow readers":             slowReaders,
	"compressed requests":      compressed,
	"unknown methods":          unknownMethods,
	"malformed streams":        malformedStreams,
	"strangers":                strangers,
	"worst requests":           worstRequests,
}

// Beside any of them ordinary calls are answered, and nothing stays behind: no goroutine, no memory,
// no metric.
func TestHostileTraffic(t *testing.T) {
	config := testConfig()
	config.MaxRequestBytes = emergorules.MaxRequestBytes
	config.MaxConcurrentStreams = 100
	plain := serve(t, config, []server.Service{probe(succeed).service(), rulesService(t)})
	a := newAuthority(t, "servers")
	a.serve(t, &config)
	config.Tokens = tokensFile(t, "alice")
	secure := serve(t, config, []server.Service{probe(succeed).service(), rulesService(t)}, a.dial())

	for _, r := range []*running{plain, secure} {
		if err := callOn(bearing(t.Context(), "alice"), r.conn); err != nil {
			t.Fatal(err)
		}
		askTheWorst(t, target{r, nil}, 1) // makes the series that there are for refusals
	}
	series := len(plain.series(t)) + len(secure.series(t))
	runtime.GC()
	goroutines, before := runtime.NumGoroutine(), heap()

	ordinary := beginOrdinary(t, plain, secure)
	for name, attack := range attacks {
		t.Run(name, func(t *testing.T) {
			began := ordinary.count()
			attack(t, target{plain, nil})
			attack(t, target{secure, a.trusting()})
			await(t, "ordinary calls afterwards", func() bool { return ordinary.count() >= began+10 })
		})
	}
	ordinary.end(t)

	for name, r := range map[string]*running{"plain": plain, "secure": secure} {
		if panics := r.series(t)["emergod_panics_total"]; panics != 0 {
			t.Errorf("%s: %v panics", name, panics)
		}
		if in := r.series(t)["emergod_in_flight_calls"]; in != 0 {
			t.Errorf("%s: in flight are %v calls", name, in)
		}
		if log := r.log.String(); strings.Contains(log, "level=ERROR") {
			t.Errorf("%s: there are errors in the log: %.400s", name, log[strings.Index(log, "level=ERROR"):])
		}
	}
	if after := len(plain.series(t)) + len(secure.series(t)); after != series {
		t.Errorf("%d series of metrics have become %d", series, after)
	}
	await(t, "the end of goroutines", func() bool { return runtime.NumGoroutine() <= goroutines })
	plain.log.reset()
	secure.log.reset()
	if after := heap(); after > before+16<<20 {
		t.Errorf("%d bytes in use have become %d", before, after)
	}
}

func (b *lockedBuffer) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.Buffer = bytes.Buffer{}
}

func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// ordinary are calls made one after the other as long as a test lasts.
type ordinary struct {
	mu    sync.Mutex
	calls int
	peak  uint64 // of memory
	fails []error
	stop  chan struct{}
	done  sync.WaitGroup
}

func beginOrdinary(t *testing.T, servers ...*running) *ordinary {
	o := &ordinary{stop: make(chan struct{})}
	for _, r := range servers {
		o.done.Go(func() {
			for {
				select {
				case <-o.stop:
					return
				case <-time.After(time.Millisecond):
				}
				ctx, cancel := context.WithTimeout(bearing(context.Background(), "alice"), 20*time.Second)
				err := callOn(ctx, r.conn)
				cancel()
				o.mu.Lock()
				if o.calls++; err != nil {
					o.fails = append(o.fails, err)
				}
				if o.calls%100 == 0 {
					var stats runtime.MemStats
					runtime.ReadMemStats(&stats)
					o.peak = max(o.peak, stats.HeapAlloc)
				}
				o.mu.Unlock()
			}
		})
	}
	return o
}

func (o *ordinary) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.calls
}

func (o *ordinary) end(t *testing.T) {
	t.Helper()
	close(o.stop)
	o.done.Wait()
	t.Logf("%d ordinary calls, at most %d MB in use", o.calls, o.peak>>20)
	if len(o.fails) > 0 {
		t.Errorf("%d of %d ordinary calls fail, the first with %v", len(o.fails), o.calls, o.fails[0])
	}
	if o.peak > 256<<20 {
		t.Errorf("%d bytes are in use at once", o.peak)
	}
}

// A target is a server under attack.
type target struct {
	*running
	tls *tls.Config // what it takes to speak to it, or nil
}

// tcp opens a connection and says nothing.
func (to target) tcp(t *testing.T) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", to.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return conn.(*net.TCPConn)
}

// stream is a connection on which HTTP/2 may be spoken.
type stream interface {
	net.Conn
	CloseWrite() error
}

func (to target) stream(t *testing.T) stream {
	t.Helper()
	conn := to.tcp(t)
	if to.tls == nil {
		return conn
	}
	config := to.tls.Clone()
	config.ServerName = "127.0.0.1"
	secured := tls.Client(conn, config)
	if err := secured.Handshake(); err != nil {
		t.Fatal(err)
	}
	return secured
}
