// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.peer;

import io.keptlog.cluster.offsets.OffsetLedger;
import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.cluster.KeptDepth;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.Appended;
import io.keptlog.storage.OffsetStore.ConsumerOffset;
import io.keptlog.storage.PartitionLog;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/** The owner's side of a forwarded request: decodes, does it here, encodes. Never forwards again: at most one hop. */
public final class OwnerRequests implements PeerHandler {
    private final LocalPartitions partitions;
    private final Function<PartitionSpec, KeptDepth> depths;

    /**
     * @param depths what is known of the copies of a partition in this broker's hands
     */
    public OwnerRequests(LocalPartitions partitions, Function<PartitionSpec, KeptDepth> depths) {
        this.partitions = partitions;
        this.depths = depths;
    }

    @Override
    public void handle(Operation operation, DataInput in, DataOutput out) throws IOException {
        if (operation == Operation.CATALOG) {
            partitions.catalogChanged();
            return;
        }
        PeerWire.Target target = PeerWire.target(in);
        switch (operation) {
            case APPEND -> append(target, in, out);
            case READ -> read(target, in, out);
            case EVIDENCE -> {
                long end = in.readLong();
                PeerWire.write(out, log(target).tail().awaitReplicated(end, Deadline.inMillis(in.readInt())));
            }
            case OFFSET_AT -> out.writeLong(
                    partitions.current(readable(target).offsetAt(in.readLong(), Visibility.TOPIC)));
            case END_BEYOND -> {
                PartitionLog log = readable(target);
                out.writeLong(partitions.current(log.watch(Visibility.TOPIC)
                        .awaitBeyond(in.readLong(), log.tail()::persistedEnd, Deadline.inMillis(in.readInt()))));
            }
            case STATUS -> PeerWire.write(
                    out, partitions.current(readable(target).status()));
            case SEALED -> PeerWire.write(out, readable(target).sealedSegments());
            case DELETE_SEGMENTS -> PeerWire.write(
                    out, log(target).deleteSegments(in.readLong(), Gap.Reason.valueOf(in.readUTF())));
            case LEDGERS -> LedgerWire.write(out, partitions.ledgers(target.ref(), target.incarnation()));
            case KEPT_DEPTH -> DepthWire.write(
                    out, depths.apply(readable(target).spec()));
            default -> offsets(operation, target, in, out);
        }
    }

    private PartitionLog log(PeerWire.Target target) {
        return partitions.log(target.ref(), target.incarnation());
    }

    private PartitionLog readable(PeerWire.Target target) {
        return partitions.readableLog(target.ref(), target.incarnation());
    }

    private void append(PeerWire.Target target, DataInput in, DataOutput out) throws IOException {
        var deadline = Deadline.inMillis(in.readInt());
        PartitionLog log = log(target);
        Appended appended = append(log, PeerWire.batch(in), deadline);
        PeerWire.write(out, appended);
        PeerWire.write(out, log.tail().awaitReplicated(appended.endOffset(), deadline));
        out.writeLong(log.tail().persistedEnd());
    }

    private Appended append(PartitionLog log, MessageBatch batch, Deadline deadline) {
        try {
            return log.append(batch, deadline);
        } catch (KeptlogException e) {
            throw partitions.current(e);
        }
    }

    private void read(PeerWire.Target target, DataInput in, DataOutput out) throws IOException {
        long from = in.readLong();
        int maxMessages = in.readInt();
        long maxBytes = in.readLong();
        try (Slice slice = partitions.current(readable(target).read(from, maxMessages, maxBytes, Visibility.TOPIC))) {
            PeerWire.write(out, slice);
        }
    }

    private void offsets(Operation operation, PeerWire.Target target, DataInput in, DataOutput out) throws IOException {
        switch (operation) {
            case OFFSET_LIST -> {
                List<ConsumerOffset> list = partitions.current(offsets(target).list());
                out.writeInt(list.size());
                for (ConsumerOffset one : list) {
                    PeerWire.write(out, one.consumer());
                    out.writeLong(one.offset());
                }
            }
            case OFFSET_GET -> {
                ConsumerKey consumer = PeerWire.consumer(in);
                OptionalLong offset = partitions.current(offsets(target).get(consumer));
                out.writeBoolean(offset.isPresent());
                out.writeLong(offset.orElse(0));
            }
            case OFFSET_STORE -> {
                ConsumerKey consumer = PeerWire.consumer(in);
                long value = in.readLong();
                // The time runs while the partition is opened.
                var deadline = Deadline.inMillis(in.readInt());
                OffsetLedger offsets = offsets(target);
                long number = offsets.store(consumer, value, deadline);
                PeerWire.write(out, offsets.awaitReplicated(number, deadline));
            }
            case OFFSET_DELETE -> {
                ConsumerKey consumer = PeerWire.consumer(in);
                var deadline = Deadline.inMillis(in.readInt());
                OffsetLedger offsets = offsets(target);
                long number = offsets.delete(consumer, deadline);
                PeerWire.write(out, offsets.awaitReplicated(number, deadline));
            }
            default -> throw new IllegalStateException(operation.name());
        }
    }

    private OffsetLedger offsets(PeerWire.Target target) {
        return partitions.offsets(target.ref(), target.incarnation());
    }
}
