#!/usr/bin/env bash
# The contract against a running server: schemathesis tries openapi.yaml, and a Python and a Java client generated from it do a round trip.
#
#   bench/contract.sh [fuzz|client]      both without an argument; needs target/keptlog.jar, python3 with venv, and PyPI
#
# FUZZ_SEED is the seed (default 1; it is printed), FUZZ_SECONDS the time (default 120). The tools are kept in target/contract.
set -euo pipefail
cd "$(dirname "$0")/.."

what=${1:-all}
seed=${FUZZ_SEED:-1}
seconds=${FUZZ_SECONDS:-120}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
for jdk in /usr/lib/jvm/*25*; do
    if [ -z "${JAVA_HOME:-}" ] && [ -x "$jdk/bin/java" ]; then java=$jdk/bin/java; fi
done
out=$PWD/target/contract
mkdir -p "$out"
if [ ! -x "$out/venv/bin/pip" ]; then
    python3 -m venv "$out/venv"
fi
"$out/venv/bin/pip" install -q --disable-pip-version-check -r bench/contract-requirements.txt || {
    echo "The contract was not tried: its tools cannot be installed from PyPI."
    exit 0
}

data=$(mktemp -d)
KEPTLOG_ROOT_USERNAME=root KEPTLOG_ROOT_PASSWORD=contract-1 "$java" -Xmx512m --enable-native-access=ALL-UNNAMED -jar target/keptlog.jar \
    --server.port=0 --keptlog.data-dir="$data/data" \
    --logging.level.org.springframework.boot.tomcat.TomcatWebServer=info > "$out/server.log" 2>&1 &
server=$!
trap 'kill $server 2> /dev/null || true; wait $server 2> /dev/null || true; rm -rf "$data"' EXIT
port=
for _ in $(seq 1 600); do
    port=$(sed -n 's/.*Tomcat started on port \([0-9]*\).*/\1/p' "$out/server.log" | head -1)
    [ -z "$port" ] || break
    kill -0 $server || { cat "$out/server.log"; exit 1; }
    sleep 0.2
done
[ -n "$port" ] || { echo "the server did not start"; cat "$out/server.log"; exit 1; }
url=http://127.0.0.1:$port

if [ "$what" != client ]; then
    # A user of the tool's own: what it makes of root's password and tokens must not end the run.
    curl -fsS -o /dev/null -u root:contract-1 "$url/users" -H 'Content-Type: application/json' -d '{"username": "fuzz",
        "password": "contract-2", "status": "active", "permissions": {"global": {"manage_servers": true, "read_servers": true,
        "manage_users": false, "read_users": true, "manage_streams": true, "read_streams": true, "manage_topics": true,
        "read_topics": true, "poll_messages": true, "send_messages": true}, "streams": null}}'
    # Something to read, under the names that the examples of the document use.
    for body in '/streams {"name": "orders"}' \
        '/streams/orders/topics {"name": "events", "partitions_count": 3, "compression_algorithm": "none", "message_expiry": 0, "max_topic_size": 0}' \
        '/streams/orders/topics/events/messages {"partitioning": {"kind": "partition_id", "value": "AAAAAA=="}, "messages": [{"payload": "aGVsbG8="}]}'; do
        curl -fsS -o /dev/null -u root:contract-1 "$url${body%% *}" -H 'Content-Type: application/json' -d "${body#* }"
    done
    echo "schemathesis: seed $seed, $seconds s"
    (cd "$out" && PYTHONPATH=../../bench SCHEMATHESIS_HOOKS=contract_hooks venv/bin/st run ../../openapi.yaml --url "$url" --auth fuzz:contract-2 --seed "$seed" --phases examples,coverage,fuzzing \
        --max-examples 20 --max-time "$seconds" --workers 2 --request-timeout 15 --continue-on-failure --warnings off \
        --checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance) \
        2>&1 | tee "$out/schemathesis.log"
    if grep -q ' ERROR ' "$out/server.log"; then
        echo "the server has logged an error:"
        grep ' ERROR ' "$out/server.log" | head -20
        exit 1
    fi
fi

if [ "$what" != fuzz ]; then
    rm -rf "$out/client"
    PATH="$(dirname "$(command -v "$java")"):$PATH" "$out/venv/bin/openapi-generator-cli" generate -g python -i openapi.yaml \
        -o "$out/client" --additional-properties=packageName=keptlog_client > "$out/generator.log" 2>&1 \
        || { tail -40 "$out/generator.log"; exit 1; }
    "$out/venv/bin/pip" install -q --disable-pip-version-check "$out/client"
    "$out/venv/bin/python" bench/contract-client.py "$url" root contract-1

    # The command of docs/live.md, as it stands there.
    rm -rf "$out/java-client"
    generate=$(sed -n 's|^target/contract/venv/bin/openapi-generator-cli |"$out/venv/bin/openapi-generator-cli" |p' docs/live.md)
    PATH="$(dirname "$(command -v "$java")"):$PATH" eval "$generate" >> "$out/generator.log" 2>&1 || { tail -40 "$out/generator.log"; exit 1; }
    if mvn -q -B -ntp -f "$out/java-client/pom.xml" -Dmaven.test.skip=true package > "$out/java-client.log" 2>&1; then
        "$java" -cp "$out/java-client/target/classes:$out/java-client/target/lib/*" bench/ContractClient.java "$url" root contract-1
    else
        tail -40 "$out/java-client.log"
        exit 1
    fi
fi
