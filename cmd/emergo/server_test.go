package main

import (
	"bytes"
	"context"
	"flag"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
	"github.com/luctor-et-emergo/emergod/service/emergorules"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// startServer starts the real rules server on a socket of its own and returns its address. stop ends it before
// the test does.
func startServer(t *testing.T) (addr string, stop func()) {
	t.Helper()
	config := server.DefaultConfig()
	config.Listen, config.AdminListen = "127.0.0.1:0", ""
	config.DrainTimeout, config.MaxRequestBytes = time.Second, emergorules.MaxRequestBytes
	config.MaxWait = 0 // a busy machine is no fault
	rules, err := emergorules.Open(emergorules.DefaultConfig())
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(config, slog.New(slog.DiscardHandler), "test", rules.ForServer())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- s.Run(ctx) }()
	ended := false
	stop = func() {
		cancel()
		if ended {
			return
		}
		ended = true
		if err := <-stopped; err != nil {
			t.Errorf("the server stopped with: %v", err)
		}
	}
	t.Cleanup(stop)
	return s.Addr().String(), stop
}

// fakeServer serves an implementation of the service on a socket of its own.
func fakeServer(t *testing.T, rules emergov1.RulesServiceServer) (addr string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer()
	emergov1.RegisterRulesServiceServer(s, rules)
	go s.Serve(listener)
	t.Cleanup(s.Stop)
	return listener.Addr().String()
}

// deadAddr returns an address at which nothing listens.
func deadAddr(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// A printed is what a command line left behind.
type printed struct {
	status   int
	out, err string
}

// emergoAt runs a command line against the server at addr.
func emergoAt(addr, stdin string, args ...string) printed {
	var out, err bytes.Buffer
	status := run(context.Background(), append(args, "--addr="+addr), strings.NewReader(stdin), &out, &err)
	return printed{status, out.String(), err.String()}
}

var update = flag.Bool("update", false, "write the files in testdata anew")

// golden compares text with a file in testdata.
func golden(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s differs (-update writes it anew). Got:\n%s\nWant:\n%s", file, text, want)
	}
}

var sentence = regexp.MustCompile(`(?m)^(emergo: (?:line \d+: )?(?:Move \d+ \([^\n]*\): )?)?[^\n]* (\[[A-Z_]+\])$`)

// withoutSentences replaces the server's own words in refusals, so that only what this client makes of them is
// compared.
func withoutSentences(text string) string { return sentence.ReplaceAllString(text, "${1}... $2") }
