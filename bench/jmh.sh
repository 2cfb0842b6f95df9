#!/usr/bin/env bash
# Runs the JMH benchmarks of the parts: bench/jmh.sh [regular expression] [options of JMH]
set -euo pipefail
cd "$(dirname "$0")/.."
mvn -q -B -ntp test-compile dependency:build-classpath -Dmdep.outputFile=target/jmh.classpath -Dmdep.includeScope=test
java="${JAVA_HOME:+$JAVA_HOME/bin/}java"
exec "$java" --enable-native-access=ALL-UNNAMED -cp "target/test-classes:target/classes:$(cat target/jmh.classpath)" org.openjdk.jmh.Main "$@"
