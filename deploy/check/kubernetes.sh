#!/usr/bin/env bash
# Checks the Kubernetes manifests without a cluster: kustomize builds them, kubectl-validate holds them
# against the API server's own schemas, and ../tools/manifests checks that they fit each other.
# Needs Go; the tools are pinned in deploy/tools.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../tools"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# ServiceMonitor is the Prometheus Operator's: kubectl-validate knows no schema for it, manifests does.
without_service_monitor() { awk 'BEGIN { RS = ORS = "---\n" } !/\nkind: ServiceMonitor\n/ && NF'; }

for dir in base overlays/mtls; do
  go tool kustomize build "../kubernetes/$dir" >"$scratch/all.yaml"
  without_service_monitor <"$scratch/all.yaml" >"$scratch/core.yaml"
  objects=$(grep -c '^kind:' "$scratch/core.yaml")
  # The oldest version with the fields used, and the newest whose schemas the tool has.
  for version in 1.27 1.30; do
    go tool kubectl-validate --version "$version" "$scratch/core.yaml" >"$scratch/log" 2>&1 ||
      { cat "$scratch/log"; exit 1; }
    echo "pass: $dir: $objects objects are valid in Kubernetes $version"
  done
  go run ./manifests <"$scratch/all.yaml"
  echo "pass: $dir: selectors, ports, grace period and restricted security fit"
done
