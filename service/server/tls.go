package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// The settings that name files which are watched.
const (
	settingTokens   = "tokens"
	settingCert     = "tls-cert"
	settingClientCA = "tls-client-ca"
)

// A watched file is read again when it has changed. A new content that cannot be used leaves the
// old one in force.
type watched struct {
	setting string // for messages and metrics
	files   []string
	load    func(contents [][]byte) error
	seen    [][]byte // as loaded last, or as found bad last
	bad     error    // why what was seen could not be loaded
}

// read loads the files if they have changed since last time. The error lasts as long as they do.
func (w *watched) read() (changed bool, err error) {
	contents := make([][]byte, len(w.files))
	same := w.seen != nil
	for i, file := range w.files {
		if contents[i], err = os.ReadFile(file); err != nil {
			return true, fmt.Errorf("--%s: %w", w.setting, err)
		}
		same = same && bytes.Equal(contents[i], w.seen[i])
	}
	if same {
		return false, w.bad
	}
	w.seen, w.bad = contents, nil
	if err := w.load(contents); err != nil {
		w.bad = fmt.Errorf("--%s: %s: %w", w.setting, w.files[0], err)
	}
	return true, w.bad
}

// watch reads files again every interval until ctx is done.
func watch(ctx context.Context, interval time.Duration, files []*watched, log *slog.Logger, m *metrics) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	failing := map[*watched]string{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, w := range files {
			changed, err := w.read()
			switch {
			case err != nil && failing[w] != err.Error(): // once, not at every tick
				failing[w] = err.Error()
				m.reloads.WithLabelValues("failed").Inc()
				m.loaded.WithLabelValues(w.setting).Set(0)
				log.Error("cannot reload, keeping what was loaded before", "setting", w.setting, "error", err)
			case err != nil:
			case changed:
				m.reloads.WithLabelValues("ok").Inc()
				log.Info("reloaded", "setting", w.setting)
				fallthrough
			default:
				delete(failing, w)
				m.loaded.WithLabelValues(w.setting).Set(1)
			}
		}
	}
}

// serverTLS holds what a TLS handshake needs, each part replaced on its own while serving.
type serverTLS struct {
	certificate atomic.Pointer[tls.Certificate]
	clientCAs   atomic.Pointer[x509.CertPool]
	clientAuth  tls.ClientAuthType
	notAfter    prometheus.Gauge
}

func (s *serverTLS) loadCertificate(contents [][]byte) error {
	certificate, err := tls.X509KeyPair(contents[0], contents[1])
	if err != nil {
		return err
	}
	s.certificate.Store(&certificate)
	s.notAfter.Set(float64(certificate.Leaf.NotAfter.Unix()))
	return nil
}

func (s *serverTLS) loadClientCAs(contents [][]byte) error {
	pool, read := x509.NewCertPool(), 0
	for block, rest := pem.Decode(contents[0]); block != nil; block, rest = pem.Decode(rest) {
		authority, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return fmt.Errorf("certificate %d: %w", read+1, err)
		}
		pool.AddCert(authority)
		read++
	}
	// What cannot be read is skipped above, such as the end of a file half written.
	switch begun := bytes.Count(contents[0], []byte("-----BEGIN ")); {
	case begun == 0:
		return fmt.Errorf("it holds no certificate in PEM form")
	case read < begun:
		return fmt.Errorf("%d of its %d certificates can be read", read, begun)
	}
	s.clientCAs.Store(pool)
	return nil
}

// config returns the TLS configuration. Its callbacks look up what is in force at each handshake.
func (s *serverTLS) config() *tls.Config {
	base := &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2"}, // kept by the copies below; without it gRPC clients hang up
		ClientAuth: s.clientAuth,
		// A resumed session would not look at the certificates in force.
		SessionTicketsDisabled: true,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return s.certificate.Load(), nil
		},
	}
	config := base.Clone()
	config.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
		current := base.Clone()
		current.ClientCAs = s.clientCAs.Load()
		return current, nil
	}
	return config
}
