#!/usr/bin/env bash
# Measures target/keptlog.jar against end points that do nothing; the table is printed and left in target/bench.md.
# Seconds per measurement: bench/run.sh -Dbench.seconds=5
set -euo pipefail
cd "$(dirname "$0")/.."
exec mvn -B -ntp -Pbench verify -Dit.test='BenchIT,AuthenticationCostIT' "$@"
