// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.domain.Limits;
import io.keptlog.http.edge.HttpLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Everything that can be set about Keptlog. Nothing needs to be: each property has a default. The constructor checks limits and
 * relations; what it refuses stops the start with one line.
 *
 * @param dataDir directory that holds everything; made when it is absent
 * @param writeTimeout how long a write may wait for its durability before the answer is "outcome unknown"; keep it below the time-out of clients
 * @param flushAge age limit of unsynced messages: bounds in time what a power cut can take from replicated topics
 * @param retentionInterval how often topics are looked at for segments that are too old or too much
 * @param maxRequestBody largest request body; for ndjson, largest line
 * @param maxBytesInFlight memory that request bodies in work may take, server-wide; beyond it writes get 503 server_busy
 * @param maxWritesInFlightPerUser produce requests of one user that may be in work at once; beyond it they get 429
 * @param maxConnectionsPerAddress connections that one address may hold; the next one is closed at once; absent = three quarters of all
 * @param accessLog stdout, or a directory for one file of JSON lines a day; absent = no access log
 * @param allowedOrigins origins of browser pages that may call the API (CORS); empty = none
 * @param rootUsername name of the first user of a new store; set it together with root-password
 * @param rootPassword password of the first user of a new store; set it together with root-username
 * @param live streams of events and polls that wait
 * @param scrub reading of sealed segments again, in the background
 * @param cluster quorums over several machines
 */
@ConfigurationProperties("keptlog")
public record KeptlogProperties(
        @DefaultValue("./data") Path dataDir,
        @DefaultValue("5s") Duration writeTimeout,
        @DefaultValue("1s") Duration flushAge,
        @DefaultValue("1m") Duration retentionInterval,
        @DefaultValue("2000000B") DataSize maxRequestBody,
        @Nullable DataSize maxBytesInFlight,
        @DefaultValue("1024") int maxWritesInFlightPerUser,
        @Nullable Integer maxConnectionsPerAddress,
        @Nullable String accessLog,
        @DefaultValue List<String> allowedOrigins,
        @Nullable String rootUsername,
        @Nullable String rootPassword,
        @DefaultValue Live live,
        @DefaultValue Scrubbing scrub,
        @DefaultValue Cluster cluster) {

    /**
     * Streams of events, and polls that wait.
     *
     * @param maxReaders of the server at once; keep it below server.tomcat.max-connections, so that writers find a place; absent = what
     *     the heap has room for
     * @param maxReadersPerUser of one user at once; absent = nine tenths of that
     * @param heartbeat a stream is silent no longer than this
     * @param stallTimeout a reader that has not taken what was written last after this is cut
     */
    public record Live(
            @Nullable Integer maxReaders,
            @Nullable Integer maxReadersPerUser,
            @DefaultValue("15s") Duration heartbeat,
            @DefaultValue("20s") Duration stallTimeout) {
        private static final Duration MIN = Duration.ofMillis(100);
        private static final Duration MAX = Duration.ofMinutes(5);

        public Live {
            if (isBelowOne(maxReaders) || isBelowOne(maxReadersPerUser)) {
                throw refused("live.max-readers", "and live.max-readers-per-user must be at least 1");
            }
            requireBetween("live.heartbeat", heartbeat, MIN, MAX);
            requireBetween("live.stall-timeout", stallTimeout, MIN, MAX);
        }

        /** Readers at once: as configured, else what the heap has room for. */
        public int readers() {
            return maxReaders != null ? maxReaders : HeapShares.ofThisProcess().liveReaders();
        }

        /** Those of one user. */
        public int readersPerUser() {
            return maxReadersPerUser != null
                    ? maxReadersPerUser
                    : HeapShares.ofThisProcess().liveReadersPerUser();
        }
    }

    /**
     * Reading of sealed segments again, in the background, so that damage is found early.
     *
     * @param rate bytes per second that are read; 0 turns it off
     * @param every a pass over all segments does not begin sooner than this after the one before it began
     */
    public record Scrubbing(@DefaultValue("4MB") DataSize rate, @DefaultValue("7d") Duration every) {
        private static final Duration EVERY_MIN = Duration.ofMillis(10);
        private static final Duration EVERY_MAX = Duration.ofDays(365);

        public Scrubbing {
            if (rate.isNegative()) {
                throw refused("scrub.rate", "is negative; 0 turns the scrub off");
            }
            requireBetween("scrub.every", every, EVERY_MIN, EVERY_MAX);
        }
    }

    /**
     * A cluster, when it is configured.
     *
     * @param metadataUri where the cluster keeps its metadata, as in zk:host:2181; absent = one node with its own files
     * @param bookkeeperUri where BookKeeper keeps its metadata; absent = /ledgers in the same ZooKeeper
     * @param brokerName stays the same over restarts, different on every broker; absent = the advertised address
     * @param advertisedAddress host:port under which clients reach this broker; absent = server.address and server.port
     * @param peerHost address on which other brokers connect to this one: on a network that only brokers are on
     * @param peerPort port of the same; 0 = any free one
     * @param ensembleSize E of streams that name none: bookies a ledger is striped over
     * @param writeQuorum Qw of streams that name none: bookies each entry is written to
     * @param ackQuorum Qa of streams that name none: bookies that must have synced an entry before it is acknowledged
     * @param sessionTimeout a broker that is silent for so long loses its partitions
     * @param pendingBytes entries that bookies have not answered yet, over all partitions; beyond it writes get 503
     * @param auditRate bytes of copies that this broker reads in a second, in the background, to know how many there are
     * @param minRacksPerWriteQuorum racks over which the copies of an entry are spread, or Qw when that is less
     * @param enforceMinRacks whether a ledger that cannot be spread so is not made; else it is made as well as it can be
     */
    public record Cluster(
            @Nullable String metadataUri,
            @Nullable String bookkeeperUri,
            @Nullable String brokerName,
            @Nullable String advertisedAddress,
            @DefaultValue("127.0.0.1") String peerHost,
            @DefaultValue("0") int peerPort,
            @DefaultValue("2") int ensembleSize,
            @DefaultValue("2") int writeQuorum,
            @DefaultValue("2") int ackQuorum,
            @DefaultValue("8s") Duration sessionTimeout,
            @DefaultValue("64MB") DataSize pendingBytes,
            @DefaultValue("8MB") DataSize auditRate,
            @DefaultValue("2") int minRacksPerWriteQuorum,
            @DefaultValue("false") boolean enforceMinRacks) {}

    private static final Duration WRITE_TIMEOUT_MIN = Duration.ofMillis(100);
    private static final Duration WRITE_TIMEOUT_MAX = Duration.ofMinutes(1);
    private static final Duration FLUSH_AGE_MIN = Duration.ofMillis(10);
    private static final Duration FLUSH_AGE_MAX = Duration.ofHours(1);
    private static final Duration RETENTION_INTERVAL_MIN = Duration.ofMillis(10);
    private static final Duration RETENTION_INTERVAL_MAX = Duration.ofDays(1);
    private static final long REQUEST_BODY_MIN_BYTES = 1024;

    public KeptlogProperties {
        allowedOrigins = List.copyOf(allowedOrigins);
        if (dataDir.toString().isBlank()) {
            throw refused("data-dir", "is empty");
        }
        requireBetween("write-timeout", writeTimeout, WRITE_TIMEOUT_MIN, WRITE_TIMEOUT_MAX);
        requireBetween("flush-age", flushAge, FLUSH_AGE_MIN, FLUSH_AGE_MAX);
        requireBetween("retention-interval", retentionInterval, RETENTION_INTERVAL_MIN, RETENTION_INTERVAL_MAX);
        long body = maxRequestBody.toBytes();
        if (body < REQUEST_BODY_MIN_BYTES || body > Limits.BATCH_MAX_BYTES) {
            throw refused(
                    "max-request-body",
                    "is " + body + " bytes, must be from " + REQUEST_BODY_MIN_BYTES + " to " + Limits.BATCH_MAX_BYTES);
        }
        if (maxBytesInFlight != null && maxBytesInFlight.toBytes() < HttpLimits.heldBy(body)) {
            throw refused(
                    "max-bytes-in-flight",
                    "is " + maxBytesInFlight.toBytes()
                            + " bytes, less than the " + HttpLimits.heldBy(body)
                            + " that one request body of keptlog.max-request-body (" + body
                            + ") takes: every write of that size would be refused");
        }
        if (maxWritesInFlightPerUser < 1) {
            throw refused("max-writes-in-flight-per-user", "is " + maxWritesInFlightPerUser + ", must be at least 1");
        }
        if (isBelowOne(maxConnectionsPerAddress)) {
            throw refused("max-connections-per-address", "is " + maxConnectionsPerAddress + ", must be at least 1");
        }
        if (accessLog != null && accessLog.isBlank()) {
            throw refused("access-log", "is empty: say stdout or a directory");
        }
        allowedOrigins.forEach(KeptlogProperties::requireOrigin);
        if ((rootUsername == null) != (rootPassword == null)) {
            throw refused(
                    rootUsername == null ? "root-password" : "root-username",
                    "is set alone: set both KEPTLOG_ROOT_USERNAME and KEPTLOG_ROOT_PASSWORD, or none");
        }
    }

    /** Memory of request bodies in work: as configured, else a quarter of the heap, at least what one body needs. */
    public long bytesInFlight() {
        return maxBytesInFlight != null
                ? maxBytesInFlight.toBytes()
                : HeapShares.ofThisProcess().bodyBytes(maxRequestBody.toBytes());
    }

    private static boolean isBelowOne(@Nullable Integer number) {
        return number != null && number < 1;
    }

    @Override
    public String toString() {
        return "KeptlogProperties[" + dataDir + "]";
    }

    private static void requireBetween(String name, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw refused(
                    name,
                    "is " + value.toMillis() + " ms, must be from " + min.toMillis() + " to " + max.toMillis() + " ms");
        }
    }

    private static void requireOrigin(String origin) {
        if (!origin.matches("https?://[^/?#\\s]+")) {
            throw refused("allowed-origins", "has '" + origin + "', an origin looks like https://console.example.org");
        }
    }

    private static ConfigurationRefused refused(String name, String why) {
        return new ConfigurationRefused("keptlog." + name + " " + why + ".");
    }
}
