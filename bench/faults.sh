#!/usr/bin/env bash
# The real thing, again and again: kills, power cuts, failing syncs and full disks, summed up over runs.
#
#   bench/faults.sh kills ROUNDS     SIGKILL under load
#   bench/faults.sh cuts ROUNDS      an ext4 on a loop device that loses power (root)
#   bench/faults.sh syncs ROUNDS     the n-th sync fails, n from 1 to ROUNDS (root, strace)
#   bench/faults.sh full ROUNDS      a disk that fills up (root)
#   bench/faults.sh                  what was reached so far
#
# Each round that was checked is a line of target/faults/sum.txt, so a run that is ended early still counts. A run that fails leaves its log
# beside it and a line that names it. Build the jar before: mvn -Pquick package -DskipTests.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${KEPTLOG_FAULTS:-target/faults}
mkdir -p "$out"
out=$(cd "$out" && pwd)
touch "$out/sum.txt"

run() {
    local kind=$1 rounds=$2 test=$3
    local log="$out/$kind.$(date +%s).log"
    if mvn -B -ntp -o -Pquick,ci toolchains:select-jdk-toolchain@default failsafe:integration-test@default failsafe:verify@default -Dit.test="$test" \
        -Dkeptlog.rounds="$rounds" -Dkeptlog.rounds.file="$out/sum.txt" > "$log" 2>&1; then
        rm -f "$log"
    else
        echo "$kind failed $(date -u +%FT%TZ) $log" >> "$out/sum.txt"
    fi
}

case "${1:-}" in
    kills) run kills "$2" 'KillUnderLoadIT#fiftyKillsLoseNothingAcknowledged' ;;
    cuts) run cuts "$2" PowerCutIT ;;
    syncs) run syncs "$2" 'SyncFailureIT#aSyncThatFailsAtAnyPlaceTakesNothingAcknowledged' ;;
    full) run full "$2" 'FullDiskIT#fillingUpAgainAndAgainLosesNothing' ;;
    "") ;;
    *) sed -n '2,9p' "$0"; exit 2 ;;
esac
awk '{ n[$1 " " $2]++ } END { for (k in n) print k, n[k] }' "$out/sum.txt" | sort
! grep -q ' failed ' "$out/sum.txt"
