#!/usr/bin/env bash
# Checks Prometheus' configuration and rules, runs the rules' unit tests, and then the real thing: a
# Prometheus with this configuration scrapes a running emergod, a query returns the calls that were made,
# and an induced fault makes an alert fire.
# Needs Debian, root and Go; installs prometheus, jq and curl through apt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

installed() { command -v promtool && command -v prometheus && command -v jq && command -v curl; }
installed >/dev/null || {
  apt-get update -qq
  # The package would start a Prometheus of its own where services are started.
  DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -qq --no-install-recommends prometheus jq curl >/dev/null
}
scratch=$(mktemp -d)
pids=()
cleanup() {
  ((${#pids[@]} == 0)) || kill "${pids[@]}" 2>/dev/null || true
  wait
  rm -rf "$scratch"
}
trap cleanup EXIT
pass() { echo "pass: $*"; }
fail() { echo "FAIL: $*" >&2; exit 1; }
quietly() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "$*"; }; }

quietly promtool check config deploy/prometheus/prometheus.yml
quietly promtool check rules deploy/prometheus/rules.yml
pass "promtool check config, check rules: $(grep -o '[0-9]* rules found' "$scratch/log")"
quietly promtool test rules deploy/prometheus/rules_test.yml
pass "promtool test rules: $(grep -c '^  - name: ' deploy/prometheus/rules_test.yml) tests"

# The dashboard's queries, as rules, with Grafana's variables filled in: promtool says whether they parse.
jq -r '.panels[].targets[]?.expr' deploy/grafana/dashboard.json |
  sed 's/\$__rate_interval/5m/g; s/\$__range/1h/g; s/\$job/emergod/g; s/\$instance/.*/g' |
  jq -R '{record: "dashboard:query\(input_line_number)", expr: .}' | jq -s '{groups: [{name: "dashboard", rules: .}]}' >"$scratch/dashboard.yml"
quietly promtool check rules "$scratch/dashboard.yml"
pass "the dashboard's queries parse: $(jq '.groups[0].rules | length' "$scratch/dashboard.yml")"

# The configuration as it is, but for where the server is and how often it is asked. The ports are below those
# that connections are given.
admin=127.0.0.1:20266 prometheus=127.0.0.1:20290
cp deploy/prometheus/*.yml "$scratch"
sed -i "s/emergod:9464/$admin/; s/_interval: 15s/_interval: 1s/" "$scratch/prometheus.yml"
go build -o "$scratch/" ./cmd/emergod ./cmd/emergo
start_server() {
  "$scratch/emergod" --listen 127.0.0.1:20253 --admin-listen "$admin" 2>"$scratch/emergod.log" &
  server=$!
}
start_server
prometheus --config.file="$scratch/prometheus.yml" --storage.tsdb.path="$scratch/data" --web.listen-address="$prometheus" 2>"$scratch/prometheus.log" &
pids=("$server" $!)
query() { curl -sf "$prometheus/api/v1/query" --data-urlencode "query=$1" | jq -r '.data.result[0].value[1] // "nothing"'; }
eventually() { # what, query, value
  local got=
  for ((i = 0; i < 300; i++)); do
    got=$(query "$2") || true
    [[ $got == "$3" ]] && { pass "$1"; return; }
    sleep 0.5
  done
  tail -n 5 "$scratch/prometheus.log" "$scratch/emergod.log"
  fail "$1: $2 is $got, want $3"
}
eventually 'Prometheus scrapes emergod' 'up{job="emergod"}' 1
for _ in 1 2 3; do EMERGO_ADDR=127.0.0.1:20253 "$scratch/emergo" apply start c3 >/dev/null; done
if EMERGO_ADDR=127.0.0.1:20253 "$scratch/emergo" apply start e5 2>/dev/null; then fail 'the centre is entered first'; fi
eventually 'a query returns the calls made' 'sum(grpc_server_handled_total{grpc_method="ApplyMove", grpc_code="OK"})' 3
eventually 'and the move refused' 'sum(emergo_refused_moves_total)' 1
[[ $(curl -sf "$prometheus/api/v1/rules" | jq '[.data.groups[].rules[] | select(.health == "err")] | length') == 0 ]] || fail 'rules have errors'
eventually 'no rule has an error; nothing fires' 'count(ALERTS) or vector(0)' 0
kill -9 "$server"
wait "$server" 2>/dev/null || true
eventually 'the server is killed: after two minutes EmergodDown fires' 'sum(ALERTS{alertname="EmergodDown", alertstate="firing"})' 1
eventually 'and EmergodAllDown' 'sum(ALERTS{alertname="EmergodAllDown", alertstate="firing"})' 1
start_server
pids[0]=$server
eventually 'it is back: they end' 'count(ALERTS) or vector(0)' 0
