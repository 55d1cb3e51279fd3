#!/usr/bin/env bash
# Builds deploy/Dockerfile and runs what comes out: non-root, on a read-only root file system.
# Needs Debian, root, and a Go that go.mod accepts; installs buildah, busybox and git through apt. No
# daemon and no registry: the build stage's base image is made of this machine's Go.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

installed() { command -v buildah && command -v git && [[ -x /bin/busybox && -s /etc/ssl/certs/ca-certificates.crt ]]; }
installed >/dev/null || {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends buildah busybox-static ca-certificates git >/dev/null
}

scratch=$(mktemp -d)
# Isolation that needs no namespaces; Docker's format, for the health check.
export BUILDAH_ISOLATION=chroot BUILDAH_FORMAT=docker
# Storage of its own, so that the check leaves nothing behind and sees nothing from before.
buildah() { command buildah --storage-driver vfs --root "$scratch/storage" --runroot "$scratch/run" "$@"; }
server=
cleanup() {
  [[ -z $server ]] || kill -9 "$server" 2>/dev/null || true
  buildah umount --all >/dev/null 2>&1 || true
  rm -rf "$scratch"
}
trap cleanup EXIT
pass() { echo "pass: $*"; }
fail() { echo "FAIL: $*" >&2; exit 1; }
unset GOFLAGS # -buildvcs=false would take the version away

# The build stage's base: Go, git, certificates and a shell, with the libraries that git needs.
base=$scratch/base
mkdir -p "$base"/{bin,tmp,root,etc/ssl/certs,usr/local/go}
cp /bin/busybox "$base/bin/" # applets of busybox need no copies
for applet in sh cat env uname; do ln -s busybox "$base/bin/$applet"; done
cp --parents -L "$(command -v git)" "$base"
ldd "$(command -v git)" | grep -o '/[^ ]*' | xargs -I{} cp --parents -L {} "$base"
cp -L /etc/ssl/certs/ca-certificates.crt "$base/etc/ssl/certs/"
cp -a "$(go env GOROOT)"/{bin,pkg,src,lib,VERSION,go.env} "$base/usr/local/go/"
from=$(buildah from scratch)
buildah copy -q "$from" "$base" / >/dev/null
buildah config --env PATH=/usr/local/go/bin:/usr/bin:/bin --env GOTOOLCHAIN=local \
  --env "GOPROXY=$(go env GOPROXY)" --env "GONOSUMDB=$(go env GONOSUMDB)" --env "GOSUMDB=$(go env GOSUMDB)" "$from"
buildah commit -q "$from" localhost/go:here >/dev/null
buildah rm "$from" >/dev/null
rm -rf "$base"

revision=$(git rev-parse HEAD)
# This machine's module cache is lent, to be quick and to ask nobody; the build writes to none of it.
go mod download
buildah bud -q -f deploy/Dockerfile -t emergod --pull-never \
  --volume "$(go env GOMODCACHE):/root/go/pkg/mod:O" \
  --build-arg BUILD_BASE=localhost/go:here --build-arg "REVISION=$revision" --build-arg VERSION=check . >"$scratch/build.log" 2>&1 ||
  { cat "$scratch/build.log"; fail 'the image does not build'; }
pass 'deploy/Dockerfile builds'

config=$(buildah inspect --type image emergod)

config() { buildah inspect --type image --format "{{$1}}" emergod; }
[[ $(config .OCIv1.Config.User) == 65532:65532 ]] || fail "the user is $(config .OCIv1.Config.User)"
[[ $(config .OCIv1.Config.Entrypoint) == '[/emergod]' ]] || fail "the entry point is $(config .OCIv1.Config.Entrypoint)"
[[ $(config .Docker.Config.Healthcheck.Test) == '[CMD /emergod healthcheck]' ]] || fail "the health check is $(config .Docker.Config.Healthcheck.Test)"
[[ $(config .OCIv1.Config.Labels) == *org.opencontainers.image.revision:$revision* ]] || fail "the labels are $(config .OCIv1.Config.Labels)"
pass 'user 65532, entry point, health check and labels are set'

container=$(buildah from --pull-never emergod)
root=$(buildah mount "$container")
(cd "$root" && find . -type f -printf '%10s bytes  %M  %p\n')
[[ $(cd "$root" && find . -type f | sort | tr '\n' ' ') == './emergod ./etc/ssl/certs/ca-certificates.crt ' ]] ||
  fail 'the image holds other files'
[[ $(find "$root" -perm /6000 -print -quit) == '' ]] || fail 'the image holds setuid files'
pass "the image holds the binary and CA certificates, no shell, no libraries: $(du -sb "$root" | awk '{ printf "%.1f MB", $1 / 1e6 }')"
if ldd "$root/emergod" >/dev/null 2>&1; then fail 'the binary is not static'; fi
pass 'the binary is static'

# From here on as a container would run it: the image's root file system, read-only, its user, no
# capabilities, and no /proc, /dev or /tmp to fall back on; the image's own settings come first.
cat >"$scratch/inside" <<'INSIDE'
set -e
root=$1; shift
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
if touch "$root/x" 2>/dev/null; then echo 'the root file system is writable' >&2; exit 99; fi
exec setpriv --no-new-privs chroot --userspec=65532:65532 --groups= "$root" /emergod "$@"
INSIDE
mapfile -t environment < <(config 'range .OCIv1.Config.Env}}{{println .}}{{end' | grep EMERGOD)
inside() {
  exec env -i PATH="$PATH" "${environment[@]}" "${settings[@]}" unshare --mount sh "$scratch/inside" "$root" "$@"
}

settings=()
status=0
(inside serve) >"$scratch/log" 2>&1 || status=$?
if ((status != 78)) || ! grep -q insecure "$scratch/log"; then cat "$scratch/log"; fail "unguarded, it exits $status"; fi
pass 'unguarded, it refuses to listen beyond loopback, and exits with 78'

settings=(EMERGOD_LISTEN=127.0.0.1:20251 EMERGOD_ADMIN_LISTEN=127.0.0.1:20264)
(inside) >"$scratch/log" 2>&1 &
server=$!
for ((i = 0; i < 100; i++)); do
  if (inside healthcheck) >"$scratch/health" 2>&1; then break; fi
  sleep 0.1
done
((i < 100)) || { cat "$scratch/log" "$scratch/health"; fail 'healthcheck never passes'; }
pass 'emergod healthcheck, run in the image, finds it serving'
[[ -d /proc/$server ]] || { cat "$scratch/log"; fail 'it is gone'; }
user=$(awk '/^Uid/ { print $2 }' "/proc/$server/status")
capabilities=$(awk '/^CapEff/ { print $2 }' "/proc/$server/status")
[[ $user == 65532 && $capabilities =~ ^0+$ ]] || fail "it runs as $user with capabilities $capabilities"
pass 'it runs as 65532, without capabilities, on a read-only root'

position=$(EMERGO_ADDR=127.0.0.1:20251 go run ./cmd/emergo apply start c3)
[[ $position == '9/9/9/9/9/9/2A@6/9/9 b 1 11,12' ]] || fail "it answers $position"
pass 'it answers a call'
exec 3<>/dev/tcp/127.0.0.1/20264
printf 'GET /metrics HTTP/1.0\r\n\r\n' >&3
version=$(grep -o '^emergod_build_info{.*version="[^"]*"' <&3 | sed 's/.*[{,]version="//; s/"//')
commit=${revision:0:12}
[[ $version == *"$commit"* || $(git tag --points-at HEAD) == *"${version%%+*}"* ]] || fail "its version is ${version:-unknown}"
pass "its version is $version"

kill -TERM "$server"
status=0
wait "$server" || status=$?
server=
((status == 0)) || { cat "$scratch/log"; fail "SIGTERM makes it exit with $status"; }
pass 'SIGTERM stops it with exit code 0'
