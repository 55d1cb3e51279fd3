package server_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
)

// shake makes a handshake and returns what came of it.
func shake(r *running, config *tls.Config) (tls.ConnectionState, error) {
	conn, err := tls.Dial("tcp", r.Addr().String(), config)
	if err != nil {
		return tls.ConnectionState{}, err
	}
	defer conn.Close()
	return conn.ConnectionState(), nil
}

func TestTLSVersions(t *testing.T) {
	a, config := newAuthority(t, "servers"), testConfig()
	a.serve(t, &config)
	r := start(t, config, succeed, a.dial())
	for version, accepted := range map[uint16]bool{
		tls.VersionTLS10: false, tls.VersionTLS11: false, tls.VersionTLS12: true, tls.VersionTLS13: true,
	} {
		client := a.trusting()
		client.MinVersion, client.MaxVersion = version, version
		state, err := shake(r, client)
		if (err == nil) != accepted {
			t.Errorf("%s: %v", tls.VersionName(version), err)
		}
		if accepted && (state.Version != version || state.NegotiatedProtocol != "h2") {
			t.Errorf("%s: negotiated are %s and %q", tls.VersionName(version), tls.VersionName(state.Version), state.NegotiatedProtocol)
		}
		if accepted {
			conn := r.connect(t, grpc.WithTransportCredentials(credentials.NewTLS(client)))
			if err := callOn(t.Context(), conn); err != nil {
				t.Errorf("over %s a call is answered %v", tls.VersionName(version), err)
			}
		}
	}
}

// Whoever cannot speak HTTP/2 is let go after the handshake.
func TestOtherProtocolsAreRefused(t *testing.T) {
	a, config := newAuthority(t, "servers"), testConfig()
	a.serve(t, &config)
	r := start(t, config, succeed, a.dial())
	for _, protocols := range [][]string{nil, {"http/1.1"}} {
		client := a.trusting()
		client.NextProtos = protocols
		conn, err := tls.Dial("tcp", r.Addr().String(), client)
		if err != nil {
			continue // which is as well
		}
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		if _, err := io.ReadAll(conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("a client of %q is not let go", protocols)
		}
		conn.Close()
	}
}

func TestPlaintextIsRefusedWithTLS(t *testing.T) {
	a, config := newAuthority(t, "servers"), testConfig()
	a.serve(t, &config)
	r := start(t, config, succeed)
	if err := r.call(t); status.Code(err) != codes.Unavailable {
		t.Errorf("the answer is %v", err)
	}
}

// servedSerial returns the serial number of the certificate that a call was answered under.
func servedSerial(t *testing.T, conn *grpc.ClientConn) string {
	t.Helper()
	var p peer.Peer
	if err := callOn(t.Context(), conn, grpc.Peer(&p)); err != nil {
		t.Fatal(err)
	}
	return p.AuthInfo.(credentials.TLSInfo).State.PeerCertificates[0].SerialNumber.String()
}

func TestCertificateIsReplacedWhileServing(t *testing.T) {
	a, config := newAuthority(t, "servers"), jsonConfig()
	files := a.serve(t, &config)
	r := start(t, config, succeed, a.dial())
	old := servedSerial(t, r.conn)

	template := forLoopback()
	template.NotAfter = time.Now().Add(30 * time.Minute).Truncate(time.Second)
	certificate, key := a.issue(t, template)
	replace(t, files.key, key) // for a moment it fits no certificate
	replace(t, files.certificate, certificate)
	await(t, "the new certificate", func() bool {
		state, err := shake(r, a.trusting())
		if err != nil || state.NegotiatedProtocol != "h2" {
			t.Fatalf("meanwhile a handshake negotiates %q, %v", state.NegotiatedProtocol, err)
		}
		return state.PeerCertificates[0].SerialNumber.String() != old
	})
	if serial := servedSerial(t, r.conn); serial != old {
		t.Error("the old connection does not go on")
	}
	if serial := servedSerial(t, r.connect(t, a.dial())); serial == old {
		t.Error("a new connection is under the old certificate")
	}
	if until := r.series(t)["emergod_tls_certificate_not_after_seconds"]; until != float64(template.NotAfter.Unix()) {
		t.Errorf("by the metrics the certificate expires at %v, want %d", until, template.NotAfter.Unix())
	}
	if ok := r.series(t)[`emergod_tls_reloads_total{result="ok"}`]; ok != 1 {
		t.Errorf("the metrics count %v reloads", ok)
	}
	if lines := r.logged(t, "reloaded"); len(lines) != 1 || lines[0]["setting"] != "tls-cert" {
		t.Errorf("the log says %v", lines)
	}
}

// A bad new file leaves the old one in force, is told once, and its repair is told too.
func TestBadNewFileKeepsTheOld(t *testing.T) {
	a, clients := newAuthority(t, "servers"), newAuthority(t, "clients")
	good, goodKey := a.issue(t, forLoopback())
	_, otherKey := a.issue(t, forLoopback())
	alice := clients.client(t, "alice", "", "")
	for _, c := range []struct {
		name, setting string
		bad           func(certificate, key, authorities, tokens string)
	}{
		{"no certificate", "tls-cert", func(certificate, _, _, _ string) { replace(t, certificate, []byte("nonsense")) }},
		{"empty certificate", "tls-cert", func(certificate, _, _, _ string) { replace(t, certificate, nil) }},
		{"another's key", "tls-cert", func(_, key, _, _ string) { replace(t, key, otherKey) }},
		{"half a certificate", "tls-cert", func(certificate, _, _, _ string) { replace(t, certificate, good[:len(good)/2]) }},
		{"no authority", "tls-client-ca", func(_, _, authorities, _ string) { replace(t, authorities, []byte("nonsense")) }},
		{"half an authority", "tls-client-ca", func(_, _, authorities, _ string) {
			replace(t, authorities, append(bytes.Clone(clients.pem), a.pem[:len(a.pem)/2]...))
		}},
		{"a damaged authority", "tls-client-ca", func(_, _, authorities, _ string) {
			replace(t, authorities, append(bytes.Replace(a.pem, []byte("M"), []byte("!"), 1), clients.pem...))
		}},
		{"no tokens", "tokens", func(_, _, _, tokens string) { replace(t, tokens, nil) }},
		{"half a token", "tokens", func(_, _, _, tokens string) { replace(t, tokens, []byte(tokenLine("bob", "bob's token")[:40])) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := jsonConfig()
			files := a.serve(t, &config)
			replace(t, files.certificate, good)
			replace(t, files.key, goodKey)
			config.TLSClientCA, config.Tokens = files.key+".ca", files.key+".tokens"
			tokens := []byte(tokenLine("bob", "bob's token"))
			replace(t, config.TLSClientCA, clients.pem)
			replace(t, config.Tokens, tokens)
			r := start(t, config, succeed, a.dial(alice))
			loaded := func() float64 { return r.series(t)[`emergod_tls_last_reload_successful{setting="`+c.setting+`"}`] }
			if loaded() != 1 {
				t.Error("at first the metrics say that the files cannot be used")
			}
			reloads := func(result string) float64 { return r.series(t)[`emergod_tls_reloads_total{result="`+result+`"}`] }

			c.bad(files.certificate, files.key, config.TLSClientCA, config.Tokens)
			await(t, "the failure", func() bool { return reloads("failed") == 1 })
			if err := callOn(t.Context(), r.connect(t, a.dial(alice))); err != nil {
				t.Errorf("with the old file a client is answered %v", err)
			}
			if err := callOn(bearing(t.Context(), "bob"), r.connect(t, a.dial())); err != nil {
				t.Errorf("with the old file a bearer is answered %v", err)
			}
			// Another file's changes show that the files are looked at again and again.
			other, contents := config.Tokens, [2][]byte{append([]byte("# again\n"), tokens...), tokens}
			if c.setting == "tokens" {
				other, contents = config.TLSClientCA, [2][]byte{append([]byte("# again\n"), clients.pem...), clients.pem}
			}
			for n := range 4 {
				replace(t, other, contents[n%2])
				await(t, "the other file", func() bool { return reloads("ok") == float64(n+1) })
			}
			if loaded() != 0 {
				t.Error("the metrics say that the bad file is used")
			}
			failures := r.logged(t, "cannot reload, keeping what was loaded before")
			if len(failures) != 1 || failures[0]["setting"] != c.setting || failures[0]["level"] != "ERROR" || reloads("failed") != 1 {
				t.Errorf("the log says %v, and %v failures are counted", failures, reloads("failed"))
			}
			replace(t, files.certificate, good)
			replace(t, files.key, goodKey)
			replace(t, config.TLSClientCA, append([]byte("# repaired\n"), clients.pem...))
			replace(t, config.Tokens, append([]byte("# repaired\n"), tokens...))
			await(t, "the repair", func() bool {
				repaired := r.logged(t, "reloaded")
				return len(repaired) > 4 && slices.ContainsFunc(repaired[4:], func(line map[string]any) bool { return line["setting"] == c.setting })
			})
			if reloads("failed") != 1 || loaded() != 1 {
				t.Errorf("after the repair %v failures are counted, and loaded is %v", reloads("failed"), loaded())
			}
		})
	}
}

// A file that is gone for a while is told of once too.
func TestMissingNewFileKeepsTheOld(t *testing.T) {
	a, config := newAuthority(t, "servers"), jsonConfig()
	files := a.serve(t, &config)
	r := start(t, config, succeed, a.dial())
	if err := os.Remove(files.key); err != nil {
		t.Fatal(err)
	}
	await(t, "the failure", func() bool { return r.series(t)[`emergod_tls_reloads_total{result="failed"}`] == 1 })
	if err := callOn(t.Context(), r.connect(t, a.dial())); err != nil {
		t.Errorf("a call is answered %v", err)
	}
	files.write(t, a)
	await(t, "the repair", func() bool { return r.series(t)[`emergod_tls_reloads_total{result="ok"}`] == 1 })
	if failures := r.logged(t, "cannot reload, keeping what was loaded before"); !strings.Contains(failures[0]["error"].(string), files.key) {
		t.Errorf("the log says %v", failures)
	}
}

func TestClientAuthorityIsReplacedWhileServing(t *testing.T) {
	a, before, after := newAuthority(t, "servers"), newAuthority(t, "before"), newAuthority(t, "after")
	config := testConfig()
	files := a.serve(t, &config)
	config.TLSClientCA = files.key + ".ca"
	replace(t, config.TLSClientCA, before.pem)
	old, young := before.client(t, "old", "", ""), after.client(t, "young", "", "")
	r := start(t, config, succeed, a.dial(old))
	answer := func(certificate tls.Certificate) codes.Code {
		conn, err := grpc.NewClient(r.Addr().String(), a.dial(certificate))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return status.Code(callOn(t.Context(), conn))
	}
	if was, is := answer(old), answer(young); was != codes.OK || is != codes.Unavailable {
		t.Errorf("before, the answers are %s and %s", was, is)
	}
	replace(t, config.TLSClientCA, append(bytes.Clone(before.pem), after.pem...))
	await(t, "the new authority", func() bool { return answer(young) == codes.OK })
	if was := answer(old); was != codes.OK {
		t.Errorf("with both the old client is answered %s", was)
	}
	replace(t, config.TLSClientCA, after.pem)
	await(t, "the end of the old authority", func() bool { return answer(old) == codes.Unavailable })
	if is := answer(young); is != codes.OK {
		t.Errorf("after, the new client is answered %s", is)
	}
}

func TestClientCertificateIsVerified(t *testing.T) {
	a, clients, others := newAuthority(t, "servers"), newAuthority(t, "clients"), newAuthority(t, "others")
	config := testConfig()
	files := a.serve(t, &config)
	config.TLSClientCA = files.key + ".ca"
	replace(t, config.TLSClientCA, clients.pem)
	r := start(t, config, succeed, a.dial(clients.client(t, "alice", "", "")))
	if err := r.call(t); err != nil {
		t.Fatal(err)
	}
	expired, err := tls.X509KeyPair(clients.issue(t, x509.Certificate{
		NotAfter: time.Now().Add(-time.Minute), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}))
	if err != nil {
		t.Fatal(err)
	}
	serverOnly, err := tls.X509KeyPair(clients.issue(t, forLoopback()))
	if err != nil {
		t.Fatal(err)
	}
	for name, certificates := range map[string][]tls.Certificate{
		"no certificate":              nil,
		"one of another authority":    {others.client(t, "alice", "", "")},
		"one that has expired":        {expired},
		"one that is for servers":     {serverOnly},
		"one of the server authority": {a.client(t, "alice", "", "")},
	} {
		if err := callOn(t.Context(), r.connect(t, a.dial(certificates...))); status.Code(err) != codes.Unavailable {
			t.Errorf("with %s a client is answered %v", name, err)
		}
	}
	if n := r.handled(t, "OK"); n != 1 {
		t.Errorf("%v calls are answered", n)
	}
}
