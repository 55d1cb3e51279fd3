package server_test

import (
	"context"
	"crypto/tls"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A client is known by its certificate's common name, else its first URI, else its first host name.
func TestIdentityOfACertificate(t *testing.T) {
	a, clients := newAuthority(t, "servers"), newAuthority(t, "clients")
	config := jsonConfig()
	files := a.serve(t, &config)
	config.TLSClientCA = files.key + ".ca"
	replace(t, config.TLSClientCA, clients.pem)
	const spiffe = "spiffe://example.org/ns/games/sa/lobby"
	r := start(t, config, succeed, a.dial())
	for n, c := range []struct{ common, uri, dns, client string }{
		{"alice", spiffe, "lobby.example.org", "alice"},
		{"", spiffe, "lobby.example.org", spiffe},
		{"", "", "lobby.example.org", "lobby.example.org"},
	} {
		if err := callOn(t.Context(), r.connect(t, a.dial(clients.client(t, c.common, c.uri, c.dns)))); err != nil {
			t.Fatal(err)
		}
		if calls := r.logged(t, "call"); calls[n]["client"] != c.client {
			t.Errorf("%+v is known as %v", c, calls[n]["client"])
		}
	}
	// A certificate that names nobody proves nothing.
	err := callOn(t.Context(), r.connect(t, a.dial(clients.client(t, "", "", ""))))
	if status.Code(err) != codes.Unauthenticated {
		t.Errorf("a nameless certificate is answered %v", err)
	}
}

// With authorities and tokens either will do. The certificate goes first, and one name is one client.
func TestCertificateOrToken(t *testing.T) {
	a, clients, others := newAuthority(t, "servers"), newAuthority(t, "clients"), newAuthority(t, "others")
	config := twoCalls()
	files := a.serve(t, &config)
	config.TLSClientCA, config.Tokens = files.key+".ca", tokensFile(t, "alice", "bob")
	replace(t, config.TLSClientCA, clients.pem)
	r := start(t, config, succeed, a.dial())
	alice := clients.client(t, "alice", "", "")
	for n, c := range []struct {
		name         string
		certificates []tls.Certificate
		token        string
		code         codes.Code
		client       any
	}{
		{"neither", nil, "", codes.Unauthenticated, nil},
		{"a wrong token", nil, "carol", codes.Unauthenticated, nil},
		{"alice's certificate", []tls.Certificate{alice}, "", codes.OK, "alice"},
		{"alice's certificate and bob's token", []tls.Certificate{alice}, "bob", codes.OK, "alice"},
		{"alice's token", nil, "alice", codes.ResourceExhausted, "alice"}, // her third call
		{"bob's token", nil, "bob", codes.OK, "bob"},
	} {
		ctx := context.Context(t.Context())
		if c.token != "" {
			ctx = bearing(ctx, c.token)
		}
		if err := callOn(ctx, r.connect(t, a.dial(c.certificates...))); status.Code(err) != c.code {
			t.Errorf("%s is answered %v, want %s", c.name, err, c.code)
		}
		if calls := r.logged(t, "call"); len(calls) != n+1 || calls[n]["client"] != c.client {
			t.Errorf("%s is logged as %v", c.name, calls[n:])
		}
	}
	// A certificate that cannot be verified is worse than none.
	err := callOn(bearing(t.Context(), "bob"), r.connect(t, a.dial(others.client(t, "bob", "", ""))))
	if status.Code(err) != codes.Unavailable {
		t.Errorf("another authority's certificate is answered %v", err)
	}
}
