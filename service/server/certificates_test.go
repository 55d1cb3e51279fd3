package server_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"github.com/luctor-et-emergo/emergod/service/server"
)

// An authority issues certificates.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         []byte
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	a := &authority{key: newKey(t)}
	template := &x509.Certificate{
		SerialNumber: serial(t), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	if a.certificate, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	a.pem = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return a
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func serial(t *testing.T) *big.Int {
	t.Helper()
	n, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 100))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// issue returns a certificate and its key as PEM, for an hour unless the template says otherwise.
func (a *authority) issue(t *testing.T, template x509.Certificate) (certificate, key []byte) {
	t.Helper()
	template.SerialNumber = serial(t)
	template.NotBefore = time.Now().Add(-time.Hour)
	if template.NotAfter.IsZero() {
		template.NotAfter = time.Now().Add(time.Hour)
	}
	private := newKey(t)
	der, err := x509.CreateCertificate(rand.Reader, &template, a.certificate, &private.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})
}

// forLoopback is a server's certificate.
func forLoopback() x509.Certificate {
	return x509.Certificate{
		Subject:     pkix.Name{CommonName: "emergod"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
}

// client returns a certificate by which a client is known.
func (a *authority) client(t *testing.T, common, uri, dns string) tls.Certificate {
	t.Helper()
	template := x509.Certificate{
		Subject:     pkix.Name{CommonName: common, Organization: []string{"Players"}},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	if uri != "" {
		parsed, err := url.Parse(uri)
		if err != nil {
			t.Fatal(err)
		}
		template.URIs = []*url.URL{parsed}
	}
	if dns != "" {
		template.DNSNames = []string{dns}
	}
	pair, err := tls.X509KeyPair(a.issue(t, template))
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

// trusting returns what a client of a's servers needs. It shows its certificate whether the server
// accepts its authority or not.
func (a *authority) trusting(certificates ...tls.Certificate) *tls.Config {
	config := &tls.Config{RootCAs: x509.NewCertPool(), NextProtos: []string{"h2"}}
	config.RootCAs.AddCert(a.certificate)
	if len(certificates) > 0 {
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &certificates[0], nil }
	}
	return config
}

func (a *authority) dial(certificates ...tls.Certificate) grpc.DialOption {
	return grpc.WithTransportCredentials(credentials.NewTLS(a.trusting(certificates...)))
}

// files are the files of a server's certificate.
type files struct{ certificate, key string }

// serve writes a certificate for loopback and makes a configuration use it.
func (a *authority) serve(t *testing.T, config *server.Config) files {
	t.Helper()
	dir := t.TempDir()
	f := files{filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key")}
	f.write(t, a)
	config.TLSCert, config.TLSKey, config.ReloadInterval = f.certificate, f.key, 5*time.Millisecond
	return f
}

// write replaces the files by a new certificate.
func (f files) write(t *testing.T, a *authority) {
	t.Helper()
	certificate, key := a.issue(t, forLoopback())
	replace(t, f.certificate, certificate)
	replace(t, f.key, key)
}
