package server_test

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/luctor-et-emergo/emergod/service/server"
)

// Each field has what makes it a setting: a name of its own, help, a group, and a default from
// DefaultConfig alone.
func TestFieldsAreSettings(t *testing.T) {
	defaults := server.DefaultConfig()
	settings := defaults.Settings()
	value := reflect.ValueOf(defaults)
	for i := range value.NumField() {
		field := value.Type().Field(i)
		if field.Tag.Get("help") == "" || field.Tag.Get("group") == "" {
			t.Errorf("%s has no help or no group", field.Name)
		}
		if field.Type.Kind() != reflect.Bool && field.Tag.Get("placeholder") == "" {
			t.Errorf("%s has no placeholder", field.Name)
		}
		variable := field.Tag.Get("default")
		if variable != "" && (!strings.HasPrefix(variable, "${") || !strings.HasSuffix(variable, "}")) {
			t.Errorf("%s has the default %q, which is not from DefaultConfig", field.Name, variable)
			continue
		}
		if variable == "" && !value.Field(i).IsZero() {
			t.Errorf("%s has a default that its tags do not", field.Name)
		}
		if name := strings.ReplaceAll(strings.Trim(variable, "${}"), "_", "-"); variable != "" && settings[name] == "" && !value.Field(i).IsZero() {
			t.Errorf("%s has its default from %s, which is no setting", field.Name, variable)
		}
	}
	if len(settings) != value.NumField() {
		t.Errorf("%d fields make %d settings", value.NumField(), len(settings))
	}
	if err := defaults.Validate(); err != nil {
		t.Errorf("the defaults are wrong: %v", err)
	}
}

func TestBadSettingIsNamed(t *testing.T) {
	for setting, changes := range map[string][]func(*server.Config){
		"--listen": {
			func(c *server.Config) { c.Listen = "" },
			func(c *server.Config) { c.Listen = "127.0.0.1" },
			func(c *server.Config) { c.Listen = "::1:50051" },
		},
		"--admin-listen": {
			func(c *server.Config) { c.AdminListen = "9464" },
			func(c *server.Config) { c.AdminListen = "http://127.0.0.1:9464/" },
		},
		"--tls-cert": {
			func(c *server.Config) { c.TLSCert = "tls.crt" },
			func(c *server.Config) { c.TLSKey = "tls.key" },
		},
		"--tls-client-ca": {
			func(c *server.Config) { c.TLSClientCA = "ca.crt" },
		},
		"--tokens": {
			func(c *server.Config) { c.Listen, c.Tokens = "192.0.2.1:50051", "tokens" },
		},
		"--reload-interval": {
			func(c *server.Config) { c.ReloadInterval = 0 },
			func(c *server.Config) { c.ReloadInterval = -time.Second },
		},
		"--max-in-flight":          {func(c *server.Config) { c.MaxInFlight = -1 }},
		"--max-deadline":           {func(c *server.Config) { c.MaxDeadline = 0 }},
		"--max-request-bytes":      {func(c *server.Config) { c.MaxRequestBytes = 0 }, func(c *server.Config) { c.MaxRequestBytes = -1 }},
		"--max-concurrent-streams": {func(c *server.Config) { c.MaxConcurrentStreams = 0 }},
		"--client-rate": {
			func(c *server.Config) { c.ClientRate = -0.5 },
			func(c *server.Config) { c.ClientRate = math.NaN() }, // is neither below nor above anything
			func(c *server.Config) { c.ClientRate = math.Inf(1) },
		},
		"--client-burst":             {func(c *server.Config) { c.ClientRate, c.ClientBurst = 1, 0 }},
		"--max-connection-age":       {func(c *server.Config) { c.MaxConnectionAge = 0 }},
		"--max-connection-age-grace": {func(c *server.Config) { c.MaxConnectionAgeGrace = -1 }},
		"--keepalive-time":           {func(c *server.Config) { c.KeepaliveTime = time.Millisecond }},
		"--keepalive-timeout":        {func(c *server.Config) { c.KeepaliveTimeout = 0 }},
		"--keepalive-min-time":       {func(c *server.Config) { c.KeepaliveMinTime = -1 }},
		"--shutdown-delay":           {func(c *server.Config) { c.ShutdownDelay = -1 }},
		"--drain-timeout":            {func(c *server.Config) { c.DrainTimeout = -1 }},
		"--slow-call":                {func(c *server.Config) { c.SlowCall = -1 }},
		"--log-format":               {func(c *server.Config) { c.LogFormat = "" }, func(c *server.Config) { c.LogFormat = "JSON" }},
		"--trace-sample-ratio": {
			func(c *server.Config) { c.TraceSampleRatio = -0.1 },
			func(c *server.Config) { c.TraceSampleRatio = 1.1 },
			func(c *server.Config) { c.TraceSampleRatio = math.NaN() },
		},
		"--otlp-endpoint": {
			func(c *server.Config) { c.OTLPEndpoint = "127.0.0.1:4317" },
			func(c *server.Config) { c.OTLPEndpoint = "http://" },
			func(c *server.Config) { c.OTLPEndpoint = "ftp://127.0.0.1" },
			func(c *server.Config) { c.OTLPEndpoint = "http://user:secret@[" },
		},
	} {
		for n, change := range changes {
			config := server.DefaultConfig()
			change(&config)
			err := config.Validate()
			if err == nil || !strings.HasPrefix(err.Error(), setting) || strings.ContainsAny(err.Error(), "\n") {
				t.Errorf("%s, change %d: the error is %v", setting, n, err)
			} else if strings.Contains(err.Error(), "secret") {
				t.Errorf("the error %v tells a secret", err)
			}
			if checked := server.Check(config); checked == nil || checked.Error() != err.Error() {
				t.Errorf("%s: Check says %v, Validate %v", setting, checked, err)
			}
		}
	}
}

// A server that others can reach must be secure, or told that it need not be.
func TestListeningBeyondLoopback(t *testing.T) {
	secure := func(c *server.Config) { c.TLSCert, c.TLSKey = "tls.crt", "tls.key" }
	for _, address := range []string{
		"127.0.0.1:0", "127.8.9.10:0", "[::1]:0", "localhost:0", "[::ffff:127.0.0.1]:0",
	} {
		config := server.DefaultConfig()
		config.Listen = address
		if err := config.Validate(); err != nil {
			t.Errorf("%s is refused: %v", address, err)
		}
	}
	for _, address := range []string{
		":0", "0.0.0.0:0", "[::]:0", "192.168.1.7:0", "10.0.0.1:0", "[fe80::1%eth0]:0", "[2001:db8::1]:0",
		"example.org:0", "localhost.example.org:0", "127.0.0.1.example.org:0", "[::ffff:192.0.2.1]:0", "0:0", "127.1:0",
	} {
		for name, c := range map[string]struct {
			change func(*server.Config)
			listen bool
		}{
			"nothing":             {func(*server.Config) {}, false},
			"TLS":                 {secure, false},
			"tokens":              {func(c *server.Config) { c.Tokens = "tokens" }, false},
			"TLS and tokens":      {func(c *server.Config) { secure(c); c.Tokens = "tokens" }, true},
			"TLS and authorities": {func(c *server.Config) { secure(c); c.TLSClientCA = "ca.crt" }, true},
			"insecure":            {func(c *server.Config) { c.Insecure = true }, true},
			"insecure and tokens": {func(c *server.Config) { c.Insecure, c.Tokens = true, "tokens" }, true},
		} {
			config := server.DefaultConfig()
			config.Listen = address
			c.change(&config)
			err := config.Validate()
			if (err == nil) != c.listen {
				t.Errorf("%s with %s: %v", address, name, err)
			}
			if err != nil && !strings.Contains(err.Error(), "--insecure") {
				t.Errorf("%s with %s: the error %v does not say how to do it all the same", address, name, err)
			}
		}
	}
}
