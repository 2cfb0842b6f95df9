#!/usr/bin/env bash
# Measures produce through a broker against a raw BookKeeper client on the same bookies; the table is printed and left in
# target/cluster-bench.md. Seconds per measurement: bench/cluster.sh -Dbench.seconds=5
set -euo pipefail
cd "$(dirname "$0")/.."
exec mvn -B -ntp -Pbench verify -Dit.test=ClusterBenchIT "$@"
