//go:build unix

// Command roll proves that rolling restarts of emergod lose no call. Under a steady load it restarts
// three servers in turn, and kills one, first behind haproxy, then with clients that balance
// themselves, each with the service config published for them. It prints what became of the calls
// and fails if one failed in a restart, or failed at a kill without being in flight at it. It
// asserts nothing about time.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"text/tabwriter"
	"time"
)

const (
	limit         = 3 * time.Minute        // for all of it; usual is less than one
	eventLimit    = 30 * time.Second       // for one event; usual is five
	shutdownDelay = 2 * time.Second        // haproxy notices in 400 ms
	frozen        = 100 * time.Millisecond // how long a server is stopped before it is killed
	after         = time.Second            // how long the load goes on after an event
)

func main() {
	var f files
	flag.StringVar(&f.emergod, "emergod", "", "the binary")
	flag.StringVar(&f.serviceConfig, "service-config", "", "what clients use that balance themselves")
	flag.StringVar(&f.proxyServiceConfig, "proxy-service-config", "", "what clients of the proxy use")
	flag.StringVar(&f.scratch, "scratch", "", "directory for haproxy's configuration and for logs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(ctx, limit)
	err := prove(ctx, f)
	cancel()
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "FAIL:", err)
		os.Exit(1)
	}
}

type files struct{ emergod, serviceConfig, proxyServiceConfig, scratch string }

// prove tries both set-ups and prints the table.
func prove(ctx context.Context, f files) error {
	var rows []row
	for _, s := range []struct {
		name          string
		try           func(context.Context, files, string) ([]row, error)
		serviceConfig string
	}{
		{"haproxy", behindHAProxy, f.proxyServiceConfig},
		{"round robin", balancedByClients, f.serviceConfig},
	} {
		serviceConfig, err := os.ReadFile(s.serviceConfig)
		if err != nil {
			return err
		}
		tried, err := s.try(ctx, f, string(serviceConfig))
		for _, r := range tried {
			r.setup = s.name
			rows = append(rows, r)
		}
		if err != nil {
			printTable(rows)
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	printTable(rows)
	return verdict(rows)
}

// behindHAProxy has clients that know one address.
func behindHAProxy(ctx context.Context, f files, serviceConfig string) ([]row, error) {
	c, err := startCluster(ctx, f)
	defer c.kill()
	if err != nil {
		return nil, err
	}
	proxy, err := startHAProxy(ctx, f, c)
	defer proxy.kill()
	if err != nil {
		return nil, err
	}
	rows, err := roll(ctx, c, serviceConfig, proxyAddress)
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, proxy.tail())
	}
	return rows, err
}

// balancedByClients has clients that know every server.
func balancedByClients(ctx context.Context, f files, serviceConfig string) ([]row, error) {
	c, err := startCluster(ctx, f)
	defer c.kill()
	if err != nil {
		return nil, err
	}
	var addresses []string
	for _, s := range c.servers {
		addresses = append(addresses, s.Address)
	}
	return roll(ctx, c, serviceConfig, addresses...)
}

// roll restarts every server in turn, then kills one.
func roll(ctx context.Context, c *cluster, serviceConfig string, addresses ...string) (rows []row, err error) {
	l, err := newLoad(ctx, serviceConfig, addresses)
	if err != nil {
		return nil, err
	}
	defer l.close()
	// Every server has its part of the load before anything happens to one.
	if _, err := l.during(ctx, func(ctx context.Context) error { return c.awaitLoad(ctx) }); err != nil {
		return nil, err
	}
	for _, s := range c.servers {
		r, err := l.during(ctx, func(ctx context.Context) error { return s.restart(ctx) })
		r.event = "restart " + s.Name
		if rows = append(rows, r); err != nil {
			return rows, fmt.Errorf("%s: %w", r.event, err)
		}
	}
	s := c.servers[0]
	var from, to time.Time
	r, err := l.during(ctx, func(ctx context.Context) (err error) {
		from, to, err = s.killAndStart(ctx)
		return err
	})
	r.event = "kill " + s.Name
	r.inFlightBetween(from, to)
	if rows = append(rows, r); err != nil {
		return rows, fmt.Errorf("%s: %w", r.event, err)
	}
	return rows, nil
}

// A row is what became of the calls around an event.
type row struct {
	setup, event   string
	calls          []call
	retries        int64
	failed         int
	kill           bool
	inFlight       int // at the kill
	inFlightFailed int
}

// inFlightBetween counts the calls in flight at some moment between two.
func (r *row) inFlightBetween(from, to time.Time) {
	r.kill = true
	for _, c := range r.calls {
		if c.begun.Before(to) && c.ended.After(from) {
			r.inFlight++
			if c.err != nil {
				r.inFlightFailed++
			}
		}
	}
}

func printTable(rows []row) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "set-up\tevent\tcalls\tretries\tfailed\tin flight at the kill\tfailed of these\tp99 ms\tmax ms\t")
	for _, r := range rows {
		inFlight, inFlightFailed := "-", "-"
		if r.kill {
			inFlight, inFlightFailed = fmt.Sprint(r.inFlight), fmt.Sprint(r.inFlightFailed)
		}
		p99, longest := latencies(r.calls)
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t%.1f\t%.1f\t\n", r.setup, r.event, len(r.calls), r.retries,
			r.failed, inFlight, inFlightFailed, milliseconds(p99), milliseconds(longest))
	}
	w.Flush()
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// verdict returns an error if a call was lost that must not be.
func verdict(rows []row) error {
	var calls, lost, inFlight int
	for _, r := range rows {
		calls += len(r.calls)
		lost += r.failed - r.inFlightFailed
		inFlight += r.inFlightFailed
		seen := map[string]bool{}
		for _, c := range r.calls {
			if c.err != nil && !seen[c.err.Error()] {
				seen[c.err.Error()] = true
				fmt.Printf("%s, %s: %s after %s: %v\n", r.setup, r.event, c.method, c.ended.Sub(c.begun).Round(time.Millisecond), c.err)
			}
		}
	}
	if lost > 0 {
		return fmt.Errorf("%d of %d calls are lost", lost, calls)
	}
	fmt.Printf("pass: of %d calls none is lost, except for %d in flight at a kill\n", calls, inFlight)
	return nil
}
