#!/usr/bin/env bash
# Simulated histories of the store, counted up over runs.
#
#   bench/histories.sh [SECONDS] [PROCESSES]     runs for so long (default 600) in so many processes (default: one for each core)
#
# Each process takes blocks of 1,000 seeds that nobody has taken. What was done is added to target/histories/sum.txt after each block: histories,
# failures, seconds, first seed. A failing seed is kept with its stack in target/histories/failures.txt; repeat one with
#   bench/histories.sh seed N
# KEPTLOG_HISTORIES names another directory for the sums.
set -euo pipefail
cd "$(dirname "$0")/.."

java=${JAVA_HOME:+$JAVA_HOME/bin/}java
for jdk in /usr/lib/jvm/*25*; do
    if [ -z "${JAVA_HOME:-}" ] && [ -x "$jdk/bin/java" ]; then java=$jdk/bin/java; fi
done
out=${KEPTLOG_HISTORIES:-target/histories}
mkdir -p "$out"
if [ ! -f "$out/classpath.txt" ] || [ pom.xml -nt "$out/classpath.txt" ]; then
    mvn -q -B -ntp -Pquick test-compile dependency:build-classpath -Dmdep.outputFile="$out/classpath.txt.new" > /dev/null
    mv "$out/classpath.txt.new" "$out/classpath.txt"
fi
classpath="${KEPTLOG_CLASSES:-target/test-classes:target/classes}:$(cat "$out/classpath.txt")"
run=("$java" -Xmx512m -XX:+UseSerialGC -XX:-OmitStackTraceInFastThrow --enable-native-access=ALL-UNNAMED
    --add-opens java.base/java.lang=ALL-UNNAMED -Djdk.trackAllThreads=false -cp "$classpath"
    io.keptlog.storage.history.Histories)

if [ "${1:-}" = seed ]; then
    exec "${run[@]}" "$2" 1
fi

seconds=${1:-600}
processes=${2:-$(nproc)}
touch "$out/sum.txt" "$out/failures.txt"
for ((i = 0; i < processes; i++)); do "${run[@]}" sum "$out" "$seconds" & done
for process in $(jobs -p); do
    wait "$process" || [ $? = 1 ] || echo "process $process ended early"
done
awk '{ n += $1; f += $2; s += $3 } END { printf "%d histories, %d failed, %.0f seconds of one process each\n", n, f, s }' "$out/sum.txt"
[ "$(awk '{ f += $2 } END { print f + 0 }' "$out/sum.txt")" = 0 ]
