package server

import (
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/pprof"
	"net/url"
	"time"
)

// newAdmin returns the HTTP server for operators.
func newAdmin(c Config, services []Service, m *metrics, ready func() bool, log *slog.Logger) *http.Server {
	settings := c.Masked().Settings()
	for _, service := range services {
		maps.Copy(settings, service.Settings)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.handler())
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "alive") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if ready() {
			answer(w, http.StatusOK, "ready")
		} else {
			answer(w, http.StatusServiceUnavailable, "not ready")
		}
	})
	mux.HandleFunc("GET /config", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		_ = encoder.Encode(settings) // the client has gone
	})
	if c.Pprof {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // the client has gone
}

// Masked returns the configuration without secrets. Most settings that lead to one name a file; a
// URL may contain one.
func (c Config) Masked() Config {
	if u, err := url.Parse(c.OTLPEndpoint); err == nil {
		if u.User != nil {
			u.User = url.User("masked")
		}
		if u.RawQuery != "" {
			u.RawQuery = "masked"
		}
		c.OTLPEndpoint = u.String()
	}
	return c
}
