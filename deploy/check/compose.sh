#!/usr/bin/env bash
# Checks compose.yaml with the library of Docker Compose. Needs Go; the library is pinned in deploy/tools.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../tools"

go run ./composefile ../compose.yaml
echo 'pass: compose.yaml is valid, what it mounts is there, images are pinned, ports are on loopback'
