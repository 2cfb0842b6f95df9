// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

/** Every ceiling of the product, each with its reason. Configurable ceilings have their defaults here. */
public final class Limits {
    private Limits() {}

    // --- names and identifiers (Iggy HTTP API) ---
    public static final int NAME_MAX_BYTES = 255;
    public static final int USERNAME_MIN_BYTES = 3;
    public static final int USERNAME_MAX_BYTES = 50;
    public static final int PASSWORD_MIN_BYTES = 3;
    public static final int PASSWORD_MAX_BYTES = 100;
    public static final int TOKEN_NAME_MIN_BYTES = 3;
    public static final int TOKEN_NAME_MAX_BYTES = 30;
    /** A user with more tokens than this has a leak in its scripts. */
    public static final int TOKENS_PER_USER_MAX = 100;

    // --- logins ---
    /** Failed logins of one name from one address in a window; a person mistypes less often, a guesser more often. */
    public static final int LOGIN_FAILURES_MAX = 10;
    /** Failed logins from one address whatever the name, in a window. */
    public static final int LOGIN_FAILURES_PER_ADDRESS_MAX = 100;

    public static final int LOGIN_WINDOW_SECONDS = 60;
    /** Names and addresses whose failures are remembered; bounds memory under a distributed attack. */
    public static final int LOGIN_FAILURES_TRACKED_MAX = 100_000;
    /** Password checks that are remembered so that HTTP Basic costs little. */
    public static final int PASSWORD_CHECKS_CACHED_MAX = 10_000;

    public static final int PASSWORD_CHECK_CACHED_SECONDS = 300;
    /** Life of a JWT (http-api §6). */
    public static final int SESSION_SECONDS = 3_600;
    /** Verified JWTs that are remembered so that a request costs no signature check. */
    public static final int SESSIONS_CACHED_MAX = 10_000;
    /** How long a login waits for its turn at the password hash before it is told that the server is busy. */
    public static final int PASSWORD_HASH_WAIT_MILLIS = 5_000;

    // --- topics (Iggy topic options) ---
    public static final int PARTITIONS_PER_REQUEST_MAX = 1000;
    /** One topic's partitions; keeps a catalog record and a topic's reply bounded. */
    public static final int PARTITIONS_PER_TOPIC_MAX = 10_000;

    public static final long SEGMENT_SIZE_MIN_BYTES = 1L << 20;
    public static final long SEGMENT_SIZE_MAX_BYTES = 1L << 30;
    public static final long SEGMENT_SIZE_DEFAULT_BYTES = 1L << 30;
    public static final int SEGMENT_SIZE_MULTIPLE_BYTES = 512;
    public static final int MESSAGES_REQUIRED_TO_SAVE_MAX = 16_777_216;
    public static final int MESSAGES_REQUIRED_TO_SAVE_DEFAULT = 1024;
    public static final long SIZE_REQUIRED_TO_SAVE_MAX_BYTES = 1L << 30;
    public static final long SIZE_REQUIRED_TO_SAVE_DEFAULT_BYTES = 1L << 20;
    /** What one preallocating topic may reserve: segment_size × partitions. */
    public static final long PREALLOCATED_TOPIC_MAX_BYTES = 64L << 30;

    public static final int OPTION_KEY_MAX_BYTES = 255;
    /** A longer key is cut to this many characters in an error's reason. */
    public static final int OPTION_KEY_SHOWN_CHARS = 64;

    public static final int OPTIONS_BLOCK_MAX_BYTES = 100_000;

    // --- messages (Iggy HTTP API §4) ---
    public static final int PAYLOAD_MAX_BYTES = 64_000_000;
    public static final int USER_HEADERS_MAX_BYTES = 100_000;
    public static final int USER_HEADER_PART_MAX_BYTES = 255;
    public static final int MESSAGE_KEY_MAX_BYTES = 255;
    /** Default of the largest request body; ndjson applies it to a line. */
    public static final int REQUEST_BODY_DEFAULT_BYTES = 2_000_000;
    /** Ceiling of the configured body maximum: a body of the largest payload in base64 is 86 MB, and a whole body lies in one array. */
    public static final int REQUEST_BODY_MAX_BYTES = 256 << 20;
    /** A frame's length is an int, and a batch must fit a mapping: far below 2^31. */
    public static final int BATCH_MAX_BYTES = 512 << 20;

    public static final int MESSAGES_PER_BATCH_MAX = 1_000_000;
    /** ndjson lines are stored in batches of at most this many lines ... */
    public static final int NDJSON_BATCH_LINES = 1000;
    /** ... or this many bytes, whichever comes first. */
    public static final int NDJSON_BATCH_BYTES = 1 << 20;

    /** Arrays kept per size class of the buffer pool (16 KiB to 4 MiB) ... */
    public static final int POOLED_BUFFERS_PER_CLASS = 32;
    /** ... and bytes of them, less on a small heap, of which all classes together take an eighth at most. */
    public static final int POOLED_CLASS_BYTES = 8 << 20;

    // --- idempotent producers (requirements D9) ---
    /** Confirmations of a producer that a partition can repeat exactly. */
    public static final int PRODUCER_CONFIRMATIONS_KEPT = 5;
    /** Producers that a partition remembers: about 1.5 MB; those that appended least recently are forgotten first. */
    public static final int PRODUCERS_PER_PARTITION_MAX = 4_096;
    /** A producer that did not append for a week is forgotten: no client retries that long. */
    public static final int PRODUCER_EXPIRY_SECONDS = 7 * 24 * 3_600;
    /** Appended bytes after which producers are snapshotted again: bounds what a start reads because of them. */
    public static final long PRODUCER_SNAPSHOT_EVERY_BYTES = 64L << 20;
    /** The same in a cluster, where an opening reads small frames one by one: about two seconds of reading. */
    public static final long PRODUCER_SNAPSHOT_EVERY_FRAMES = 50_000;

    // --- polls ---
    /** A JSON poll's count is cut to this: bounds the reply's index work. */
    public static final int POLL_COUNT_MAX = 100_000;
    /** A JSON poll ends at the message that reaches this many stored bytes; at least one message is returned. */
    public static final long POLL_MAX_BYTES = 16L << 20;

    public static final int RAW_POLL_COUNT_MAX = 10_000;

    /** Stored offsets in one list of a topic's consumers: a reply of about 1 MB. */
    public static final int CONSUMERS_LISTED_MAX = 10_000;

    // --- live reading ---
    /** A poll waits at most this long for messages: most proxies end a silent request after a minute. */
    public static final int POLL_WAIT_MAX_SECONDS = 60;
    /** Default of the streams and waiting polls of a server: half of the connections that it takes, so that writers find a place. */
    public static final int LIVE_READERS_DEFAULT = 4_096;
    /** Default of one user's share of them: others find a place as well. */
    public static final int LIVE_READERS_PER_USER_DEFAULT = 3_072;
    /** A stream is silent no longer than this: well below the minute after which proxies end a connection. */
    public static final int LIVE_HEARTBEAT_DEFAULT_SECONDS = 15;
    /** Default of how long a reader may take for what was written last before it is cut; it resumes where it was. */
    public static final int LIVE_STALL_DEFAULT_SECONDS = 20;
    /** Stored bytes after which a stream looks again whether it may go on. Nothing else is buffered for a slow reader: the log is the buffer. */
    public static final long LIVE_BATCH_BYTES = 256 << 10;

    public static final int LIVE_BATCH_MESSAGES = 1_000;
    /** What a stream hands to the socket at once: a reader that takes a byte now and then is noticed in between. */
    public static final int LIVE_WRITE_BYTES = 16 << 10;
    /** A busy stream asks so often whether its credentials are still good; an idle one with each heartbeat. */
    public static final int LIVE_RECHECK_MILLIS = 1_000;
    /** Streams and waiting polls are told of a graceful stop, and have this long to say so to their readers. */
    public static final int LIVE_STOP_MAX_MILLIS = 2_000;

    // --- cluster ---
    /** After a failed add, answers that have not come by then will not come: BookKeeper's own time-outs are shorter. */
    public static final int LEDGER_DRAIN_MAX_MILLIS = 20_000;
    /** Opening a partition: recovery of its last ledger and the making of a new one. */
    public static final int LEDGER_OPEN_MAX_MILLIS = 30_000;
    /** A read from the bookies: several entries, each from a second bookie when the first one is slow. */
    public static final int LEDGER_READ_MAX_MILLIS = 10_000;
    /** Looking at or completing copies takes at most about so long, then it says where to go on. */
    public static final long DEPTH_MAX_MILLIS = 20_000;
    /** Entries whose copies one request looks at; by default a tenth of it. */
    public static final int DEPTH_ENTRIES_MAX = 10_000;
    /** Ranges with missing copies that are kept of each partition; the rest is counted. */
    public static final int DEPTH_KEPT_RANGES_MAX = 100;
    /** Default of the bytes of copies that a broker's background audit reads in a second. */
    public static final long DEPTH_AUDIT_DEFAULT_BYTES = 8L << 20;

    public static final long DEPTH_AUDIT_MIN_BYTES = 64L << 10;
    public static final long DEPTH_AUDIT_MAX_BYTES = 1L << 30;
    /** Entries that the background audit looks at in one step. */
    public static final int DEPTH_AUDIT_STEP_ENTRIES = 200;
    /** What one partition may take of the background audit before the next one has its turn. */
    public static final int DEPTH_AUDIT_TURN_MILLIS = 2_000;
    /** Missing copies are looked at again after this, then after twice as long, up to the second. */
    public static final int DEPTH_AGAIN_MIN_MILLIS = 5_000;

    public static final int DEPTH_AGAIN_MAX_MILLIS = 60_000;
    /** A bookie that is away for so long counts as gone: what it had is copied to another one where the write quorum is guaranteed. */
    public static final int DEPTH_BOOKIE_GONE_MILLIS = 60_000;
    /** How often bookies are asked for their metrics. */
    public static final int BOOKIES_WATCHED_EVERY_MILLIS = 5_000;
    /** What a bookie may answer to it: a hundred kilobytes are usual. */
    public static final int BOOKIE_METRICS_MAX_BYTES = 4 << 20;
    /** Under-replicated ledgers that are counted; there may be more. */
    public static final int UNDER_REPLICATED_COUNTED_MAX = 10_000;
    /** Default of what all partitions of a broker may have in flight to bookies. */
    public static final long LEDGER_PENDING_DEFAULT_BYTES = 64L << 20;
    /** Default of the newest frames that a partition keeps in memory for tail readers. */
    public static final long RECENT_FRAMES_DEFAULT_BYTES = 4L << 20;
    /** An open ledger is closed and followed by the next one after this long, so that a lost bookie concerns less of it. */
    public static final long LEDGER_AGE_MAX_MILLIS = 4L * 3600 * 1000;
    /** One message between brokers: a batch, or a poll's reply with its last frame. */
    public static final int PEER_MESSAGE_MAX_BYTES = 32 << 20;
    /** Idle connections kept to each other broker; a request takes one for its time. */
    public static final int PEER_CONNECTIONS_IDLE_MAX = 128;
    /** What the metadata store takes as one value (ZooKeeper's jute.maxbuffer, less what surrounds the value). */
    public static final int METADATA_VALUE_MAX_BYTES = 1_000_000;

    // --- clients ---
    /** Users at addresses that the list of clients remembers; the least recent are forgotten first. */
    public static final int CLIENTS_REMEMBERED_MAX = 10_000;

    // --- metrics ---
    /** Topics, and partitions, whose risk has meters of its own: six series each. The others are in the server's sum. */
    public static final int AT_RISK_GAUGES_MAX = 1_000;
    /** How soon the meters of a new topic are there. */
    public static final int AT_RISK_GAUGES_EVERY_SECONDS = 5;

    // --- JSON ---
    /** Nesting that any request of the contract needs is below 10. */
    public static final int JSON_DEPTH_MAX = 32;
    /** A u128 has 39 digits. */
    public static final int JSON_NUMBER_MAX_CHARS = 64;

    // --- waits ---
    /** Default of {@code keptlog.write-timeout}: below the usual client time-out of 10 s. */
    public static final int WRITE_TIMEOUT_DEFAULT_MILLIS = 5_000;
    /** Whole graceful stop (requirements A11). */
    public static final int SHUTDOWN_MAX_MILLIS = 8_000;

    // --- flush schedule (requirements A7) ---
    /** Default age limit of unsynced data: bounds the power-loss window in time. */
    public static final int FLUSH_AGE_DEFAULT_MILLIS = 1_000;

    // --- journals (catalog, consumer offsets, recovery reports) ---
    /** One record, and one part of a snapshot: far above any change of the catalog that the request limits allow. */
    public static final int JOURNAL_RECORD_MAX_BYTES = 64 << 20;
    /** A journal is read as a whole at start. */
    public static final int JOURNAL_FILE_MAX_BYTES = 1 << 30;
    /** Zeros written ahead of the records. */
    public static final int JOURNAL_ROOM_BYTES = 256 << 10;
    /** A journal is rewritten when its records since the snapshot take more than this and than the snapshot. */
    public static final int JOURNAL_COMPACT_BYTES = 4 << 20;
    /** Records that arrive while a journal is rewritten wait here; more, and the rewrite is given up and tried later. */
    public static final int JOURNAL_BACKLOG_BYTES = 16 << 20;
    /** How long a rewrite that was given up (no space, too many records) is left alone. */
    public static final int JOURNAL_REWRITE_PAUSE_MILLIS = 10_000;
    /** A part of a snapshot: bounds the memory that a rewrite takes. */
    public static final int JOURNAL_SNAPSHOT_PART_BYTES = 1 << 20;
    /** A catalog change or a recovery report that is not on stable storage after this long fences its journal. */
    public static final int JOURNAL_SYNC_MAX_MILLIS = 30_000;
    /** Stored consumer offsets of the server: about 100 bytes of heap each. */
    public static final int CONSUMER_OFFSETS_MAX = 2_000_000;

    // --- disk space ---
    /** Kept for catalog deletes and journal compaction on a full disk; a small disk gives one percent. */
    public static final long RESERVE_BYTES = 16L << 20;

    /** Below this, explain and health say so: a gigabyte is minutes of a busy topic. */
    public static final long LITTLE_SPACE_BYTES = 1L << 30;

    // --- the truth test (requirements D7) ---
    /** How long it writes and syncs. */
    public static final int TRUTH_TEST_MILLIS = 60;
    /** How long a start waits for it; a slower disk is judged a little later. */
    public static final int TRUTH_TEST_START_MILLIS = 200;
    /** How long who asks for it waits when the first one is not done. */
    public static final int TRUTH_TEST_WAIT_MILLIS = 2_000;
    /** It is not made again sooner: everybody who may read servers can ask for it. */
    public static final int TRUTH_TEST_EVERY_SECONDS = 60;
    /** A write, its way through the kernel and a device's answer take longer than this on the fastest that keep it without power. */
    public static final int SYNC_TOO_FAST_MICROS = 15;

    // --- snapshots ---
    /** Log lines remembered for a snapshot, and characters of each: at most 8 MB of heap, usually far less. */
    public static final int LOG_LINES_KEPT_MAX = 2_000;

    public static final int LOG_LINE_KEPT_CHARS = 4_000;
    /** Files that a snapshot lists: about 10 MB of text. */
    public static final int SNAPSHOT_FILES_MAX = 100_000;

    // --- reports ---
    /**
     * Copies of torn tails in the quarantine: after so many crashes nobody has looked at, partitions whose tails are torn stay read-only
     * until somebody does. What is moved there (unknown directories, segments, repaired partitions) takes no new space and is not counted.
     */
    public static final long QUARANTINE_COPIES_MAX_BYTES = 4L << 30;
    /** Recovery reports kept; the oldest are dropped first. */
    public static final int RECOVERY_REPORTS_MAX = 10_000;

    // --- recovery ---
    /** Epochs remembered per partition, one per server start that wrote to it: 1.6 MB; the oldest are forgotten first. */
    public static final int EPOCHS_PER_PARTITION_MAX = 100_000;
    /** Partitions in the clean-shutdown marker: 120 MB when all are there. */
    public static final int CLEAN_MARKER_PARTITIONS_MAX = 1_000_000;
    /** What recovery reads at once: large enough for the disk's full speed, small enough for many partitions at once. */
    public static final int RECOVERY_READ_BYTES = 1 << 20;

    // --- segment store ---
    /** Syncs at once that somebody waits for: the kernel merges the flushes of up to about this many files. */
    public static final int SYNC_THREADS = 32;
    /** A sync that released so many writers waits for them before the next one begins. */
    public static final int SYNC_CROWD = 8;
    /** How long it waits at most. */
    public static final long SYNC_GATHER_MAX_NANOS = 1_000_000;
    /** After a sync that took no longer, a writer that is alone makes the next one on its own thread. */
    public static final long SYNC_QUICK_NANOS = 1_000_000;
    /** Unless it must have its answer earlier than this. */
    public static final long SYNC_ON_CALLER_DEADLINE_NANOS = 1_000_000_000;
    /** A sync that takes longer is warned about. */
    public static final int SLOW_SYNC_MILLIS = 500;
    /** Far below the 65,530 mappings that Linux allows a process by default, with room for those that readers hold. */
    public static final int MAPPED_SEGMENTS_MAX = 8_192;
    /** Partitions recovered at once: reading is bound by the disk. */
    public static final int RECOVERY_THREADS = 8;

    // --- reads of what is not in memory ---
    /** Page faults at once: enough to keep a fast disk busy. */
    public static final int COLD_READ_THREADS = 16;
    /** Readers that wait for one of them; more are told to come again. */
    public static final int COLD_READS_WAITING_MAX = 10_000;
    /** How long a reader waits for the disk. */
    public static final int COLD_READ_MAX_MILLIS = 30_000;
    /** Looked at, and read, at once: one look costs about a microsecond, and the disk is fast with as much. */
    public static final int COLD_READ_BYTES = 256 << 10;

    // --- connections ---
    /** Connections of a server; fewer where the heap is small. */
    public static final int CONNECTIONS_MAX = 8_192;
    /** Heap that an open connection takes, of which Tomcat's socket buffers are 48 KiB. */
    public static final int CONNECTION_BYTES = 56 << 10;
    /** A body of at most this size needs no look at the clock: as many as there are connections fit the smallest budget of bodies. */
    public static final int BODY_AT_ANY_SPEED_BYTES = 64 << 10;
    /** A larger body may start as slowly as it likes for this long ... */
    public static final int BODY_GRACE_MILLIS = 30_000;
    /** ... and comes at least this fast on the whole: what it reserves of the budget is not held for long. Slower than any modem. */
    public static final int BODY_MIN_BYTES_PER_SECOND = 4 << 10;
    /** Files of the access log, one a day. */
    public static final int ACCESS_LOG_DAYS_KEPT = 30;
    /** Of each connection: what one system call reads at most. Tomcat's 8 KiB makes 46 of them of a body of 1,000 × 256 B. */
    public static final int SOCKET_READ_BYTES = 16 << 10;
    /** Of each connection: what one system call writes at most. A poll of 1,000 × 256 B costs less than half the system time of 8 KiB. */
    public static final int SOCKET_WRITE_BYTES = 32 << 10;
}
