package main

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// The command tells containers by its status whether the server that the settings describe serves.
func TestHealthcheck(t *testing.T) {
	t.Parallel()
	crt, key := certificate(t)
	tokens := file(t, "tokens", "alice sha256:"+strings.Repeat("ab", 32)+"\n")
	for name, security := range map[string][]string{
		"plaintext":               nil,
		"TLS":                     {"--tls-cert=" + crt, "--tls-key=" + key},
		"tokens":                  {"--tokens=" + tokens},
		"mutual TLS":              {"--tls-cert=" + crt, "--tls-key=" + key, "--tls-client-ca=" + crt},
		"certificates and tokens": {"--tls-cert=" + crt, "--tls-key=" + key, "--tls-client-ca=" + crt, "--tokens=" + tokens},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, append(security, "--shutdown-delay=1h")...)
			p.awaitReadiness(t, http.StatusOK)
			settings := append([]string{"healthcheck", "--listen=" + p.address, "--admin-listen=" + p.admin}, security...)
			if out, says, status := run(t, nil, settings...); status != exitOK || out+says != "" {
				t.Errorf("while it serves, the status is %d: %s%s", status, out, says)
			}
			p.signal(t, syscall.SIGTERM)
			p.awaitReadiness(t, http.StatusServiceUnavailable)
			if _, says, status := run(t, nil, settings...); status != exitFailed || says == "" {
				t.Errorf("while it stops, the status is %d: %s", status, says)
			}
			p.signal(t, syscall.SIGTERM)
			p.ended(t)
			if _, says, status := run(t, nil, settings...); status != exitFailed || says == "" {
				t.Errorf("without it, the status is %d: %s", status, says)
			}
		})
	}
}

// A server that listens everywhere is asked on loopback.
func TestReachable(t *testing.T) {
	for listen, asked := range map[string]string{
		":50051": "127.0.0.1:50051", "0.0.0.0:50051": "127.0.0.1:50051", "[::]:50051": "[::1]:50051",
		"127.0.0.1:50051": "127.0.0.1:50051", "192.0.2.1:50051": "192.0.2.1:50051", "example.org:50051": "example.org:50051",
	} {
		if got := reachable(listen); got != asked {
			t.Errorf("%s is asked at %s, want %s", listen, got, asked)
		}
	}
}
