# SPDX-License-Identifier: Apache-2.0
# Four stages: build the jar, link a Java runtime of only the modules it needs, start once to learn what a start loads (JEP 514: half of the
# start-up time), put all of it on a plain Debian.
#
#   docker build -t keptlog .
#   docker run --read-only --tmpfs /tmp -v keptlog:/data -p 127.0.0.1:3000:3000 keptlog
#
# Runs as user 10001 on a read-only root; everything that is kept lies in the volume /data. SIGTERM reaches the JVM directly (exec form)
# and the stop takes at most 8 s, below the 10 s that container engines wait.

FROM docker.io/library/maven:3.9-eclipse-temurin-25 AS build
WORKDIR /build
COPY pom.xml ./
COPY src/main src/main
# With a list of its parts (CycloneDX). Unpacked: starts faster than the one jar, and libraries become a layer of their own.
RUN --mount=type=cache,target=/root/.m2 \
    mvn -B -ntp -q -Psbom -DskipTests -Dspotless.check.skip package \
 && java -Djarmode=tools -jar target/keptlog.jar extract --destination /app

FROM docker.io/library/eclipse-temurin:25-jdk AS runtime
RUN jlink --output /opt/jre --no-header-files --no-man-pages --compress=zip-6 \
    --add-modules java.base,java.compiler,java.desktop,java.instrument,java.logging,java.management,java.management.rmi,java.naming,java.net.http,java.prefs,java.rmi,java.scripting,java.security.jgss,java.security.sasl,java.sql,java.transaction.xa,java.xml,jdk.crypto.ec,jdk.jcmd,jdk.jfr,jdk.management,jdk.management.jfr,jdk.net,jdk.unsupported,jdk.zipfs

FROM runtime AS trained
COPY --from=build /app /app
# Leaves when everything is there to serve, before it would listen.
RUN /opt/jre/bin/java -XX:AOTCacheOutput=/app/keptlog.aot -Dspring.context.exit=onRefresh -jar /app/keptlog.jar \
    --server.port=0 --keptlog.data-dir=/tmp/training

FROM docker.io/library/debian:13-slim
LABEL org.opencontainers.image.title="Keptlog" \
      org.opencontainers.image.description="A message log over HTTP whose every acknowledgement says what it has survived" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=runtime /opt/jre /opt/jre
COPY --from=trained /app/lib /app/lib
COPY --from=trained /app/keptlog.jar /app/keptlog.jar
COPY --from=trained /app/keptlog.aot /app/keptlog.aot
COPY LICENSE /app/LICENSE
# The volume takes over the owner of this directory.
RUN install -d -o 10001 -g 10001 -m 0750 /data
USER 10001:10001
WORKDIR /app
VOLUME /data
EXPOSE 3000
ENV SERVER_ADDRESS=0.0.0.0 \
    SERVER_PORT=3000 \
    KEPTLOG_DATA_DIR=/data \
    JAVA_TOOL_OPTIONS=""
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
    CMD ["/opt/jre/bin/java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx32m", "-jar", "/app/keptlog.jar", "health"]
# The heap gets two fifths of the container's memory. The JVM takes about 170 MB besides, the health check some; the rest is for pages of
# segments, which the kernel counts to the container as well. Native memory that was used once is given back every ten seconds.
# Without the cache, or with one that does not fit, it starts as well.
ENTRYPOINT ["/opt/jre/bin/java", "-XX:AOTCache=/app/keptlog.aot", "-XX:MaxRAMPercentage=40", "-XX:TrimNativeHeapInterval=10000", "-XX:+ExitOnOutOfMemoryError", "-jar", "/app/keptlog.jar"]
