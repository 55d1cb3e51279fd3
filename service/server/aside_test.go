package server_test

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"time"

	"github.com/luctor-et-emergo/emergod/service/server"
)

// What steps aside leaves its place to others, does not make the server think that calls take long, is
// not slow, and is waited for by a stop.
func TestStepAside(t *testing.T) {
	config := jsonConfig()
	config.MaxInFlight, config.MaxWait, config.SlowCall = 1, time.Minute, 1
	entered, leave := make(chan struct{}), make(chan struct{})
	var aside atomic.Bool
	aside.Store(true)
	r := start(t, config, func(ctx context.Context) error {
		if aside.Load() {
			server.StepAside(ctx)
			entered <- struct{}{}
			<-leave
		}
		return nil
	})
	const calls = 20
	answers := make(chan error, calls)
	for range calls {
		go func() { answers <- r.call(t) }()
		<-entered
	}
	if in := r.series(t)["emergod_in_flight_calls"]; in != 0 {
		t.Errorf("in flight are %v calls", in)
	}
	aside.Store(false)
	if err := r.call(t); err != nil {
		t.Errorf("beside them a call is answered %v", err)
	}
	r.stop()
	select {
	case err := <-r.stopped:
		t.Errorf("the stop does not wait: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	close(leave)
	for range calls {
		if err := <-answers; err != nil {
			t.Errorf("one is answered %v", err)
		}
	}
	if err := <-r.stopped; err != nil {
		t.Errorf("the stop ends with %v", err)
	}
	r.stopped <- nil // for the end of the test
	if slow := len(r.logged(t, "slow call")); slow != 1 {
		t.Errorf("%d calls are logged as slow, want the one that did not step aside", slow)
	}
}

// A service tells its settings beside the server's, and is told of the stop once no new calls come, and
// by when.
func TestServiceSettingsAndStop(t *testing.T) {
	stopped := make(chan time.Time, 1)
	service := probe(succeed).service()
	service.Settings = map[string]string{"probe-depth": "7"}
	service.Stop = func(by time.Time) { stopped <- by }
	config := testConfig()
	config.DrainTimeout = time.Hour
	r := serve(t, config, []server.Service{service})
	_, body := r.get(t, "/config")
	var settings map[string]string
	if err := json.Unmarshal([]byte(body), &settings); err != nil || settings["probe-depth"] != "7" || settings["max-in-flight"] != "1024" {
		t.Errorf("the settings are %v, %v", settings, err)
	}
	select {
	case <-stopped:
		t.Error("it is told of a stop before there is one")
	default:
	}
	r.stop()
	if left := time.Until(<-stopped); left < time.Hour-10*time.Minute || left > time.Hour {
		t.Errorf("it has %s to stop", left)
	}
}
