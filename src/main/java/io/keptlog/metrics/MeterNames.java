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

    /** Counter, bytes: of sealed segments, read again in the background. */
    static final String SCRUBBED = "keptlog.scrub.read";
    /** Counter: sealed segments that were found damaged by it. */
    static final String SCRUB_DAMAGE = "keptlog.scrub.damaged";
    /** Gauge: recovery reports that nobody has resolved. */
    static final String OPEN_REPORTS = "keptlog.recovery.open.reports";
    /** Gauge, bytes. */
    static final String QUARANTINE = "keptlog.quarantine";
    /** Gauge, seconds: median of a small write and its sync when the disk was last tried. */
    static final String DISK_SYNC = "keptlog.disk.sync";
    /** Gauge: reasons to doubt the disk. */
    static final String DISK_DOUBTS = "keptlog.disk.doubts";

    // --- what a power cut could take now ---
    static final String AT_RISK_MESSAGES = "keptlog.at.risk.messages";
    /** Gauge, bytes. */
    static final String AT_RISK_BYTES = "keptlog.at.risk";
    /** Gauge, seconds. */
    static final String AT_RISK_AGE = "keptlog.at.risk.age";

    /** The same of each topic, tags stream and topic (ids), and of each partition, tag partition as well: bounded in number. */
    static final String TOPIC_AT_RISK_MESSAGES = "keptlog.topic.at.risk.messages";

    static final String TOPIC_AT_RISK_BYTES = "keptlog.topic.at.risk";
    static final String TOPIC_AT_RISK_AGE = "keptlog.topic.at.risk.age";
    static final String PARTITION_AT_RISK_MESSAGES = "keptlog.partition.at.risk.messages";
    static final String PARTITION_AT_RISK_BYTES = "keptlog.partition.at.risk";
    static final String PARTITION_AT_RISK_AGE = "keptlog.partition.at.risk.age";

    // --- what there is ---
    /** Gauge: streams of events and polls that wait. */
    static final String LIVE_READERS = "keptlog.live.readers";

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

    // --- a cluster: by stream (its id), of the partitions that the broker owns ---
    static final String BELOW_WRITE_QUORUM = "keptlog.stream.below.write.quorum.messages";

    static final String AT_ACK_QUORUM = "keptlog.stream.at.ack.quorum.messages";
    static final String BELOW_ACK_QUORUM = "keptlog.stream.below.ack.quorum.messages";
    static final String LOST = "keptlog.stream.lost.messages";
    static final String UNAUDITED = "keptlog.stream.unaudited.messages";

    // --- a cluster: by bookie ---
    static final String BOOKIE_UP = "keptlog.bookie.status";
    static final String BOOKIE_ANSWERS = "keptlog.bookie.answers";
    static final String BOOKIE_FORCE_QUEUE = "keptlog.bookie.force.write.queue";
    static final String BOOKIE_ADDS = "keptlog.bookie.adds.in.progress";
    /** Gauge, seconds. */
    static final String BOOKIE_ADD_TIME = "keptlog.bookie.add";
    /** Gauge, seconds, tag quantile. */
    static final String BOOKIE_JOURNAL_SYNC = "keptlog.bookie.journal.sync";

    static final String BOOKIE_UNDER_REPLICATED = "keptlog.bookie.under.replicated.ledgers";
    /** Gauge, tag stream: where it is the Qa-th to answer. */
    static final String BOOKIE_DECIDES = "keptlog.bookie.decides";

    static final String PENDING = "keptlog.cluster.pending";

    static final String UNDER_REPLICATED = "keptlog.under.replicated.ledgers";

    // --- the same under the names of BookKeeper and Pulsar ---
    static final String BOOKKEEPER_STATUS = "bookie_SERVER_STATUS";
    static final String BOOKKEEPER_JOURNAL_SYNC = "bookie_journal_JOURNAL_SYNC";
    static final String BOOKKEEPER_FORCE_QUEUE = "bookie_journal_JOURNAL_FORCE_WRITE_QUEUE_SIZE";
    static final String BOOKKEEPER_ADDS = "bookkeeper_server_ADD_ENTRY_IN_PROGRESS";
    static final String BOOKKEEPER_UNDER_REPLICATED = "auditor_NUM_UNDER_REPLICATED_LEDGERS";
    /** Summary, milliseconds. */
    static final String PULSAR_PUBLISH_LATENCY = "pulsar.broker.publish.latency";

    // --- of Spring ---
    /** Timer of every HTTP request. */
    static final String HTTP_REQUESTS = "http.server.requests";

    static final String TAG_STREAM = "stream";
    static final String TAG_TOPIC = "topic";
    static final String TAG_PARTITION = "partition";
    static final String TAG_BOOKIE = "bookie";
    static final String TAG_REASON = "reason";
    static final String TAG_OUTCOME = "outcome";
    static final String TAG_DURABILITY = "durability";
    static final String UNIT_BYTES = "bytes";
    static final String UNIT_SECONDS = "seconds";
}
