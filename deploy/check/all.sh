#!/usr/bin/env bash
# Runs every check of deploy/. Needs Debian, root and Go; the rest is installed through apt or pinned in
# deploy/tools.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

failed=()
echo '==> go test ./deploy'
go test .. || failed+=('go test ./deploy')
for check in compose kubernetes systemd prometheus image roll; do
  echo "==> $check"
  bash "./$check.sh" || failed+=("$check")
done
if ((${#failed[@]})); then
  echo "FAILED: ${failed[*]}"
  exit 1
fi
echo "all checks of deploy/ passed in ${SECONDS}s"
