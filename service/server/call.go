package server

import (
	"context"
	"crypto/rand"
	"strconv"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
)

// A callInfo is what the chain knows of a call. It is put into the context once, as the call arrives,
// so that the interceptors at the outside see what is found out further in.
type callInfo struct {
	arrived   time.Time
	requestID string
	client    string // who calls, if it has been authenticated
	shedder   *shedder
	begun     time.Time // when it began to be worked on, and so was counted by the shedder
	aside     bool      // it is no longer counted there: see StepAside
}

func (c *callInfo) working() bool { return !c.begun.IsZero() }

// begin counts the call as being worked on, until its end, or sheds it if too many are.
func begin(ctx context.Context) error {
	about := aboutCall(ctx)
	if about == nil || about.shedder == nil || about.working() {
		return nil
	}
	s := about.shedder
	if s.inFlight.Add(1) > s.mostCalls && s.mostCalls > 0 {
		s.inFlight.Add(-1)
		return s.turnAway(ctx)
	}
	about.begun = time.Now()
	return nil
}

type callInfoKey struct{}

func aboutCall(ctx context.Context) *callInfo {
	about, _ := ctx.Value(callInfoKey{}).(*callInfo)
	return about
}

// requestID returns the name of the call, or "" outside of calls.
func requestID(ctx context.Context) string {
	if about := aboutCall(ctx); about != nil {
		return about.requestID
	}
	return ""
}

// clientName returns the name of the authenticated client, or "".
func clientName(ctx context.Context) string {
	if about := aboutCall(ctx); about != nil {
		return about.client
	}
	return ""
}

// requestIDHeader is the metadata key by which a caller names a call, and is told its name.
const requestIDHeader = "x-request-id"

func introduceUnary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	growStack()
	introduce(ctx)
	return handler(ctx, req)
}

func introduceStream(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
	introduce(stream.Context())
	return handler(srv, stream)
}

// introduce gives a call the name that its caller chose, if it is fit to be logged, or one that no
// other call has, and returns it in the header.
func introduce(ctx context.Context) {
	about := aboutCall(ctx)
	if given := metadata.ValueFromIncomingContext(ctx, requestIDHeader); len(given) == 1 && isRequestID(given[0]) {
		about.requestID = given[0]
	} else {
		about.requestID = names.next()
	}
	_ = grpc.SetHeader(ctx, metadata.MD{requestIDHeader: []string{about.requestID}}) // fails only once headers are sent
}

// callNames makes names that differ from each other, and by their random beginning from those of any
// other process.
type callNames struct {
	beginning string
	made      atomic.Uint64
}

var names = callNames{beginning: rand.Text()[:16] + "-"} // 80 bits

func (n *callNames) next() string {
	return n.beginning + strconv.FormatUint(n.made.Add(1), 36)
}

// isRequestID reports whether a caller's name for a call is short and harmless.
func isRequestID(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.', c == ':':
		default:
			return false
		}
	}
	return true
}
