package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// Run with this variable set, the test binary is emergod.
const asCommand = "EMERGOD_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	if signal.Ignored(syscall.SIGHUP) { // as under nohup, which commands that are tested must not inherit
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	os.Exit(m.Run())
}

func command(t testing.TB, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

var serving = regexp.MustCompile(`msg="serving (?:gRPC" address=|HTTP" url=)(\S+)`)

// startCommand starts emergod on free ports and returns where it serves, and the rest of its log.
func startCommand(t testing.TB, cmd *exec.Cmd) (address, metrics string, log io.ReadCloser) {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	lines := bufio.NewReader(stderr)
	for _, place := range []*string{&address, &metrics} {
		line, err := lines.ReadString('\n')
		found := serving.FindStringSubmatch(line)
		if found == nil {
			t.Fatalf("emergod says %q (%v)", line, err)
		}
		*place = found[1]
	}
	return address, metrics, struct {
		io.Reader
		io.Closer
	}{lines, stderr}
}

func TestServesAndStopsOnSIGTERM(t *testing.T) {
	cmd := command(t, "--listen=127.0.0.1:0")
	cmd.Env = append(cmd.Env, "EMERGOD_ADMIN_LISTEN=127.0.0.1:0")
	address, metrics, log := startCommand(t, cmd)

	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	applied, err := emergov1.NewRulesServiceClient(conn).ApplyMove(t.Context(), &emergov1.ApplyMoveRequest{Move: "c3"})
	if err != nil || applied.GetState().GetPosition() != "9/9/9/9/9/9/2A@6/9/9 b 1 11,12" {
		t.Errorf("the answer is %v, %v", applied, err)
	}
	response, err := http.Get(metrics)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("%s answers %s", metrics, response.Status)
	}

	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(log)
	if err := cmd.Wait(); err != nil {
		t.Errorf("emergod exits with %v:\n%s", err, rest)
	}
	if !strings.Contains(string(rest), "msg=stopped") {
		t.Errorf("the log ends with %s", rest)
	}
}

func TestBadSettings(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"--listen=nowhere"}, "--listen"},
		{[]string{"--log-format=xml"}, "--log-format"},
		{[]string{"--log-level=loud"}, "--log-level"},
		{[]string{"--drain-timeout=soon"}, "--drain-timeout"},
		{[]string{"--drain-timeout=-1s"}, "--drain-timeout"},
		{[]string{"--port=1"}, "unknown flag"},
		{[]string{"server"}, "unexpected argument"},
	} {
		cmd := command(t, c.args...)
		var output bytes.Buffer
		cmd.Stdout, cmd.Stderr = &output, &output
		done := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		err := cmd.Run()
		done.Stop()
		if err == nil || !strings.Contains(output.String(), c.says) {
			t.Errorf("%v: %v, and it says %q, want %q", c.args, err, output.String(), c.says)
		}
	}
}
