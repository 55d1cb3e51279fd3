package server

import (
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// Config says how to run the services. The tags make each field a flag, an environment variable and
// a key of a settings file, all by the same name; DefaultConfig holds the defaults.
type Config struct {
	// Listen is the TCP address for gRPC, host:port; port 0 picks a free one. Beyond loopback it
	// needs TLS and authentication, or Insecure.
	Listen string `default:"${listen}" placeholder:"HOST:PORT" help:"Address for gRPC; port 0 picks a free one." group:"Addresses"`
	// AdminListen is the TCP address for HTTP with metrics, liveness, readiness and the effective
	// configuration; "" means none.
	AdminListen string `default:"${admin_listen}" placeholder:"HOST:PORT" help:"Address for HTTP: /metrics, /livez, /readyz, /config. Empty for none." group:"Addresses"`
	// Insecure allows Listen to be beyond loopback without TLS or without authentication.
	Insecure bool `help:"Allow listening beyond loopback without TLS and authentication." group:"Addresses"`
	// Pprof serves profiles on the admin address.
	Pprof bool `help:"Serve profiles at /debug/pprof/ on the admin address." group:"Addresses"`

	// TLSCert and TLSKey are PEM files, read again when they change; both or neither.
	TLSCert string `name:"tls-cert" placeholder:"FILE" help:"Certificate chain, PEM; read again when it changes." group:"Security"`
	TLSKey  string `name:"tls-key" placeholder:"FILE" help:"Private key of the certificate, PEM." group:"Security"`
	// TLSClientCA is a PEM file of the authorities whose client certificates are accepted.
	TLSClientCA string `name:"tls-client-ca" placeholder:"FILE" help:"Authorities of client certificates, PEM. A client must then show one, or a token." group:"Security"`
	// Tokens is a file of bearer tokens, one a line: a client's name and "sha256:" with the hash of
	// its token.
	Tokens string `placeholder:"FILE" help:"Clients' bearer tokens, lines of NAME sha256:HEX. A client must then send one, or show a certificate." group:"Security"`
	// ReloadInterval is how often the files above are looked at for changes.
	ReloadInterval time.Duration `default:"${reload_interval}" placeholder:"DURATION" help:"How often the files above are looked at for changes." group:"Security"`

	// MaxInFlight is how many calls may be worked on at once; more are shed.
	MaxInFlight int `default:"${max_in_flight}" placeholder:"N" help:"Calls worked on at once; more are answered RESOURCE_EXHAUSTED. 0 for no limit." group:"Limits"`
	// MaxWait is how long a call may have to wait to be worked on; one that waited longer, or would
	// have to going by the calls before it, is shed. 0 means no limit.
	MaxWait time.Duration `default:"${max_wait}" placeholder:"DURATION" help:"How long a call may have to wait; one that waited longer, or would have to, is answered RESOURCE_EXHAUSTED. 0 for no limit." group:"Limits"`
	// ClientRate is how many calls a second one client may make on average; 0 means no limit.
	ClientRate float64 `default:"${client_rate}" placeholder:"N" help:"Calls a second that one client may make on average; 0 for no limit." group:"Limits"`
	// ClientBurst is how many calls one client may make at once.
	ClientBurst int `default:"${client_burst}" placeholder:"N" help:"Calls that one client may make at once if it has a rate." group:"Limits"`
	// MaxDeadline bounds how long a call may take, whatever deadline the client set.
	MaxDeadline time.Duration `default:"${max_deadline}" placeholder:"DURATION" help:"Longest that a call may take, whatever the client asks for." group:"Limits"`
	// MaxRequestBytes bounds an encoded request; a larger one is answered RESOURCE_EXHAUSTED
	// unread.
	MaxRequestBytes int `default:"${max_request_bytes}" placeholder:"N" help:"Largest request, in bytes." group:"Limits"`
	// MaxConcurrentStreams bounds the calls in flight on one connection.
	MaxConcurrentStreams uint32 `default:"${max_concurrent_streams}" placeholder:"N" help:"Calls in flight on one connection." group:"Limits"`
	// MaxConnectionAge is how long a connection is used before the client is told to make another.
	MaxConnectionAge time.Duration `default:"${max_connection_age}" placeholder:"DURATION" help:"How long a connection is used before its client is told to make another." group:"Limits"`
	// MaxConnectionAgeGrace is how long calls may go on then.
	MaxConnectionAgeGrace time.Duration `default:"${max_connection_age_grace}" placeholder:"DURATION" help:"How long calls may go on then." group:"Limits"`
	// KeepaliveTime is how long a connection may be silent before the server pings it.
	KeepaliveTime time.Duration `default:"${keepalive_time}" placeholder:"DURATION" help:"How long a connection may be silent before it is pinged." group:"Limits"`
	// KeepaliveTimeout is how long the server waits for the answer.
	KeepaliveTimeout time.Duration `default:"${keepalive_timeout}" placeholder:"DURATION" help:"How long to wait for the answer to a ping." group:"Limits"`
	// KeepaliveMinTime is how often a client may ping; one that does so more often is cut off.
	KeepaliveMinTime time.Duration `default:"${keepalive_min_time}" placeholder:"DURATION" help:"Least time between a client's pings." group:"Limits"`

	// ShutdownDelay is how long the server goes on serving after it has turned unready.
	ShutdownDelay time.Duration `default:"${shutdown_delay}" placeholder:"DURATION" help:"How long a stop goes on serving after turning unready, for load balancers to notice." group:"Stopping"`
	// DrainTimeout is how long a stop waits for calls in flight before it cuts them off.
	DrainTimeout time.Duration `default:"${drain_timeout}" placeholder:"DURATION" help:"How long a stop then waits for calls in flight." group:"Stopping"`

	// LogLevel is the least level that is logged.
	LogLevel slog.Level `default:"${log_level}" placeholder:"LEVEL" help:"Least level to log: debug (every call), info (refused calls too), warn (slow calls too) or error." group:"Watching"`
	// LogFormat is text or json.
	LogFormat string `default:"${log_format}" enum:"text,json" placeholder:"FORMAT" help:"Format of the log on standard error: text or json." group:"Watching"`
	// SlowCall is how long a call takes that is logged as slow.
	SlowCall time.Duration `default:"${slow_call}" placeholder:"DURATION" help:"Calls that take longer are logged as slow. 0 for none." group:"Watching"`
	// OTLPEndpoint is where traces are sent by OTLP over gRPC, a URL; "" means no tracing.
	OTLPEndpoint string `name:"otlp-endpoint" placeholder:"URL" help:"Where to send traces by OTLP over gRPC, such as http://127.0.0.1:4317. Empty for no tracing." group:"Watching"`
	// TraceSampleRatio is which part of the calls is traced, from 0 to 1.
	TraceSampleRatio float64 `default:"${trace_sample_ratio}" placeholder:"RATIO" help:"Part of the calls that is traced, from 0 to 1." group:"Watching"`
	// TraceTrustCallers lets callers decide, by the traceparent that they send, whether a call is
	// traced, and as part of which trace; else it begins a trace of its own that links to theirs.
	TraceTrustCallers bool `help:"Continue the traces of callers, who then decide what is traced, instead of linking to them." group:"Watching"`
}

// DefaultConfig returns the settings of a server on loopback that anybody there may use.
func DefaultConfig() Config {
	return Config{
		Listen:         "127.0.0.1:50051", // the port of gRPC's own examples
		AdminListen:    "127.0.0.1:9464",  // the port of OpenTelemetry's Prometheus exporters
		ReloadInterval: 10 * time.Second,  // certificates are replaced days before they expire

		MaxInFlight:     1024,                   // calls take microseconds: so many at once are a queue
		MaxWait:         250 * time.Millisecond, // longer than a container with a limit of CPU is held up
		ClientRate:      0,                      // a platform's calls are its own; a public server sets it
		ClientBurst:     100,                    // a page that opens on many games
		MaxDeadline:     10 * time.Second,       // the longest request takes milliseconds
		MaxRequestBytes: 4 << 20,                // gRPC's own; a service knows better
		// Enough for a proxy that puts all its clients on one connection; HTTP/2 advises at least
		// 100.
		MaxConcurrentStreams:  250,
		MaxConnectionAge:      30 * time.Minute, // so that clients find servers that were added
		MaxConnectionAgeGrace: 30 * time.Second,
		KeepaliveTime:         2 * time.Minute, // below the idle timeout of most load balancers
		KeepaliveTimeout:      20 * time.Second,
		KeepaliveMinTime:      10 * time.Second, // as often as gRPC clients may be set to ping

		ShutdownDelay: 0,                // there is no load balancer before loopback
		DrainTimeout:  20 * time.Second, // below the 30 s after which Kubernetes kills

		LogLevel:  slog.LevelInfo,
		LogFormat: "text",
		SlowCall:  100 * time.Millisecond, // a thousand times what a call takes

		TraceSampleRatio: 0.01, // calls are alike: a few tell what there is to tell
	}
}

// Settings returns each field's value by the name of its setting.
func (c Config) Settings() map[string]string { return Settings(c) }

// Settings returns the value of each field of a struct of settings by the name of its setting.
func Settings(config any) map[string]string {
	settings := map[string]string{}
	value := reflect.ValueOf(config)
	for i := range value.NumField() {
		settings[settingName(value.Type().Field(i))] = fmt.Sprint(value.Field(i).Interface())
	}
	return settings
}

// settingName returns the name that kong gives a field: words in lower case with hyphens between.
func settingName(field reflect.StructField) string {
	if name := field.Tag.Get("name"); name != "" {
		return name
	}
	var name strings.Builder
	for i, r := range field.Name {
		if 'A' <= r && r <= 'Z' {
			if i > 0 {
				name.WriteByte('-')
			}
			r += 'a' - 'A'
		}
		name.WriteRune(r)
	}
	return name.String()
}

// Validate returns an error that names the setting that is wrong and says what would be right. Kong
// calls it.
func (c *Config) Validate() error {
	host, err := splitAddress("listen", c.Listen)
	if err != nil {
		return err
	}
	adminHost := "localhost"
	if c.AdminListen != "" {
		if adminHost, err = splitAddress("admin-listen", c.AdminListen); err != nil {
			return err
		}
	}
	switch {
	case c.Pprof && !isLoopback(adminHost) && !c.Insecure:
		return fmt.Errorf("--pprof: profiles say too much for an --admin-listen beyond loopback (%s), or set --insecure", c.AdminListen)
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return fmt.Errorf("--tls-cert and --tls-key: one is set without the other")
	case c.TLSClientCA != "" && c.TLSCert == "":
		return fmt.Errorf("--tls-client-ca: client certificates need --tls-cert and --tls-key")
	case c.Tokens != "" && c.TLSCert == "" && !c.Insecure && !isLoopback(host):
		return fmt.Errorf("--tokens: beyond loopback tokens need TLS, or anybody on the way can read them: set --tls-cert and --tls-key, or --insecure")
	case !isLoopback(host) && !c.Insecure && (c.TLSCert == "" || c.TLSClientCA == "" && c.Tokens == ""):
		return fmt.Errorf("--listen: beyond loopback (%s) the server needs TLS (--tls-cert, --tls-key) and authentication (--tls-client-ca or --tokens), or --insecure to do without", c.Listen)
	}
	for _, d := range []struct {
		setting string
		value   time.Duration
		least   time.Duration
	}{
		{"reload-interval", c.ReloadInterval, time.Millisecond},
		{"max-deadline", c.MaxDeadline, time.Millisecond},
		{"max-connection-age", c.MaxConnectionAge, time.Second},
		{"max-connection-age-grace", c.MaxConnectionAgeGrace, 0},
		{"keepalive-time", c.KeepaliveTime, time.Second},
		{"keepalive-timeout", c.KeepaliveTimeout, time.Millisecond},
		{"keepalive-min-time", c.KeepaliveMinTime, 0},
		{"shutdown-delay", c.ShutdownDelay, 0},
		{"drain-timeout", c.DrainTimeout, 0},
		{"slow-call", c.SlowCall, 0},
		{"max-wait", c.MaxWait, 0},
	} {
		if d.value < d.least {
			return fmt.Errorf("--%s: %s is too short; the least is %s", d.setting, d.value, d.least)
		}
	}
	switch {
	case c.MaxInFlight < 0:
		return fmt.Errorf("--max-in-flight: %d is negative", c.MaxInFlight)
	case !(c.ClientRate >= 0) || math.IsInf(c.ClientRate, 0):
		return fmt.Errorf("--client-rate: %v is no number of calls a second", c.ClientRate)
	case c.ClientRate > 0 && c.ClientBurst < 1:
		return fmt.Errorf("--client-burst: %d lets no call through; the least is 1", c.ClientBurst)
	case c.MaxRequestBytes < 1 || c.MaxRequestBytes > maxRequestBytes:
		return fmt.Errorf("--max-request-bytes: %d is not from 1 to %d", c.MaxRequestBytes, maxRequestBytes)
	case c.MaxConcurrentStreams < 1:
		return fmt.Errorf("--max-concurrent-streams: %d lets no call through; the least is 1", c.MaxConcurrentStreams)
	case !(c.TraceSampleRatio >= 0 && c.TraceSampleRatio <= 1):
		return fmt.Errorf("--trace-sample-ratio: %v is not from 0 to 1", c.TraceSampleRatio)
	case c.LogFormat != "text" && c.LogFormat != "json":
		return fmt.Errorf("--log-format: %q is neither text nor json", c.LogFormat)
	}
	if c.OTLPEndpoint != "" {
		if u, err := url.Parse(c.OTLPEndpoint); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("--otlp-endpoint: it must be a URL such as http://127.0.0.1:4317")
		}
	}
	return nil
}

// splitAddress returns the host of an address.
func splitAddress(setting, address string) (host string, err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", fmt.Errorf("--%s: %q is not host:port", setting, address)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return "", fmt.Errorf("--%s: %q has no port from 0 to 65535", setting, address)
	}
	return host, nil
}

// maxRequestBytes keeps the memory that one request can take within reason.
const maxRequestBytes = 64 << 20

// isLoopback reports whether a host can be reached from this machine only.
func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// authenticates reports whether callers must say who they are.
func (c *Config) authenticates() bool { return c.Tokens != "" || c.TLSClientCA != "" }
