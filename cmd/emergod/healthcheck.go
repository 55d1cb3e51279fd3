package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
)

// healthTimeout is shorter than the timeout of a container's probes.
const healthTimeout = 3 * time.Second

type healthCommand struct{}

// Run is called by kong.
func (healthCommand) Run(all settings) error {
	c := all.Server
	ctx, cancel := context.WithTimeout(context.Background(), healthTimeout)
	defer cancel()
	if c.TLSClientCA != "" && c.Tokens == "" { // the handshake needs a client certificate, and there is none here
		if c.AdminListen == "" {
			return fmt.Errorf("--admin-listen: without it there is no way to ask a server that wants client certificates")
		}
		return askReadiness(ctx, reachable(c.AdminListen))
	}
	transport := insecure.NewCredentials()
	if c.TLSCert != "" {
		// The address asked is this machine's, not the one in the certificate, and nothing secret
		// is said.
		transport = credentials.NewTLS(&tls.Config{InsecureSkipVerify: true})
	}
	conn, err := grpc.NewClient(reachable(c.Listen), grpc.WithTransportCredentials(transport), grpc.WithNoProxy())
	if err != nil {
		return err
	}
	defer conn.Close()
	answer, err := healthv1.NewHealthClient(conn).Check(ctx, &healthv1.HealthCheckRequest{})
	if err != nil {
		return fmt.Errorf("no answer from %s: %w", c.Listen, err)
	}
	if answer.GetStatus() != healthv1.HealthCheckResponse_SERVING {
		return fmt.Errorf("%s says %s", c.Listen, answer.GetStatus())
	}
	return nil
}

func askReadiness(ctx context.Context, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{Proxy: nil}}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s says %s", address, response.Status)
	}
	return nil
}

// reachable returns where a server that listens on an address can be asked from this machine.
func reachable(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	switch host {
	case "", "0.0.0.0":
		host = "127.0.0.1"
	case "::":
		host = "::1"
	}
	return net.JoinHostPort(host, port)
}
