package main

import (
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/luctor-et-emergo/emergod/service/emergorules"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// checked runs emergod config check and returns the settings it prints.
func checked(t *testing.T, env []string, args ...string) map[string]string {
	t.Helper()
	stdout, stderr, status := run(t, env, append([]string{"config", "check"}, args...)...)
	if status != exitOK {
		t.Fatalf("config check exits with %d: %s", status, stderr)
	}
	settings := map[string]string{}
	var lines map[string]any
	if err := yaml.Unmarshal([]byte(stdout), &lines); err != nil {
		t.Fatalf("%v:\n%s", err, stdout)
	}
	for name, value := range lines {
		settings[name] = fmt.Sprint(value)
	}
	return settings
}

// unusual returns settings none of which is the default.
func unusual(t *testing.T) map[string]string {
	t.Helper()
	crt, key := certificate(t)
	var c settings
	c.Server = server.Config{
		Listen: "127.0.0.2:7", AdminListen: "127.0.0.3:7", TLSCert: crt, TLSKey: key, TLSClientCA: crt,
		Tokens:    file(t, "tokens", "alice sha256:"+strings.Repeat("ab", 32)+"\n"),
		LogFormat: "json", LogLevel: slog.LevelWarn + 1, OTLPEndpoint: "http://127.0.0.1:7/path",
		TraceSampleRatio: 0.25,
	}
	c.Rules = emergorules.Config{Tables: tablesFile(t, 2), EvaluateMemory: 70}
	setFields(t, reflect.ValueOf(&c.Server).Elem())
	setFields(t, reflect.ValueOf(&c.Rules).Elem())
	named := c.byName()
	for name, usual := range defaults().byName() {
		if named[name] == usual {
			t.Fatalf("%s is the default", name)
		}
	}
	return named
}

// setFields gives each field a value that has none.
func setFields(t *testing.T, value reflect.Value) {
	t.Helper()
	for i := range value.NumField() {
		field := value.Field(i)
		switch {
		case !field.IsZero():
		case field.Type() == reflect.TypeFor[time.Duration]():
			field.SetInt(int64(7 * time.Second))
		case field.CanInt():
			field.SetInt(7)
		case field.CanUint():
			field.SetUint(7)
		case field.CanFloat():
			field.SetFloat(7.25)
		case field.Kind() == reflect.Bool:
			field.SetBool(true)
		default:
			t.Fatalf("the test has no value for %s", value.Type().Field(i).Name)
		}
	}
}

func asFlags(settings map[string]string) (args []string) {
	for name, value := range settings {
		args = append(args, "--"+name+"="+value)
	}
	return args
}

// asEnvironment leaves out what is empty: such variables are refused.
func asEnvironment(settings map[string]string) (env []string) {
	for name, value := range settings {
		if value == "" {
			continue
		}
		env = append(env, "EMERGOD_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))+"="+value)
	}
	return env
}

func asFile(t *testing.T, settings map[string]string) (arg string) {
	t.Helper()
	content, err := yaml.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	return "--config=" + file(t, "emergod.yaml", string(content))
}

// over returns settings with those of above that are not empty in their place.
func over(settings, above map[string]string) map[string]string {
	merged := maps.Clone(settings)
	for name, value := range above {
		if value != "" {
			merged[name] = value
		}
	}
	return merged
}

// differences names the settings that differ.
func differences(got, want map[string]string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if value, ok := got[name]; !ok || value != want[name] {
			names = append(names, fmt.Sprintf("%s is %q, not %q", name, value, want[name]))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			names = append(names, "there is "+name)
		}
	}
	return names
}

// Each setting is a flag, an environment variable and a key of the settings file. A flag goes before
// a variable, a variable before the file, the file before the default.
func TestEachSettingThreeWays(t *testing.T) {
	usual, unusual := defaults().byName(), unusual(t)
	if fields := reflect.TypeFor[server.Config]().NumField() + reflect.TypeFor[emergorules.Config]().NumField(); len(usual) != fields || len(unusual) != fields {
		t.Fatalf("%d fields, but %d and %d settings", fields, len(usual), len(unusual))
	}
	for _, c := range []struct {
		name  string
		env   []string
		args  []string
		wants map[string]string
	}{
		{"defaults", nil, nil, usual},
		{"the defaults as flags", nil, asFlags(usual), usual},
		{"the defaults as variables", asEnvironment(usual), nil, usual},
		{"the defaults as a file", nil, []string{asFile(t, usual)}, usual},
		{"an empty file", nil, []string{"--config=" + file(t, "empty.yaml", "")}, usual},
		{"a file of comments", nil, []string{"--config=" + file(t, "empty.yaml", "# listen: 1.2.3.4:5\n")}, usual},
		{"flags", nil, asFlags(unusual), unusual},
		{"variables", asEnvironment(unusual), nil, unusual},
		{"a file", nil, []string{asFile(t, unusual)}, unusual},
		{"a file named by a variable", []string{"EMERGOD_CONFIG=" + strings.TrimPrefix(asFile(t, unusual), "--config=")}, nil, unusual},
		{"variables before a file", asEnvironment(usual), []string{asFile(t, unusual)}, over(unusual, usual)},
		{"unusual variables before a file", asEnvironment(unusual), []string{asFile(t, usual)}, unusual},
		{"flags before variables", asEnvironment(unusual), asFlags(usual), usual},
		{"unusual flags before variables", asEnvironment(usual), asFlags(unusual), unusual},
		{"flags before a file", nil, append(asFlags(usual), asFile(t, unusual)), usual},
		{"flags before both", asEnvironment(usual), append(asFlags(unusual), asFile(t, usual)), unusual},
	} {
		t.Run(c.name, func(t *testing.T) {
			if wrong := differences(checked(t, c.env, c.args...), c.wants); wrong != nil {
				t.Errorf("%s", strings.Join(wrong, "\n"))
			}
		})
	}
}

// What config check prints is a settings file that says the same, whatever the values look like.
func TestCheckPrintsASettingsFile(t *testing.T) {
	for _, settings := range []map[string]string{defaults().byName(), unusual(t)} {
		stdout, stderr, status := run(t, nil, append([]string{"config", "check"}, asFlags(settings)...)...)
		if status != exitOK {
			t.Fatal(stderr)
		}
		if lines := strings.Count(stdout, "\n"); lines != len(settings) {
			t.Errorf("%d settings take %d lines", len(settings), lines)
		}
		again, _, _ := run(t, nil, "config", "check", "--config="+file(t, "printed.yaml", stdout))
		if again != stdout {
			t.Errorf("read again the settings are\n%s\nnot\n%s", again, stdout)
		}
	}
	for _, value := range []string{
		"007", "1e3", "1.0", "0x10", "true", "null", "~", "", "a: b", "a #b", "'", `"`, "- a", "[a]", "{a}", "&a", "*a", "!a", "%a", "@a", "line\nline", " a ", "é",
	} {
		printed := "otlp-endpoint: " + quoted(value)
		var read map[string]any
		if err := yaml.Unmarshal([]byte(printed), &read); err != nil || fmt.Sprint(read["otlp-endpoint"]) != value {
			t.Errorf("%q is printed as %q and read as %v, %v", value, printed, read["otlp-endpoint"], err)
		}
	}
}

// What the settings grant, config check does not take: no machine has so much memory.
func TestCheckTakesNoMemory(t *testing.T) {
	settings := checked(t, nil, "--evaluate-memory=1048576", "--evaluate-slots=1")
	if got := settings["evaluate-memory"]; got != "1048576" {
		t.Errorf("evaluate-memory is %s", got)
	}
}

func TestCheckMasksSecrets(t *testing.T) {
	stdout, stderr, status := run(t, nil, "config", "check", "--otlp-endpoint=http://user:hunter2@127.0.0.1:4317")
	if status != exitOK || strings.Contains(stdout+stderr, "hunter2") || strings.Contains(stdout+stderr, "user") {
		t.Errorf("it exits with %d and says %s%s", status, stdout, stderr)
	}
}

// What is wrong with a settings file is said with the name of the setting.
func TestBadSettingsFile(t *testing.T) {
	for content, says := range map[string]string{
		"lisen: 127.0.0.1:0":                            "lisen",
		"Listen: 127.0.0.1:0":                           "Listen",
		"max_in_flight: 7":                              "max_in_flight",
		"config: other.yaml":                            "config",
		"help: true":                                    "help",
		"version: true":                                 "version",
		"tls:\n  cert: tls.crt":                         `"tls"`,
		"listen: [127.0.0.1:0]":                         "--listen",
		"listen:\n  host: 127.0.0.1":                    "--listen",
		"max-in-flight: many":                           "--max-in-flight",
		"max-in-flight: 1.5":                            "--max-in-flight",
		"max-in-flight: 99999999999999999999":           "--max-in-flight",
		"max-concurrent-streams: -1":                    "--max-concurrent-streams",
		"client-rate: often":                            "--client-rate",
		"client-rate: .nan":                             "--client-rate",
		"insecure: maybe":                               "--insecure",
		"drain-timeout: 20":                             "--drain-timeout", // of what?
		"drain-timeout: soon":                           "--drain-timeout",
		"log-level: loud":                               "--log-level",
		"log-format: xml":                               "--log-format",
		"listen: 0.0.0.0:0":                             "--listen",
		"listen: a:0\nlisten: b:0":                      "listen",
		"- listen":                                      "settings file",
		"listen: 127.0.0.1:0\n---\nlisten: 0.0.0.0:0\n": "settings file",
		"listen: 'unfinished":                           "settings file",
		"tokens:":                                       "--tokens",
		"tls-cert: ~":                                   "--tls-cert",
		"max-request-bytes: 9223372036854775807":        "--max-request-bytes",
		"listen: 127.0.0.1:99999":                       "--listen",
		"evaluate-slots: -1":                            "--evaluate-slots",
		"evaluate-queue: -1":                            "--evaluate-queue",
		"evaluate-memory: 0":                            "--evaluate-memory",
		"evaluate-memory: 1\nevaluate-slots: 1024":      "--evaluate-memory",
		"evaluate-max-time: 0s":                         "--evaluate-max-time",
		"evaluate-max-time: 11m":                        "--evaluate-max-time",
		"evaluate-max-nodes: 0":                         "--evaluate-max-nodes",
		"evaluate-max-nodes: 1000000001":                "--evaluate-max-nodes",
		"tables: /nowhere/9x9.tables":                   "--tables",
		"admin-listen: 127.0.0.1:nowhere":               "--admin-listen",
		"admin-listen: 0.0.0.0:0\npprof: true":          "--pprof",
	} {
		_, stderr, status := run(t, nil, "config", "check", "--config="+file(t, "emergod.yaml", content))
		first, _, _ := strings.Cut(stderr, "\n")
		if status != exitConfig || !strings.Contains(first, says) {
			t.Errorf("%q: it exits with %d and says %q, want %s", content, status, stderr, says)
		}
	}
	_, stderr, status := run(t, nil, "config", "check", "--config=/nowhere/emergod.yaml")
	if status != exitConfig || !strings.Contains(stderr, "/nowhere/emergod.yaml") {
		t.Errorf("without the file it exits with %d and says %q", status, stderr)
	}
}

// A bad variable is named as such.
func TestBadVariable(t *testing.T) {
	for variable, says := range map[string]string{
		"EMERGOD_MAX_IN_FLIGHT=many": "EMERGOD_MAX_IN_FLIGHT",
		"EMERGOD_DRAIN_TIMEOUT=soon": "EMERGOD_DRAIN_TIMEOUT",
		"EMERGOD_LOG_FORMAT=xml":     "--log-format",
		"EMERGOD_LISTEN=0.0.0.0:0":   "--listen",
		"EMERGOD_TOKENS=":            "EMERGOD_TOKENS",
		"EMERGOD_TLS_CLIENT_CA=":     "EMERGOD_TLS_CLIENT_CA",
	} {
		_, stderr, status := run(t, []string{variable}, "config", "check")
		if status != exitConfig || !strings.Contains(stderr, says) {
			t.Errorf("%s: it exits with %d and says %q", variable, status, stderr)
		}
	}
}

// A file that a setting names is read by config check as by the server.
func TestBadFileOfASetting(t *testing.T) {
	crt, key := certificate(t)
	for setting, args := range map[string][]string{
		"--tokens":        {"--tokens=" + file(t, "tokens", "alice hunter2\n")},
		"--tls-cert":      {"--tls-cert=" + crt, "--tls-key=" + crt},
		"--tls-client-ca": {"--tls-cert=" + crt, "--tls-key=" + key, "--tls-client-ca=" + key},
		"--tables":        {"--tables=" + tablesFile(t, 2) + "," + crt},
	} {
		for _, command := range [][]string{{"config", "check"}, {"--listen=127.0.0.1:0", "--admin-listen="}} {
			_, stderr, status := run(t, nil, append(command, args...)...)
			if status != exitConfig || !strings.HasPrefix(stderr, "emergod: "+setting+": ") || strings.Count(stderr, "\n") != 1 || strings.Contains(stderr, "hunter2") {
				t.Errorf("%s %s: it exits with %d and says %q", command, setting, status, stderr)
			}
		}
	}
}
