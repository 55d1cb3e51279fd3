package server

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"net"
	"strings"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
)

// A token is what a client shows to be known by a name. Only its hash is kept.
type token struct {
	name string
	hash [sha256.Size]byte
}

// parseTokens reads lines of a client's name and "sha256:" with the hash of its token in
// hexadecimal digits; # begins a comment.
func parseTokens(data []byte) (tokens []token, err error) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 {
			return nil, fmt.Errorf("line %d: it has %d words; it needs two, a name and sha256:HEX", n, len(fields))
		}
		t := token{name: fields[0]}
		digits, ok := strings.CutPrefix(fields[1], "sha256:")
		hash, err := hex.DecodeString(digits)
		if !ok || err != nil || len(hash) != len(t.hash) {
			return nil, fmt.Errorf("line %d: what follows the name is not sha256: and %d hexadecimal digits", n, 2*len(t.hash))
		}
		copy(t.hash[:], hash)
		if t.hash == sha256.Sum256(nil) {
			// What comes of hashing a variable that is not set; every call would have this token.
			return nil, fmt.Errorf("line %d: the token is empty", n)
		}
		tokens = append(tokens, t)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(tokens) == 0 {
		return nil, fmt.Errorf("it names no client")
	}
	return tokens, nil
}

// An authenticator finds out who calls.
type authenticator struct {
	tokens atomic.Pointer[[]token]
}

func (a *authenticator) load(contents [][]byte) error {
	tokens, err := parseTokens(contents[0])
	if err == nil {
		a.tokens.Store(&tokens)
	}
	return err
}

// named returns the client that a token belongs to. It takes the same time whatever the token is.
func (a *authenticator) named(bearer string) (name string, ok bool) {
	tokens := a.tokens.Load()
	if tokens == nil {
		return "", false
	}
	hash := sha256.Sum256([]byte(bearer))
	for i := range *tokens {
		if t := &(*tokens)[i]; subtle.ConstantTimeCompare(hash[:], t.hash[:]) == 1 {
			name, ok = t.name, true
		}
	}
	return name, ok
}

// authenticate finds out who calls by its certificate or its token. Health is for everybody: probes
// have no credentials.
func (a *authenticator) authenticate(ctx context.Context, method string) error {
	if isHealth(method) {
		return nil
	}
	name, err := a.identify(ctx)
	if err != nil {
		return err
	}
	if about := aboutCall(ctx); about != nil {
		about.client = name
	}
	return nil
}

func (a *authenticator) identify(ctx context.Context) (name string, err error) {
	name, verified := certified(ctx)
	if name != "" {
		return name, nil
	}
	if name, ok := a.named(bearerToken(ctx)); ok {
		return name, nil
	}
	if verified {
		return "", errNameless
	}
	return "", errUnauthenticated
}

var errUnauthenticated = newError(codes.Unauthenticated, "UNAUTHENTICATED",
	"The server does not know the caller: show a client certificate it accepts, or send metadata \"authorization: Bearer TOKEN\".", 0)

var errNameless = newError(codes.Unauthenticated, "UNAUTHENTICATED",
	"The client certificate names nobody: it needs a common name, or a URI or DNS name as its alternative name.", 0)

func (a *authenticator) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	if err := a.authenticate(ctx, info.FullMethod); err != nil {
		return nil, err
	}
	return handler(ctx, req)
}

func (a *authenticator) stream(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
	if err := a.authenticate(stream.Context(), info.FullMethod); err != nil {
		return err
	}
	return handler(srv, stream)
}

// bearerToken returns the token in the call's metadata, or "".
func bearerToken(ctx context.Context) string {
	values := metadata.ValueFromIncomingContext(ctx, "authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, bearer, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(bearer)
}

// certified returns the name in the client's certificate, which may have none, and whether the
// handshake has verified one.
func certified(ctx context.Context) (name string, verified bool) {
	p, ok := peer.FromContext(ctx)
	if !ok {
		return "", false
	}
	tls, ok := p.AuthInfo.(credentials.TLSInfo)
	if !ok || len(tls.State.VerifiedChains) == 0 || len(tls.State.VerifiedChains[0]) == 0 {
		return "", false
	}
	return subjectName(tls.State.VerifiedChains[0][0]), true
}

// subjectName returns the common name of a certificate's subject or, since many have none today,
// its first alternative name.
func subjectName(leaf *x509.Certificate) string {
	switch {
	case leaf.Subject.CommonName != "":
		return leaf.Subject.CommonName
	case len(leaf.URIs) > 0:
		return leaf.URIs[0].String()
	case len(leaf.DNSNames) > 0:
		return leaf.DNSNames[0]
	}
	return ""
}

// callerKey tells callers apart: by who they are if that is known, else by address.
func callerKey(ctx context.Context) string {
	if name := clientName(ctx); name != "" {
		return "client " + name
	}
	if p, ok := peer.FromContext(ctx); ok {
		if host, _, err := net.SplitHostPort(p.Addr.String()); err == nil {
			return host
		}
		return p.Addr.String()
	}
	return ""
}
