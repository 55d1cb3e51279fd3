package server_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/service/server"
)

// get asks the admin port.
func (r *running) get(t *testing.T, path string) (status int, body string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get("http://" + r.AdminAddr().String() + path)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(read)
}

// The effective configuration is all there, but for secrets.
func TestConfigIsShownWithoutSecrets(t *testing.T) {
	config := testConfig()
	config.OTLPEndpoint = "http://user:hunter2@127.0.0.1:4317/path"
	config.MaxInFlight = 77
	config.Tokens = tokensFile(t, "alice")
	r := start(t, config, succeed)
	code, body := r.get(t, "/config")
	shown := map[string]string{}
	if err := json.Unmarshal([]byte(body), &shown); err != nil || code != http.StatusOK {
		t.Fatalf("%d, %v: %s", code, err, body)
	}
	if len(shown) != len(server.DefaultConfig().Settings()) || shown["max-in-flight"] != "77" || shown["tokens"] != config.Tokens {
		t.Errorf("the configuration shown is %s", body)
	}
	if shown["otlp-endpoint"] != "http://masked@127.0.0.1:4317/path" {
		t.Errorf("the endpoint shown is %s", shown["otlp-endpoint"])
	}
	if all := body + r.log.String() + r.metrics(t); strings.Contains(all, "hunter2") || strings.Contains(all, "alice's token") {
		t.Error("a secret is shown")
	}
}

func TestMaskedChangesNothingElse(t *testing.T) {
	for _, endpoint := range []string{"", "http://127.0.0.1:4317", "https://collector.example.org/v1/traces"} {
		config := server.DefaultConfig()
		config.OTLPEndpoint = endpoint
		if config.Masked() != config {
			t.Errorf("masked, %q is %q", endpoint, config.Masked().OTLPEndpoint)
		}
	}
}

func TestProbesOfTheAdminPort(t *testing.T) {
	r := start(t, testConfig(), succeed)
	await(t, "readiness", func() bool { code, _ := r.get(t, "/readyz"); return code == http.StatusOK })
	if code, _ := r.get(t, "/livez"); code != http.StatusOK {
		t.Errorf("liveness is %d", code)
	}
	for _, path := range []string{"/", "/debug/pprof/", "/debug/pprof/cmdline", "/debug/pprof/heap", "/debug/vars"} {
		if code, _ := r.get(t, path); code != http.StatusNotFound {
			t.Errorf("%s is answered %d", path, code)
		}
	}
}

func TestProfilesAreServedIfAskedFor(t *testing.T) {
	config := testConfig()
	config.Pprof = true
	r := start(t, config, succeed)
	if code, body := r.get(t, "/debug/pprof/goroutine?debug=1"); code != http.StatusOK || !strings.Contains(body, "goroutine profile") {
		t.Errorf("a profile is answered %d: %s", code, body)
	}
}

func TestNoAdminPort(t *testing.T) {
	config := testConfig()
	config.AdminListen = ""
	r := start(t, config, succeed)
	if addr := r.AdminAddr(); addr != nil {
		t.Errorf("there is one at %s", addr)
	}
	if err := r.call(t); err != nil {
		t.Error(err)
	}
}
