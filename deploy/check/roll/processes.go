//go:build unix

package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"text/template"
	"time"
)

// Fixed ports, for they are listened on again; below those that connections are given.
const (
	proxyAddress  = "127.0.0.1:20150"
	serverAddress = "127.0.0.1:2015%d"
	adminAddress  = "127.0.0.1:2016%d"
)

//go:embed haproxy.cfg
var haproxyTemplate string

// A process is a running program.
type process struct {
	name  string
	cmd   *exec.Cmd
	log   string // file
	ended chan struct{}
}

func start(name, log, program string, args ...string) (*process, error) {
	file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p := &process{name: name, cmd: exec.Command(program, args...), log: log, ended: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = file, file
	// Of a group of its own: an interrupt at the terminal is for the command, which ends its processes.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // the state tells
		close(p.ended)
	}()
	return p, nil
}

// kill ends the process, if it has not ended, and waits for that.
func (p *process) kill() {
	if p == nil {
		return
	}
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.ended
}

// await waits until something holds.
func (p *process) await(ctx context.Context, what string, holds func() bool) error {
	for !holds() {
		select {
		case <-p.ended:
			return fmt.Errorf("%s is gone: %v\n%s", p.name, p.cmd.ProcessState, p.tail())
		case <-ctx.Done():
			return fmt.Errorf("%s is not %s: %w", p.name, what, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil
}

// tail returns the end of the log.
func (p *process) tail() string {
	data, _ := os.ReadFile(p.log)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	return strings.Join(lines[max(0, len(lines)-10):], "\n")
}

// startHAProxy starts haproxy and waits until it listens. Whatever it returns is to be killed.
func startHAProxy(ctx context.Context, f files, c *cluster) (*process, error) {
	config := filepath.Join(f.scratch, "haproxy.cfg")
	file, err := os.Create(config)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	values := struct {
		Proxy   string
		Servers []*server
	}{proxyAddress, c.servers}
	if err := template.Must(template.New("haproxy.cfg").Parse(haproxyTemplate)).Execute(file, values); err != nil {
		return nil, err
	}
	p, err := start("haproxy", filepath.Join(f.scratch, "haproxy.log"), "haproxy", "-db", "-f", config)
	if err != nil {
		return nil, err
	}
	return p, p.await(ctx, "listening", func() bool {
		conn, err := net.Dial("tcp", proxyAddress)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
}

// A cluster is three servers.
type cluster struct{ servers []*server }

// startCluster starts the servers and waits until they are ready. Whatever it returns is to be killed.
func startCluster(ctx context.Context, f files) (*cluster, error) {
	c := new(cluster)
	for i := 1; i <= 3; i++ {
		s := &server{
			Name:    fmt.Sprintf("server-%d", i),
			Address: fmt.Sprintf(serverAddress, i),
			Admin:   fmt.Sprintf(adminAddress, i),
			binary:  f.emergod,
			log:     filepath.Join(f.scratch, fmt.Sprintf("emergod-%d.log", i)),
		}
		c.servers = append(c.servers, s)
		if err := s.start(ctx); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (c *cluster) kill() {
	for _, s := range c.servers {
		s.process.kill()
	}
}

// awaitLoad waits until every server answers calls.
func (c *cluster) awaitLoad(ctx context.Context) error {
	for _, s := range c.servers {
		if err := s.awaitLoad(ctx); err != nil {
			return err
		}
	}
	return nil
}

// A server is an emergod, in as many processes as it is started times.
type server struct {
	Name, Address, Admin string
	binary, log          string
	process              *process
}

// AdminPort is the port of Admin.
func (s *server) AdminPort() (string, error) {
	_, port, err := net.SplitHostPort(s.Admin)
	return port, err
}

// start starts the server and waits until it is ready.
func (s *server) start(ctx context.Context) (err error) {
	s.process, err = start(s.Name, s.log, s.binary, "--listen="+s.Address, "--admin-listen="+s.Admin,
		"--shutdown-delay="+shutdownDelay.String(), "--log-level=warn")
	if err != nil {
		return err
	}
	return s.process.await(ctx, "ready", func() bool {
		_, err := s.get(ctx, "/readyz")
		return err == nil
	})
}

// restart stops the server as an orchestrator does, starts it again, and waits until it has its part of
// the load again.
func (s *server) restart(ctx context.Context) error {
	if err := s.process.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-s.process.ended:
	case <-ctx.Done():
		return fmt.Errorf("it does not stop: %w", ctx.Err())
	}
	if state := s.process.cmd.ProcessState; !state.Success() {
		return fmt.Errorf("it stops with %v\n%s", state, s.process.tail())
	}
	if err := s.start(ctx); err != nil {
		return err
	}
	return s.awaitLoad(ctx)
}

// killAndStart kills the server and starts it again. It stands still before, so that calls are in
// flight. The times are those of the kill, and of when the server was certainly gone.
func (s *server) killAndStart(ctx context.Context) (from, to time.Time, err error) {
	if err := s.process.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		return from, to, err
	}
	time.Sleep(frozen)
	from = time.Now()
	s.process.kill()
	to = time.Now()
	time.Sleep(after)
	if err := s.start(ctx); err != nil {
		return from, to, err
	}
	return from, to, s.awaitLoad(ctx)
}

var answered = regexp.MustCompile(`(?m)^grpc_server_handled_total\{[^}]*grpc_code="OK"[^}]*grpc_method="ApplyMove"[^}]*\} [1-9]`)

// awaitLoad waits until this process has answered calls.
func (s *server) awaitLoad(ctx context.Context) error {
	return s.process.await(ctx, "answering calls", func() bool {
		metrics, err := s.get(ctx, "/metrics")
		return err == nil && answered.MatchString(metrics)
	})
}

// get gets a page of the admin port.
func (s *server) get(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Admin+path, nil)
	if err != nil {
		return "", err
	}
	request.Close = true
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.New(response.Status)
	}
	return string(body), err
}
