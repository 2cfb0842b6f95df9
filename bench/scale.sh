#!/usr/bin/env bash
# Many partitions, many connections, long logs. Needs 30 GiB of free disk; bench/scale.sh -Dscale.gib=16 for the longest log.
set -euo pipefail
cd "$(dirname "$0")/.."
exec mvn -B -ntp -Pscale verify -Dtest=NoSuch -Dsurefire.failIfNoSpecifiedTests=false "$@"
