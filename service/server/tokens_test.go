package server_test

import (
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/luctor-et-emergo/emergod/service/server"
)

// On one connection a client becomes known and ceases to be, as its line comes and goes.
func TestTokensAreReplacedWhileServing(t *testing.T) {
	config := testConfig()
	config.ReloadInterval = 5 * time.Millisecond
	config.Tokens = tokensFile(t, "alice")
	r := start(t, config, succeed)
	answer := func(client string) codes.Code { return status.Code(callOn(bearing(t.Context(), client), r.conn)) }
	if alice, bob := answer("alice"), answer("bob"); alice != codes.OK || bob != codes.Unauthenticated {
		t.Errorf("before, alice is answered %s and bob %s", alice, bob)
	}
	replace(t, config.Tokens, []byte(tokenLine("bob", "bob's token")))
	await(t, "the new tokens", func() bool { return answer("bob") == codes.OK })
	if alice := answer("alice"); alice != codes.Unauthenticated {
		t.Errorf("after, alice is answered %s", alice)
	}
	if ok := r.series(t)[`emergod_tls_reloads_total{result="ok"}`]; ok != 1 {
		t.Errorf("the metrics count %v reloads", ok)
	}
}

// A client may have two tokens, so that one can be replaced by the other.
func TestTokensFile(t *testing.T) {
	config := jsonConfig()
	config.Tokens = filepath.Join(t.TempDir(), "tokens")
	content := "# Who may play.\r\n\n  " + tokenLine("alice", "alice's token") +
		strings.TrimSuffix(tokenLine("alice", "alice2's token"), "\n") + " # from today on"
	replace(t, config.Tokens, []byte(content))
	r := start(t, config, succeed)
	for n, token := range []string{"alice", "alice2"} {
		if err := callOn(bearing(t.Context(), token), r.conn); err != nil {
			t.Errorf("%s's token is answered %v", token, err)
		}
		if calls := r.logged(t, "call"); calls[n]["client"] != "alice" {
			t.Errorf("%s's token is known as %v", token, calls[n]["client"])
		}
	}
}

// A file that is no tokens file stops the start, naming setting, file and line. What it says is not
// repeated: it may be a secret in the wrong place.
func TestMalformedTokensFile(t *testing.T) {
	hash := sha256.Sum256([]byte("hunter2"))
	digits := hex.EncodeToString(hash[:])
	for name, c := range map[string]struct{ content, says string }{
		"nothing":            {"", "names no client"},
		"comments only":      {"# nobody yet\n\n", "names no client"},
		"no hash":            {tokenLine("bob", "x") + "alice\n", "line 2"},
		"a third word":       {"alice sha256:" + digits + " hunter2\n", "line 1"},
		"the token itself":   {"\n\nalice hunter2\n", "line 3"},
		"no name":            {"sha256:" + digits + "\n", "line 1"},
		"another hash":       {"alice md5:" + digits + "\n", "line 1"},
		"no scheme":          {"alice " + digits + "\n", "line 1"},
		"short":              {"alice sha256:" + digits[:62] + "\n", "line 1"},
		"long":               {"alice sha256:" + digits + "00\n", "line 1"},
		"an odd digit":       {"alice sha256:" + digits[:63] + "\n", "line 1"},
		"no digit":           {"alice sha256:" + digits[:63] + "g\n", "line 1"},
		"a space after":      {"alice sha256: " + digits + "\n", "line 1"},
		"swapped":            {"sha256:" + digits + " alice\n", "line 1"},
		"of nothing":         {tokenLine("bob", "x") + tokenLine("alice", ""), "line 2"},
		"a line without end": {strings.Repeat("hunter2", 1<<17), "--tokens"},
	} {
		config := testConfig()
		config.Tokens = filepath.Join(t.TempDir(), "tokens")
		replace(t, config.Tokens, []byte(c.content))
		for _, err := range []error{server.Check(config), errorOfNew(config)} {
			if err == nil {
				t.Errorf("%s: the server starts", name)
				continue
			}
			if says := err.Error(); !strings.HasPrefix(says, "--tokens: "+config.Tokens+": ") || !strings.Contains(says, c.says) {
				t.Errorf("%s: the error is %v, want %s", name, err, c.says)
			}
			if says := err.Error(); strings.Contains(says, digits[:8]) || strings.Contains(says, "hunter2") {
				t.Errorf("%s: the error %v repeats a secret", name, err)
			}
		}
	}
}

// errorOfNew returns why a server does not start.
func errorOfNew(config server.Config) error {
	_, err := server.New(config, slog.New(slog.DiscardHandler), "")
	return err
}

func TestMissingFilesStopTheStart(t *testing.T) {
	a := newAuthority(t, "servers")
	missing := filepath.Join(t.TempDir(), "missing")
	for setting, change := range map[string]func(*server.Config){
		"--tokens":        func(c *server.Config) { c.Tokens = missing },
		"--tls-cert":      func(c *server.Config) { c.TLSCert = missing },
		"--tls-client-ca": func(c *server.Config) { c.TLSClientCA = missing },
	} {
		config := testConfig()
		a.serve(t, &config)
		change(&config)
		if err := errorOfNew(config); err == nil || !strings.HasPrefix(err.Error(), setting+": ") || !strings.Contains(err.Error(), missing) {
			t.Errorf("%s: the error is %v", setting, err)
		}
	}
}
