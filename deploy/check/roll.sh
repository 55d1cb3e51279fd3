#!/usr/bin/env bash
# Proves that rolling restarts lose no call, behind haproxy and with clients that balance, and counts the
# calls that are lost when a server is killed; see roll/main.go.
# Needs Debian, root and Go; installs haproxy through apt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

command -v haproxy >/dev/null || {
  apt-get update -qq
  # The package would start a haproxy of its own where services are started.
  DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -qq --no-install-recommends haproxy >/dev/null
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
go build -o "$scratch/emergod" ./cmd/emergod
# It ends the processes that it starts, however it ends itself.
go run ./deploy/check/roll -emergod "$scratch/emergod" \
  -service-config deploy/service_config.json -proxy-service-config deploy/service_config_proxy.json -scratch "$scratch"
