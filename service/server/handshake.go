package server

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"
	"google.golang.org/grpc/credentials"
)

// watchedTLS counts and logs the handshakes that fail. Anybody can make some fail, as many as they
// like, so the log has few of them.
type watchedTLS struct {
	credentials.TransportCredentials
	failures *prometheus.CounterVec
	log      *slog.Logger
	lines    *rate.Limiter
	leftOut  atomic.Uint64 // lines since the last one
}

func watchTLS(config *tls.Config, failures *prometheus.CounterVec, log *slog.Logger) *watchedTLS {
	return &watchedTLS{
		TransportCredentials: credentials.NewTLS(config),
		failures:             failures,
		log:                  log,
		lines:                rate.NewLimiter(rate.Every(10*time.Second), 10), // a burst is one client's attempts
	}
}

// ServerHandshake implements credentials.TransportCredentials.
func (w *watchedTLS) ServerHandshake(conn net.Conn) (net.Conn, credentials.AuthInfo, error) {
	secured, info, err := w.TransportCredentials.ServerHandshake(conn)
	if err != nil {
		w.failed(conn.RemoteAddr(), err)
	}
	return secured, info, err
}

func (w *watchedTLS) failed(peer net.Addr, err error) {
	reason := handshakeFailure(err)
	w.failures.WithLabelValues(reason).Inc()
	if !w.lines.Allow() {
		w.leftOut.Add(1)
		return
	}
	const longest = 200 // an error may quote what the client sent
	text := err.Error()
	text = strings.ToValidUTF8(text[:min(len(text), longest)], "")
	w.log.Info("TLS handshake failed", "reason", reason, "peer", peer.String(), "error", text, "left_out", w.leftOut.Swap(0))
}

// handshakeFailure returns why a handshake failed, in a word of handshakeFailures.
func handshakeFailure(err error) string {
	of := slices.IndexFunc(handshakeFailures, func(f handshakeReason) bool { return f.is(err) })
	return handshakeFailures[of].reason
}

type handshakeReason struct {
	reason string
	is     func(error) bool
}

// handshakeFailures are the reasons for which handshakes fail, the first that holds. Package tls has
// no types for some of them.
var handshakeFailures = []handshakeReason{
	{"hung_up", isOneOf(io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE)}, // port scans and probes too
	{"timed_out", isOneOf(os.ErrDeadlineExceeded)},
	{"not_tls", func(err error) bool { return errors.As(err, new(tls.RecordHeaderError)) }},
	{"refused_by_client", func(err error) bool {
		var alert *net.OpError
		return errors.As(err, &alert) && alert.Op == "remote error"
	}},
	{"certificate_missing", says("client didn't provide a certificate")},
	{"certificate_out_of_date", func(err error) bool {
		var invalid x509.CertificateInvalidError
		return errors.As(err, &invalid) && invalid.Reason == x509.Expired
	}},
	{"certificate_of_unknown_authority", func(err error) bool { return errors.As(err, new(x509.UnknownAuthorityError)) }},
	{"certificate_unusable", func(err error) bool { return errors.As(err, new(*tls.CertificateVerificationError)) }},
	{"nothing_in_common", says("unsupported versions", "unsupported application protocols", "missing selected ALPN", "no cipher suite supported")},
	{"other", func(error) bool { return true }},
}

func isOneOf(targets ...error) func(error) bool {
	return func(err error) bool {
		return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
	}
}

func says(parts ...string) func(error) bool {
	return func(err error) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(err.Error(), part) })
	}
}
