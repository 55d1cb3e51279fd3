#!/usr/bin/env bash
# Checks the systemd unit: it is understood, it is as hardened as it says, and a stop is given enough time.
# Needs Debian, root and Go; installs systemd (for systemd-analyze; it need not run) and strace through apt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

command -v systemd-analyze >/dev/null && command -v strace >/dev/null || {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends systemd strace >/dev/null
}
unit=deploy/systemd/emergod.service
scratch=$(mktemp -d)
tracer=
trap '[[ -z $tracer ]] || kill "$tracer" 2>/dev/null; rm -rf "$scratch"' EXIT

# A root that has what the unit refers to.
mkdir -p "$scratch"/root/{usr/local/bin,etc/systemd/system,etc/default}
cp -r --parents /usr/lib/systemd/system "$scratch/root"
ln -s usr/lib "$scratch/root/lib"
CGO_ENABLED=0 go build -o "$scratch/root/usr/local/bin/emergod" ./cmd/emergod
cp "$unit" "$scratch/root/etc/systemd/system/"
systemd-analyze verify --root="$scratch/root" --man=no --recursive-errors=no emergod.service >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
[[ ! -s $scratch/log ]] || { cat "$scratch/log"; exit 1; }
echo "pass: systemd-analyze verify"

# The score is in tenths, 0 is best; a unit without any hardening has 96.
systemd-analyze security --offline=yes --root="$scratch/root" --threshold=15 --no-pager emergod.service >"$scratch/log" || { cat "$scratch/log"; exit 1; }
echo "pass: $(tail -n 1 "$scratch/log" | sed 's/^[^A-Za-z]*//')"

emergod=$scratch/root/usr/local/bin/emergod
"$emergod" config check >"$scratch/settings"
# Of a setting, as systemd reads "1m30s" too.
seconds() { systemd-analyze timespan "$(sed -n "s/^$1: //p" "$scratch/settings")" | awk '/μs:/ { print $2 / 1e6 }'; }
timeout=$(sed -n 's/^TimeoutStopSec=//p' "$unit")
needed=$(($(seconds shutdown-delay) + $(seconds drain-timeout)))
((timeout >= needed + 10)) || { echo "FAIL: TimeoutStopSec=$timeout, but a stop takes up to ${needed}s"; exit 1; }
echo "pass: TimeoutStopSec=$timeout leaves time for a stop of ${needed}s"

status=0
EMERGOD_LISTEN=nowhere "$emergod" serve 2>/dev/null || status=$?
prevented=$(sed -n 's/^RestartPreventExitStatus=//p' "$unit")
((status == prevented)) || { echo "FAIL: wrong settings exit with $status, RestartPreventExitStatus=$prevented"; exit 1; }
echo "pass: wrong settings exit with $status, which is not restarted"

# The system calls of a server that starts, answers and stops must pass the filter. (A denied one fails
# with EPERM, which the Go runtime does not always survive.)
calls() {
  systemd-analyze --no-pager syscall-filter "$1" | awk 'NR > 1 && $1 !~ /^#/ { print $1 }' | while read -r call; do
    if [[ $call == @* ]]; then calls "$call"; else echo "$call"; fi
  done
}
{ calls @privileged; calls @resources; } | sort -u >"$scratch/denied"
calls @system-service | sort -u | comm -23 - "$scratch/denied" >"$scratch/allowed"
EMERGOD_LISTEN=127.0.0.1:20252 EMERGOD_ADMIN_LISTEN=127.0.0.1:20265 \
  strace -f -qq -o "$scratch/strace" "$emergod" serve 2>/dev/null &
tracer=$!
for ((i = 0; i < 100; i++)); do
  if EMERGO_ADDR=127.0.0.1:20252 go run ./cmd/emergo apply start c3 >/dev/null 2>&1; then break; fi
  sleep 0.1
done
exec 3<>/dev/tcp/127.0.0.1/20265
printf 'GET /metrics HTTP/1.0\r\n\r\n' >&3
grep -q '^process_resident_memory_bytes' <&3
kill -TERM "$(awk 'NR == 1 { print $1 }' "$scratch/strace")"
wait "$tracer"
tracer=
grep -oP '^\d+ +\K[a-z0-9_]+(?=\()' "$scratch/strace" | sort -u | grep -vx execve >"$scratch/used"
comm -23 "$scratch/used" "$scratch/allowed" >"$scratch/over"
[[ ! -s $scratch/over ]] || { echo "FAIL: the filter denies $(xargs <"$scratch/over")"; exit 1; }
echo "pass: all $(wc -l <"$scratch/used") system calls that it made pass the filter"
