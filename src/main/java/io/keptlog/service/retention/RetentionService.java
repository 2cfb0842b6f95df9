// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.retention;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Gap;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.ServiceObserver;
import io.keptlog.domain.catalog.StreamEntry;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.domain.catalog.TopicOptions;
import io.keptlog.service.Micros;
import io.keptlog.service.catalog.Lookup;
import io.keptlog.service.catalog.OpenLogs;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.SealedSegment;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what a topic's {@code message_expiry} and {@code max_topic_size} no longer keep, and on request. Sealed segments only, oldest
 * first, by append time and never by a client's; the size limit counts sealed bytes and is divided among the partitions (Iggy topic
 * options). One background thread makes a round per interval; requests may come at the same time, deleting is idempotent. A crash may
 * bring back segments whose deletion was not yet recorded; the next round takes them again. Failures are logged and tried again.
 */
public final class RetentionService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RetentionService.class);
    private static final Duration OPEN_WAIT = Duration.ofSeconds(1);
    private static final Duration SYNC_WAIT = Duration.ofSeconds(5);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(1);

    private final Catalog catalog;
    private final OpenLogs openLogs;
    private final SegmentPruner pruner;
    private final InstantSource clock;
    private final ThreadFactory threads;
    private final Duration interval;
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Thread worker;

    public RetentionService(
            Catalog catalog,
            OpenLogs openLogs,
            OffsetStore offsets,
            ServiceObserver observer,
            InstantSource clock,
            ThreadFactory threads,
            Duration interval) {
        this.catalog = catalog;
        this.openLogs = openLogs;
        this.pruner = new SegmentPruner(offsets, observer);
        this.clock = clock;
        this.threads = threads;
        this.interval = interval;
    }

    public synchronized void start() {
        if (worker == null) {
            worker = threads.newThread(this::work);
            worker.start();
        }
    }

    private void work() {
        while (closed.getCount() > 0) {
            try {
                if (closed.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
                round();
            } catch (InterruptedException e) {
                // Only close() ends this thread; the loop looks at its latch.
                LOG.debug("interrupted while waiting for the next round");
            } catch (RuntimeException e) {
                LOG.warn("retention failed, trying again within {}", interval, e);
            }
        }
    }

    /** One look at every topic that limits age or size. */
    public void round() {
        for (StreamEntry stream : catalog.state().streams().values()) {
            for (TopicEntry topic : stream.topics().values()) {
                if (topic.options().hasRetention()) {
                    topic.specs().forEach(spec -> expire(topic, spec));
                }
            }
        }
    }

    private void expire(TopicEntry topic, PartitionSpec spec) {
        PartitionLog log = openLogs.findNow(spec);
        if (log == null) {
            return;
        }
        TopicOptions options = topic.options();
        List<SealedSegment> sealed = log.sealedSegments();
        if (options.messageExpiryMicros() != TopicOptions.NEVER) {
            long end = expiredEnd(sealed, options.messageExpiryMicros());
            pruner.prune(
                    log,
                    end,
                    Gap.Reason.RETENTION,
                    "message_expiry " + Long.toUnsignedString(options.messageExpiryMicros()) + " µs");
        }
        if (options.maxTopicSizeBytes() != TopicOptions.UNLIMITED) {
            long share = Long.divideUnsigned(
                    options.maxTopicSizeBytes(), topic.partitions().size());
            pruner.prune(
                    log,
                    excessEnd(log.sealedSegments(), share),
                    Gap.Reason.RETENTION,
                    "max_topic_size, " + share + " bytes per partition");
        }
    }

    /** End of the oldest run of segments whose newest message is too old; 0 when there is none. */
    private long expiredEnd(List<SealedSegment> sealed, long expiryMicros) {
        long now = Micros.now(clock);
        long end = 0;
        for (SealedSegment segment : sealed) {
            long age = Math.max(0, now - segment.newestAppendMicros());
            if (Long.compareUnsigned(age, expiryMicros) <= 0) {
                break;
            }
            end = segment.endOffset();
        }
        return end;
    }

    /** End of the oldest segments without which the rest fits the share; 0 when all of it fits. */
    private static long excessEnd(List<SealedSegment> sealed, long shareBytes) {
        long bytes = sealed.stream().mapToLong(SealedSegment::sizeBytes).sum();
        long end = 0;
        for (SealedSegment segment : sealed) {
            if (Long.compareUnsigned(bytes, shareBytes) <= 0) {
                break;
            }
            bytes -= segment.sizeBytes();
            end = segment.endOffset();
        }
        return end;
    }

    /**
     * Deletes up to {@code count} of a partition's oldest sealed segments; fewer when there are fewer or consumers still need them.
     *
     * @throws KeptlogException STREAM_ID_NOT_FOUND, TOPIC_ID_NOT_FOUND, PARTITION_NOT_FOUND, TRANSIENT_NOT_ACCEPTED; SYNC_FAILED,
     *     PRODUCE_TIMEOUT: nothing was deleted
     */
    public void deleteOldest(Identifier stream, Identifier topic, long partitionId, long count) {
        TopicEntry entry = Lookup.topic(catalog.state(), stream, topic, Lookup.Absent.NAMED);
        PartitionSpec spec = Lookup.partition(entry, partitionId);
        PartitionLog log = openLogs.find(spec, Deadline.in(OPEN_WAIT), ErrorCode.TRANSIENT_NOT_ACCEPTED);
        if (log == null) {
            throw new KeptlogException(
                    ErrorCode.PARTITION_NOT_FOUND, "Partition " + partitionId + " is not there.", "partition_id");
        }
        // Only synced segments go; who asks for some gets those that are sealed by now, not those that happen to be
        // synced.
        long end = log.status().endOffset();
        if (log.tail().persistedEnd() < end) {
            log.tail().awaitPersisted(end, Deadline.in(SYNC_WAIT));
        }
        List<SealedSegment> sealed = log.sealedSegments();
        int wanted = (int) Math.min(count, sealed.size());
        if (wanted > 0) {
            pruner.prune(log, sealed.get(wanted - 1).endOffset(), Gap.Reason.DELETION, "on request");
        }
    }

    @Override
    public synchronized void close() {
        closed.countDown();
        if (worker != null) {
            try {
                worker.join(CLOSE_WAIT);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
