package main

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
	"github.com/luctor-et-emergo/emergod/service/server"
)

func TestWrongCommandLines(t *testing.T) {
	dead := deadAddr(t) // a wrong line never gets so far as to ask
	tests := []struct {
		name, args, says string
	}{
		{"no such command", "ply", `did you mean one of "apply", "play"?`},
		{"no such flag", "moves --prefx=c3", `did you mean "--prefix"?`},
		{"flag of another command", "perft --json 3", "unknown flag --json"},
		{"no such board", "new --board=8x8", "--board: it must be 9x9 or 7x7"},
		{"no such ending", "new --blocked=win", "--blocked: it must be draw or loss"},
		{"limit is no number", "new --no-progress-limit=x", "--no-progress-limit: "},
		{"no time to answer", "new --timeout=0s", "--timeout: it must be a time, 1ms or more"},
		{"time without a unit", "eval --time 5", "--time: it must be a time from 0 to 10m, as in 500ms or 2s"},
		{"value forgotten at the end", "new --board", "--board: it needs a value"},
		{"value forgotten before a flag", "eval --nodes --json", "--nodes: it needs a value"},
		{"argument too many", "new game", "unexpected argument game"},
		{"no move to apply", "apply", "at least one move"},
		{"no move to apply to a position", "apply 9/9/9/9/9/9/9/9/9 w 0 12,12", "at least one move"},
		{"moves after standard input", "moves - c3", "nothing may follow it"},
		{"two uses of standard input", "play -", "must be on the command line"},
		{"standard input for analyze", "analyze -", "takes one game"},
		{"standard input for perft", "perft - 3", "takes one game"},
		{"standard input for prove", "prove -", "takes one game"},
		{"perft without depth", "perft", "needs a depth"},
		{"perft with a move for a depth", "perft c3", "needs a depth"},
		{"perft too deep", "perft 100", "needs a depth"},
		{"control characters", "\x1b[2J", `unexpected argument \x1b[2J`},
		{"not UTF-8", "\xff", "unexpected argument \uFFFD"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := emergoAt(dead, "", strings.Fields(test.args)...)
			if got.status != exitUsage || got.out != "" || !strings.Contains(got.err, test.says) {
				t.Errorf("got %+v, want status %d and %q", got, exitUsage, test.says)
			}
			if !regexp.MustCompile(`\nemergo: try: emergo( [a-z]+)? --help\n$`).MatchString(got.err) {
				t.Errorf("%q does not end with where help is", got.err)
			}
		})
	}
}

func TestAddress(t *testing.T) {
	for _, addr := range []string{"", "nowhere", "127.0.0.1", "127.0.0.1:"} {
		if got := emergoAt(addr, "", "new"); got.status != exitUsage || !strings.Contains(got.err, "it must be HOST:PORT") {
			t.Errorf("%q: %+v", addr, got)
		}
	}
	for _, port := range []string{"0", "-1", "65536", "99999", "no-such-service"} {
		if got := emergoAt("127.0.0.1:"+port, "", "new"); got.status != exitUsage || !strings.Contains(got.err, "its port must be a number from 1 to 65535") {
			t.Errorf("port %s: %+v", port, got)
		}
	}
	addr, _ := startServer(t)
	t.Setenv("EMERGO_ADDR", addr)
	var out, stderr bytes.Buffer
	if status := run(context.Background(), []string{"new"}, nil, &out, &stderr); status != exitOK {
		t.Errorf("EMERGO_ADDR is not used: %d %s", status, &stderr)
	}
}

func TestHelp(t *testing.T) {
	t.Setenv("COLUMNS", "80")
	commands := []string{""}
	for command := range pages {
		commands = append(commands, command)
	}
	for _, command := range commands {
		var out, stderr bytes.Buffer
		args := append(strings.Fields(command), "--help")
		if status := run(context.Background(), args, nil, &out, &stderr); status != exitOK || stderr.Len() > 0 {
			t.Errorf("%q: status %d, %s", command, status, &stderr)
		}
		for line := range strings.Lines(out.String()) {
			if len(strings.TrimSuffix(line, "\n")) > 80 {
				t.Errorf("%q: too wide: %q", command, line)
			}
		}
	}

	var out bytes.Buffer
	run(context.Background(), []string{"--help"}, nil, &out, &out)
	for _, says := range []string{server.DefaultConfig().Listen, "Exit status:", "Examples:", "$EMERGO_ADDR"} {
		if !strings.Contains(out.String(), says) {
			t.Errorf("the help lacks %q", says)
		}
	}
}

// What can be written after without= need not be guessed.
func TestHelpNamesTechniques(t *testing.T) {
	var out bytes.Buffer
	run(context.Background(), []string{"match", "--help"}, nil, &out, &out)
	_, list, _ := strings.Cut(out.String(), "Techniques: ")
	list, _, _ = strings.Cut(list, ".\n")
	list = strings.Join(strings.Fields(list), " ")
	if got := strings.Split(list, ", "); !slices.Equal(got, search.Techniques()) {
		t.Errorf("the help names %q, want %q", got, search.Techniques())
	}
}

func TestNoArguments(t *testing.T) {
	var out, stderr bytes.Buffer
	if status := run(context.Background(), nil, nil, &out, &stderr); status != exitUsage || out.Len() > 0 || !strings.HasPrefix(stderr.String(), "Usage: ") {
		t.Errorf("status %d, %q, %q", status, &out, &stderr)
	}
}

func TestVersion(t *testing.T) {
	var out, stderr bytes.Buffer
	if status := run(context.Background(), []string{"--version"}, nil, &out, &stderr); status != exitOK || !strings.HasPrefix(out.String(), "emergo ") {
		t.Errorf("status %d, %q, %q", status, &out, &stderr)
	}
}

// What the help shows must work.
func TestExamples(t *testing.T) {
	addr, _ := startServer(t)
	example := regexp.MustCompile(`(?m)^  (emergo|echo) .*`)
	for command, p := range pages {
		for _, line := range example.FindAllString(p.more, -1) {
			args := shellWords(line)
			stdin := "c3 e3\nstart c3\n"
			if args[0] == "echo" {
				args = args[len(args)-3:]
			}
			if args[1] == "play" {
				stdin = "c3\nquit\n"
			}
			if got := emergoAt(addr, stdin, args[1:]...); got.status != exitOK {
				t.Errorf("%s: %s: %+v", command, strings.TrimSpace(line), got)
			}
		}
	}
}

// shellWords splits a line as a shell would, without redirections and what is set off by two spaces.
func shellWords(line string) (words []string) {
	line, _, _ = strings.Cut(strings.TrimSpace(line), "  ")
	for _, match := range regexp.MustCompile(`"([^"]*)"|([^" ]+)`).FindAllStringSubmatch(line, -1) {
		if word := match[1] + match[2]; word[0] != '<' {
			words = append(words, word)
		}
	}
	return words
}
