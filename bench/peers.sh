#!/usr/bin/env bash
# Measures target/keptlog.jar beside Redis (Debian: redis-server, redis-tools) and durable-streams (npm), in turns on this machine; the
# table is printed and left in target/peers.md. A peer that is not installed is left out, with a line that says so.
# Seconds per measurement: bench/peers.sh -Dbench.seconds=5
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p target/peers
(cd target/peers && npm install --silent --no-save --ignore-scripts @durable-streams/server@0.3.7) || echo "durable-streams could not be installed"
exec mvn -B -ntp -Pbench verify -Dtest=NoSuch -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=PeersIT "$@"
