#!/usr/bin/env bash
# The real thing, again and again: kills, power cuts, failing syncs and full disks, summed up over runs.
#
#   bench/faults.sh kills ROUNDS     SIGKILL under load
#   bench/faults.sh cuts ROUNDS      a file system that loses power (root)
#   bench/faults.sh syncs TIMES      a sync that fails (root, strace)
#   bench/faults.sh full TIMES       a disk that fills up (root)
#   bench/faults.sh                  what was reached so far
#
# Each line of target/faults/sum.txt is one run: kind, rounds, passed or failed, date. Build the jar before: mvn -Pquick package -DskipTests.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${KEPTLOG_FAULTS:-target/faults}
mkdir -p "$out"
touch "$out/sum.txt"

# One run of a system test against the jar that is there.
run() {
    local kind=$1 rounds=$2 test=$3
    local log="$out/$kind.$(date +%s).log"
    if mvn -q -B -ntp -o -Pquick,ci failsafe:integration-test@default failsafe:verify@default -Dit.test="$test" \
        -DargLine="-Dkeptlog.rounds=$rounds" > "$log" 2>&1; then
        echo "$kind $rounds passed $(date -u +%FT%TZ)" >> "$out/sum.txt"
        rm -f "$log"
    else
        echo "$kind $rounds failed $(date -u +%FT%TZ) $log" >> "$out/sum.txt"
    fi
}

case "${1:-}" in
    kills) run kills "$2" 'KillUnderLoadIT#fiftyKillsLoseNothingAcknowledged' ;;
    cuts) run cuts "$2" PowerCutIT ;;
    syncs) for ((i = 0; i < $2; i++)); do run syncs 1 SyncFailureIT; done ;;
    full) for ((i = 0; i < $2; i++)); do run full 1 FullDiskIT; done ;;
esac
awk '{ n[$1 " " $3] += $2 } END { for (k in n) print k, n[k] }' "$out/sum.txt" | sort
! grep -q ' failed ' "$out/sum.txt"
