package server_test

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// failedHandshakes returns how many handshakes the metrics count as failed for a reason.
func (r *running) failedHandshakes(t *testing.T, reason string) float64 {
	t.Helper()
	return r.series(t)[`emergod_tls_handshake_failures_total{reason="`+reason+`"}`]
}

// A handshake that fails is counted by why it does, and logged.
func TestFailedHandshakes(t *testing.T) {
	a, clients, others := newAuthority(t, "servers"), newAuthority(t, "clients"), newAuthority(t, "others")
	config := jsonConfig()
	files := a.serve(t, &config)
	config.TLSClientCA = files.key + ".ca"
	replace(t, config.TLSClientCA, clients.pem)
	alice := clients.client(t, "alice", "", "")
	issued := func(template x509.Certificate) tls.Certificate {
		pair, err := tls.X509KeyPair(clients.issue(t, template))
		if err != nil {
			t.Fatal(err)
		}
		return pair
	}
	forClients := []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	with := func(change func(*tls.Config)) *tls.Config {
		config := a.trusting(alice)
		change(config)
		return config
	}
	for name, c := range map[string]struct {
		client *tls.Config // or, if there is none, what is said instead of a handshake
		says   string
		reason string
	}{
		"nothing":                         {nil, "", "hung_up"},
		"half a hello":                    {nil, "\x16\x03\x01\x02\x00\x01", "hung_up"},
		"HTTP":                            {nil, "GET / HTTP/1.1\r\n\r\n", "not_tls"},
		"a client that trusts others":     {with(func(c *tls.Config) { c.RootCAs = x509.NewCertPool() }), "", "refused_by_client"},
		"no certificate":                  {a.trusting(), "", "certificate_missing"},
		"another authority's certificate": {a.trusting(others.client(t, "alice", "", "")), "", "certificate_of_unknown_authority"},
		"a certificate that has expired":  {a.trusting(issued(x509.Certificate{ExtKeyUsage: forClients, NotAfter: time.Now().Add(-time.Minute)})), "", "certificate_out_of_date"},
		"a server's certificate":          {a.trusting(issued(forLoopback())), "", "certificate_unusable"},
		"old versions only":               {with(func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS11 }), "", "nothing_in_common"},
		"another protocol":                {with(func(c *tls.Config) { c.NextProtos = []string{"http/1.1"} }), "", "nothing_in_common"},
		"no protocol":                     {with(func(c *tls.Config) { c.NextProtos = nil }), "", "nothing_in_common"},
		"ciphers that the server would not": {with(func(c *tls.Config) {
			c.MaxVersion, c.CipherSuites = tls.VersionTLS12, []uint16{tls.TLS_RSA_WITH_RC4_128_SHA}
		}), "", "nothing_in_common"},
		"an alert":                           {nil, "\x15\x03\x01\x00\x02\x02\x28", "refused_by_client"},
		"a hello that is no hello":           {nil, "\x16\x03\x01\x00\x04\x02\x00\x00\x00", "other"},
		"a certificate with a very long one": {a.trusting(others.client(t, strings.Repeat("long ", 1000), "", "")), "", "certificate_of_unknown_authority"},
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, config, succeed)
			conn, err := net.Dial("tcp", r.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if c.client == nil {
				_, _ = io.WriteString(conn, c.says) // the server may hang up
				_ = conn.(*net.TCPConn).CloseWrite()
			} else {
				c.client.ServerName = "127.0.0.1"
				secured := tls.Client(conn, c.client)
				if secured.Handshake() == nil {
					_, _ = io.ReadAll(secured) // over TLS 1.3 the client is through before the server has judged it
				}
			}
			await(t, "the count", func() bool { return r.failedHandshakes(t, c.reason) == 1 })
			await(t, "the log", func() bool { return len(r.logged(t, "TLS handshake failed")) == 1 })
			line := r.logged(t, "TLS handshake failed")[0]
			text, _ := line["error"].(string)
			if line["reason"] != c.reason || line["peer"] != conn.LocalAddr().String() || line["level"] != "INFO" || text == "" || len(text) > 200 {
				t.Errorf("the log says %v", line)
			}
		})
	}
}

// However many handshakes fail, the log has few of them, and says how many it left out.
func TestFailedHandshakesDoNotFloodTheLog(t *testing.T) {
	a, config := newAuthority(t, "servers"), jsonConfig()
	a.serve(t, &config)
	r := start(t, config, succeed, a.dial())
	const attempts = 300
	for range attempts {
		conn, err := net.Dial("tcp", r.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\n\r\n")
		_, _ = io.ReadAll(conn) // until the server hangs up
		conn.Close()
	}
	await(t, "the count", func() bool { return r.failedHandshakes(t, "not_tls") == attempts })
	if lines := len(r.logged(t, "TLS handshake failed")); lines == 0 || lines > 30 {
		t.Errorf("%d failures make %d lines", attempts, lines)
	}
	if err := r.call(t); err != nil {
		t.Errorf("afterwards a call is answered %v", err)
	}
}

// A certificate by which nobody can be known is not mistaken for none. A token does as well.
func TestNamelessCertificateIsExplained(t *testing.T) {
	a, clients := newAuthority(t, "servers"), newAuthority(t, "clients")
	config := testConfig()
	files := a.serve(t, &config)
	config.TLSClientCA, config.Tokens = files.key+".ca", tokensFile(t, "bob")
	replace(t, config.TLSClientCA, clients.pem)
	pair, err := tls.X509KeyPair(clients.issue(t, x509.Certificate{
		Subject:        pkix.Name{Organization: []string{"Players"}},
		EmailAddresses: []string{"alice@example.org"},
		ExtKeyUsage:    []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}))
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, config, succeed, a.dial(pair))
	err = r.call(t)
	if why, _ := reason(err); why != "UNAUTHENTICATED" || !strings.Contains(err.Error(), "names nobody") || !strings.Contains(err.Error(), "common name") {
		t.Errorf("the answer is %v", err)
	}
	if err := callOn(bearing(t.Context(), "bob"), r.conn); err != nil {
		t.Errorf("with a token the answer is %v", err)
	}
}
