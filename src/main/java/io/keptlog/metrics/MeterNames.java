// SPDX-License-Identifier: Apache-2.0
package io.keptlog.metrics;

/** Every meter's name. Tags have few values each: no names, ids or addresses of clients. */
final class MeterNames {
    private MeterNames() {}

    // --- the store ---
    /** Timer, tags reason and outcome: one force of a log or a journal. */
    static final String SYNC = "keptlog.sync";
    /** Distribution: writers released by one sync, the size of the ack group. */
    static final String SYNC_GROUP = "keptlog.sync.group";
    /** Counter: partitions and journals fenced since the start. */
    static final String FENCED = "keptlog.fenced";
    /** Counter: segments sealed. */
    static final String SEGMENTS_SEALED = "keptlog.segments.sealed";
    /** Counter: writes refused by a full disk. */
    static final String NO_SPACE = "keptlog.no.space";
    /** Timer: recovery of one partition. */
    static final String RECOVERY = "keptlog.recovery";
    /** Counter, bytes: read by recovery. */
    static final String RECOVERY_READ = "keptlog.recovery.read";
    /** Counter: recovery reports made since the start. */
    static final String RECOVERY_REPORTS = "keptlog.recovery.reports";

    // --- what a power cut could take now ---
    static final String AT_RISK_MESSAGES = "keptlog.at.risk.messages";
    /** Gauge, bytes. */
    static final String AT_RISK_BYTES = "keptlog.at.risk";
    /** Gauge, seconds. */
    static final String AT_RISK_AGE = "keptlog.at.risk.age";

    // --- what there is ---
    static final String PARTITIONS = "keptlog.partitions";
    /** Gauge: what does not work until somebody acts. */
    static final String FAULTS = "keptlog.faults";

    // --- the use cases ---
    /** Timer, tag durability: produce from its append to its acknowledgement. */
    static final String PUBLISH_LATENCY = "keptlog.publish.latency";
    /** Counter, tag durability. */
    static final String PRODUCED_MESSAGES = "keptlog.produced.messages";
    /** Counter, bytes, tag durability. */
    static final String PRODUCED_BYTES = "keptlog.produced";
    /** Counter. */
    static final String POLLED_MESSAGES = "keptlog.polled.messages";
    /** Counter: offsets of polls that could not be stored along the way. */
    static final String AUTO_COMMIT_FAILED = "keptlog.auto.commit.failed";
    /** Counter, tag reason. */
    static final String SEGMENTS_DELETED = "keptlog.segments.deleted";
    /** Counter, bytes, tag reason. */
    static final String SEGMENTS_DELETED_BYTES = "keptlog.segments.deleted.size";

    // --- of Spring ---
    /** Timer of every HTTP request. */
    static final String HTTP_REQUESTS = "http.server.requests";

    static final String TAG_REASON = "reason";
    static final String TAG_OUTCOME = "outcome";
    static final String TAG_DURABILITY = "durability";
    static final String UNIT_BYTES = "bytes";
    static final String UNIT_SECONDS = "seconds";
}
