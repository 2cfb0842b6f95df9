// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import static io.keptlog.storage.history.PartitionModel.require;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.Appended;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.SealedSegment;
import io.keptlog.storage.SyncTarget;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** One client of a running node: does random things and tells the model what was answered. */
final class Client {
    private static final long PATIENCE_MILLIS = 20_000;

    final Node node;
    final Model model;
    final Faults faults;
    final Random random;
    private final int number;
    private final ControlPlane control;
    /** The server has said that it stops. */
    private boolean ended;

    Client(int number, Node node, Model model, Faults faults, Random random) {
        this.number = number;
        this.node = node;
        this.model = model;
        this.faults = faults;
        this.random = random;
        this.control = new ControlPlane(this);
    }

    ControlPlane control() {
        return control;
    }

    void run(int operations) {
        for (int i = 0; i < operations && !ended; i++) {
            operation(random.nextInt(100));
        }
    }

    private void operation(int dice) {
        if (dice < 4) {
            SimulatedTime.sleepMillis(10 + random.nextInt(random.nextInt(3) == 0 ? 2_500 : 100));
            return;
        }
        if (dice < 12 && number == 0) {
            control.change();
            return;
        }
        List<PartitionSpec> specs = model.specs();
        if (specs.isEmpty()) {
            return;
        }
        PartitionSpec spec = specs.get(random.nextInt(specs.size()));
        PartitionLog log = node.logs.find(spec.ref());
        if (log == null || !log.spec().equals(spec)) {
            require(faults.io() || faults.full || !model.exists(spec), spec + " has no log");
            return;
        }
        if (dice < 62) {
            append(log);
        } else if (dice < 66) {
            retry(log);
        } else if (dice < 76) {
            read(log);
        } else if (dice < 90) {
            offset(spec);
        } else if (dice < 94) {
            barrier(log);
        } else {
            retain(log);
        }
    }

    static Deadline soon() {
        return Deadline.inMillis(PATIENCE_MILLIS);
    }

    /** Fails for an answer that nothing explains. */
    void explain(KeptlogException e, @Nullable PartitionSpec spec) {
        boolean explained =
                switch (e.code()) {
                    case NO_SPACE -> faults.full;
                        // A sync that is asked for after the store has closed its threads is of unknown outcome at the
                        // deadline.
                    case SHUTTING_DOWN, PRODUCE_TIMEOUT -> faults.stopping;
                    case TRANSIENT_NOT_ACCEPTED -> faults.abrupt;
                    case PARTITION_NOT_FOUND -> spec != null && !model.exists(spec);
                        // Its last batches may be gone, which the client learns by this.
                    case SEQUENCE_GAP -> spec != null && !model.partition(spec).known;
                    case PARTITION_FENCED -> faults.io() || faults.full;
                    case SYNC_FAILED -> faults.io() || faults.abrupt || (spec != null && !model.exists(spec));
                    case CATALOG_FENCED, OFFSETS_FENCED -> faults.io();
                    default -> false;
                };
        if (!explained) {
            throw new AssertionError("answered " + e.code() + " for " + spec + " in " + faults.kind, e);
        }
        ended |= e.code() == ErrorCode.SHUTTING_DOWN;
    }

    private void append(PartitionLog log) {
        PartitionModel partition = model.partition(log.spec());
        long producer = number + 1L;
        boolean idempotent = log.spec().ref().partitionId() == 0;
        Batch batch = Batch.random(model.nextIds(16), idempotent ? partition.nextStamp(producer) : null, random);
        partition.sent(batch);
        append(log, partition, batch);
    }

    private void append(PartitionLog log, PartitionModel partition, Batch batch) {
        Appended appended;
        try {
            appended = log.append(batch.message(), soon());
        } catch (KeptlogException e) {
            explain(e, log.spec());
            if (e.code() != ErrorCode.SYNC_FAILED) {
                partition.refused(batch);
            }
            return;
        }
        require(!appended.duplicate(), batch + " is taken for a duplicate");
        require(appended.endOffset() - appended.baseOffset() == batch.count(), batch + " has " + appended);
        partition.placed(batch, appended.baseOffset());
        answer(log, partition, batch.end());
    }

    /** The answer that the topic's policy, or the request, asks for. */
    private void answer(PartitionLog log, PartitionModel partition, long end) {
        boolean persistedTopic = log.spec().options().durability() == Durability.PERSISTED;
        int dice = random.nextInt(10);
        if (persistedTopic ? dice < 7 : dice < 2) {
            persisted(log, partition, end);
        } else if (persistedTopic) {
            log.tail().kick();
        } else {
            partition.acknowledgedEnd = Math.max(partition.acknowledgedEnd, end);
        }
    }

    private void persisted(PartitionLog log, PartitionModel partition, long end) {
        try {
            log.tail().awaitPersisted(end, soon());
        } catch (KeptlogException e) {
            explain(e, log.spec());
            return;
        }
        require(log.tail().persistedEnd() >= end, "persisted to " + log.tail().persistedEnd() + " of " + end);
        partition.persistedEnd = Math.max(partition.persistedEnd, end);
        partition.acknowledgedEnd = Math.max(partition.acknowledgedEnd, end);
    }

    /** The last batch again, as a client does that lost the answer. */
    private void retry(PartitionLog log) {
        PartitionModel partition = model.partition(log.spec());
        Batch last = partition.lastOf(number + 1L);
        if (last == null || last.fate != Batch.Fate.PLACED || partition.producersForgotten) {
            return;
        }
        try {
            Appended appended = log.append(last.again().message(), soon());
            require(appended.duplicate() && appended.baseOffset() == last.base, last + " again has " + appended);
        } catch (KeptlogException e) {
            explain(e, log.spec());
        }
    }

    private void read(PartitionLog log) {
        PartitionModel partition = model.partition(log.spec());
        long end = log.status().endOffset();
        long from = random.nextLong(end + 1);
        Visibility visibility = random.nextBoolean() ? Visibility.TOPIC : Visibility.PERSISTED;
        boolean persisted =
                visibility == Visibility.PERSISTED || log.spec().options().durability() == Durability.PERSISTED;
        try (Slice slice = log.read(from, 1 + random.nextInt(40), 1 << 20, visibility)) {
            partition.checkSlice(slice, from);
            if (persisted && slice.count() > 0) {
                partition.persistedEnd = Math.max(partition.persistedEnd, slice.nextOffset());
            }
        } catch (KeptlogException e) {
            explain(e, log.spec());
        }
    }

    private void offset(PartitionSpec spec) {
        var key = new OffsetModel.Key(spec.incarnation(), number);
        var consumer = Model.consumer(number);
        PartitionModel partition = model.partition(spec);
        if (!model.exists(spec)) {
            return;
        }
        long shown = node.offsets.get(spec, consumer).orElse(-1);
        if (model.exists(spec)) {
            model.offsets.shows(key, shown, partition.lowestEnd);
        }
        boolean delete = shown >= 0 && random.nextInt(6) == 0;
        long value = delete ? -1 : random.nextLong(partition.acknowledgedEnd + 1);
        model.offsets.begins(key, value);
        long end;
        try {
            end = delete ? node.offsets.delete(spec, consumer) : node.offsets.store(spec, consumer, value);
        } catch (KeptlogException e) {
            if (e.code() == ErrorCode.CONSUMER_OFFSET_NOT_FOUND && !model.exists(spec)) {
                return;
            }
            explain(e, spec);
            if (e.code() == ErrorCode.SYNC_FAILED) {
                model.offsets.unknown(key);
            } else {
                model.offsets.refused(key);
            }
            return;
        }
        model.offsets.wrote(key, end);
        TopicEntry topic =
                node.catalog.state().findTopic(spec.ref().streamId(), spec.ref().topicId());
        if (topic != null && topic.options().consumerOffsetDurability() == Durability.PERSISTED) {
            SyncTarget tail = node.offsets.tail(spec);
            try {
                tail.awaitPersisted(end, soon());
                model.offsets.persisted(end);
            } catch (KeptlogException e) {
                explain(e, spec);
            }
        }
    }

    private void barrier(PartitionLog log) {
        persisted(log, model.partition(log.spec()), log.status().endOffset());
    }

    private void retain(PartitionLog log) {
        PartitionModel partition = model.partition(log.spec());
        List<SealedSegment> sealed = log.sealedSegments();
        if (sealed.isEmpty()) {
            return;
        }
        long end = sealed.get(random.nextInt(sealed.size())).endOffset();
        partition.deletionAskedEnd = Math.max(partition.deletionAskedEnd, end);
        try {
            List<SealedSegment> gone = log.deleteSegments(end, Gap.Reason.RETENTION);
            if (!gone.isEmpty()) {
                partition.deletedEnd =
                        Math.max(partition.deletedEnd, gone.getLast().endOffset());
            }
        } catch (KeptlogException e) {
            explain(e, log.spec());
        }
    }

    /** Nothing is wrong any more: a write succeeds. */
    void mustAppend(PartitionLog log) {
        PartitionModel partition = model.partition(log.spec());
        Batch batch = Batch.random(model.nextIds(16), null, random);
        partition.sent(batch);
        append(log, partition, batch);
    }
}
