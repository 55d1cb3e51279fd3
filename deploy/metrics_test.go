package deploy_test

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

var (
	//go:embed METRICS.md
	metricsPage string
	//go:embed RUNBOOK.md
	runbook string
	//go:embed prometheus/rules.yml
	rules string
	//go:embed prometheus/rules_test.yml
	rulesTest string
	//go:embed grafana/dashboard.json
	dashboard string
)

// documented returns the metrics of METRICS.md: the names in the first column of its tables.
func documented() map[string]bool {
	names := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*?) \\|").FindAllStringSubmatch(metricsPage, -1) {
		for _, name := range strings.Split(row[1], ", ") {
			names[strings.Trim(name, "`")] = true
		}
	}
	return names
}

// isDocumented reports whether a series' metric is documented, by its own name, by that of its
// histogram or summary, or by a family such as go_memstats_*.
func isDocumented(series string) bool {
	names := documented()
	for _, suffix := range []string{"", "_bucket", "_sum", "_count"} {
		if base, ok := strings.CutSuffix(series, suffix); ok && names[base] {
			return true
		}
	}
	for name := range names {
		if family, ok := strings.CutSuffix(name, "*"); ok && strings.HasPrefix(series, family) {
			return true
		}
	}
	return false
}

func TestDocumentedMetricsAreThoseOfARunningServer(t *testing.T) {
	admin := startServer(t)
	response, err := http.Get("http://" + admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	served := map[string]bool{"up": true, "ALERTS": true} // Prometheus' own
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "# TYPE "); ok {
			name, _, _ = strings.Cut(name, " ")
			served[name] = true
			if !isDocumented(name) {
				t.Errorf("METRICS.md lacks %s", name)
			}
		}
	}
	for name := range documented() {
		if family, ok := strings.CutSuffix(name, "*"); ok {
			for s := range served {
				served[name] = served[name] || strings.HasPrefix(s, family)
			}
		}
		if !served[name] {
			t.Errorf("METRICS.md has %s, which the server has not", name)
		}
	}
}

// startServer builds emergod, starts it, makes it count something of every kind, and returns its
// admin address.
func startServer(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "emergod")
	if output, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "../cmd/emergod").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	listen, admin := freeAddress(t), freeAddress(t)
	cmd := exec.CommandContext(t.Context(), binary, "--listen", listen, "--admin-listen", admin)
	cmd.Stderr = t.Output()
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() })

	conn, err := grpc.NewClient(listen, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	client := emergov1.NewRulesServiceClient(conn)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := client.Evaluate(ctx, &emergov1.EvaluateRequest{}, grpc.WaitForReady(true)); err != nil {
		t.Fatal(err)
	}
	for _, move := range []string{"e5", "?"} { // illegal, malformed
		if _, err := client.ApplyMove(ctx, &emergov1.ApplyMoveRequest{Move: move}); err == nil {
			t.Fatalf("%s is played", move)
		}
	}
	return admin
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// What is not a metric in a PromQL expression, in the order in which it is taken out.
var notMetrics = []*regexp.Regexp{
	regexp.MustCompile(`"[^"]*"`),                                          // strings
	regexp.MustCompile(`\{[^}]*\}`),                                        // label matchers
	regexp.MustCompile(`\[[^\]]*\]`),                                       // ranges
	regexp.MustCompile(`\b(by|without|on|ignoring|group_left) *\([^)]*\)`), // labels
	regexp.MustCompile(`\b[a-z_0-9]+ *\(`),                                 // functions
	regexp.MustCompile(`\b(sum|min|max|count|and|or|unless|offset)\b`),
	regexp.MustCompile(`\b[0-9][0-9.e]*[smhdw]?\b`), // numbers, durations
}

var name = regexp.MustCompile(`[a-zA-Z_:][a-zA-Z0-9_:]*`)

// metricsOf returns the names of the metrics in a PromQL expression.
func metricsOf(expr string) []string {
	for _, other := range notMetrics {
		expr = other.ReplaceAllString(expr, " ")
	}
	return name.FindAllString(expr, -1)
}

func TestMetricsOf(t *testing.T) {
	for expr, want := range map[string]string{
		`up{job="emergod"} == 0`: "[up]",
		`histogram_quantile(0.99, sum by (le) (rate(a_bucket{x=~"b|c", y="d"}[5m])))`:      "[a_bucket]",
		`min_over_time(a[1h]) > 2 * min_over_time(b[1h] offset 3h) and job:c:rate5m > 1e3`: "[a b job:c:rate5m]",
		`(a > 0) - time() < 14 * 86400`: "[a]",
	} {
		if got := fmt.Sprint(metricsOf(expr)); got != want {
			t.Errorf("%s has %s, want %s", expr, got, want)
		}
	}
}

var (
	alert  = regexp.MustCompile(`(?m)^ *- alert: (\S+)$`)
	record = regexp.MustCompile(`(?m)^ *- record: (\S+)$`)
	// An expression is on its key's line or, folded, on the deeper lines below it.
	expression = regexp.MustCompile(`(?m)^( *)expr: (?:>-((?:\n +.*)+?)\n *(?:labels|for|- record|$)|(.*)$)`)
)

func TestRulesUseDocumentedMetrics(t *testing.T) {
	recorded := names(record, rules)
	found := expression.FindAllStringSubmatch(rules, -1)
	if count := strings.Count(rules, "expr:"); len(found) != count || count == 0 {
		t.Fatalf("%d of %d expressions are found", len(found), count)
	}
	for _, e := range found {
		checkExpression(t, e[2]+e[3], recorded)
	}
}

func TestDashboardUsesDocumentedMetrics(t *testing.T) {
	var panels struct {
		Panels []struct {
			Title   string
			Type    string
			Targets []struct{ Expr string }
		}
		Templating struct {
			List []struct{ Type, Definition string }
		}
	}
	if err := json.Unmarshal([]byte(dashboard), &panels); err != nil {
		t.Fatal(err)
	}
	recorded := names(record, rules)
	for _, panel := range panels.Panels {
		if panel.Type != "row" && len(panel.Targets) == 0 {
			t.Errorf("%q shows nothing", panel.Title)
		}
		for _, target := range panel.Targets {
			checkExpression(t, target.Expr, recorded)
		}
	}
	for _, variable := range panels.Templating.List {
		if variable.Type == "query" {
			checkExpression(t, regexp.MustCompile(`, \w+\)$`).ReplaceAllString(variable.Definition, ")"), recorded)
		}
	}
}

func checkExpression(t *testing.T, expr string, recorded []string) {
	t.Helper()
	metrics := metricsOf(expr)
	if len(metrics) == 0 {
		t.Errorf("%s has no metric", expr)
	}
	for _, metric := range metrics {
		if !isDocumented(metric) && !slices.Contains(recorded, metric) {
			t.Errorf("%s has %s, which is neither in METRICS.md nor recorded by a rule", expr, metric)
		}
	}
}

// Every alert is explained, and shown to fire and not to fire.
func TestAlertsAreExplainedAndTested(t *testing.T) {
	explained := names(regexp.MustCompile(`(?m)^## (\S+)$`), runbook)
	alerts := names(alert, rules)
	for _, name := range alerts {
		if !slices.Contains(explained, name) {
			t.Errorf("RUNBOOK.md does not explain %s", name)
		}
		if !strings.Contains(rulesTest, "alertname: "+name+"\n        exp_alerts:") {
			t.Errorf("rules_test.yml does not show %s firing", name)
		}
		if !regexp.MustCompile(`alertname: ` + name + ` \}`).MatchString(rulesTest) {
			t.Errorf("rules_test.yml does not show %s not firing", name)
		}
	}
	for _, name := range explained {
		if !slices.Contains(alerts, name) {
			t.Errorf("RUNBOOK.md explains %s, which is no alert", name)
		}
	}
}

// names returns the first group of each match, each once.
func names(pattern *regexp.Regexp, text string) (names []string) {
	for _, match := range pattern.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, match[1]) {
			names = append(names, match[1])
		}
	}
	return names
}
