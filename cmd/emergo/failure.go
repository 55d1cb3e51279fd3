package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A refusal is the answer that a position, a move or an option is wrong.
type refusal struct {
	Sentence string `json:"error"`
	Reason   string `json:"reason"` // the name of an emergo.v1.ErrorReason without its prefix, or ""
}

func (r *refusal) Error() string {
	if r.Reason == "" {
		return r.Sentence
	}
	return r.Sentence + " [" + r.Reason + "]"
}

// A failure is why there is no answer: a sentence for the user.
type failure string

func (f failure) Error() string { return string(f) }

func failuref(format string, args ...any) error { return failure(fmt.Sprintf(format, args...)) }

// explain turns the error of a call into words. moves are those that the call played, to be named if one of
// several is refused.
func (c *client) explain(err error, moves []string) error {
	st := status.Convert(err)
	message := st.Message()
	var reason, field string
	var retry time.Duration
	for _, detail := range st.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			reason, field = detail.GetReason(), detail.GetMetadata()["field"]
		case *errdetails.RetryInfo:
			retry = detail.GetRetryDelay().AsDuration()
		}
	}
	switch st.Code() {
	case codes.InvalidArgument, codes.FailedPrecondition:
		return &refusal{Sentence: moveName(field, moves) + strings.TrimPrefix(message, field+": "), Reason: reason}
	case codes.Unavailable:
		if reason == "STOPPING" {
			return failuref("The server at %s is stopping. Try again.", c.addr)
		}
		return c.unreached(message)
	case codes.DeadlineExceeded:
		return failuref("The server at %s did not answer within %v; --timeout sets how long to wait.", c.addr, c.timeout)
	case codes.Canceled:
		return failure("The call was cancelled.")
	case codes.ResourceExhausted:
		if strings.HasPrefix(message, "grpc: ") {
			return failuref("The game has more moves than the server at %s reads.", c.addr)
		}
		when := "later"
		if retry > 0 {
			when = fmt.Sprintf("in %v", retry)
		}
		return failuref("The server at %s takes no more of this: %s. Try again %s.", c.addr, strings.TrimSuffix(message, "."), when)
	case codes.Unauthenticated, codes.PermissionDenied:
		return failuref("The server at %s does not let you in: %s", c.addr, message)
	case codes.Unimplemented:
		return failuref("The server at %s does not know this call: it is no Emergo server, or an older one.", c.addr)
	}
	return failuref("The server at %s failed: %s", c.addr, message)
}

// unreached says why no connection came to be, or why one was lost. message is gRPC's.
func (c *client) unreached(message string) error {
	if strings.Contains(message, "reading server preface") { // what is read is not HTTP/2
		return failuref("Something answers at %s, but not as emergod does: it may be another kind of server, emergod's"+
			" admin address, or want TLS, which emergo does not speak. Name another with --addr.", c.addr)
	}
	ctx, cancel := context.WithTimeout(c.ctx, c.timeout)
	defer cancel()
	host, _, _ := net.SplitHostPort(c.addr) // which was checked
	var unknown *net.DNSError
	if _, err := net.DefaultResolver.LookupHost(ctx, host); host != "" && errors.As(err, &unknown) {
		return failuref("The name %s, of --addr, leads nowhere: %s.", host, unknown.Err)
	}
	return failuref("No server answers at %s. Start one with: go run ./cmd/emergod (or name another with --addr).", c.addr)
}

// moveName names the move that an error's field is about, "Move 3 (c3): ", if there are several.
func moveName(field string, moves []string) string {
	if len(moves) < 2 {
		return ""
	}
	i := len(moves) - 1
	if field != "move" {
		var err error
		index, ok := strings.CutPrefix(field, "game.moves[")
		if i, err = strconv.Atoi(strings.TrimSuffix(index, "]")); !ok || err != nil || i < 0 || i >= len(moves) {
			return ""
		}
	}
	return fmt.Sprintf("Move %d (%s): ", i+1, excerpt(moves[i]))
}

// excerpt shortens a move that is far too long to be one.
func excerpt(s string) string {
	const most = 40
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return s
}
