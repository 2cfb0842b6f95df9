// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.peer;

import io.keptlog.domain.AtRisk;
import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.ProducerStamp;
import io.keptlog.domain.message.RecordRun;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.Appended;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.SealedSegment;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How values travel between brokers: big-endian, in the order of the record's members, enums by name. */
final class PeerWire {
    private PeerWire() {}

    /** Which life of which partition a request is for. */
    record Target(PartitionRef ref, long incarnation) {}

    static void write(DataOutput out, Target target) throws IOException {
        out.writeInt(target.ref().streamId());
        out.writeInt(target.ref().topicId());
        out.writeInt(target.ref().partitionId());
        out.writeLong(target.incarnation());
    }

    static Target target(DataInput in) throws IOException {
        return new Target(new PartitionRef(in.readInt(), in.readInt(), in.readInt()), in.readLong());
    }

    static void write(DataOutput out, MessageBatch batch) throws IOException {
        out.writeInt(batch.count());
        out.writeInt(batch.bodyCrc());
        ProducerStamp producer = batch.producer();
        out.writeBoolean(producer != null);
        if (producer != null) {
            out.writeLong(producer.producerId());
            out.writeInt(producer.epoch());
            out.writeLong(producer.sequence());
        }
        out.writeInt(batch.bodyLength());
        out.write(batch.bytes(), batch.bodyOffset(), batch.bodyLength());
    }

    static MessageBatch batch(DataInput in) throws IOException {
        int count = in.readInt();
        int crc = in.readInt();
        ProducerStamp producer =
                in.readBoolean() ? new ProducerStamp(in.readLong(), in.readInt(), in.readLong()) : null;
        var body = new byte[in.readInt()];
        in.readFully(body);
        return new MessageBatch(body, 0, body.length, count, crc, producer);
    }

    static void write(DataOutput out, Appended appended) throws IOException {
        out.writeLong(appended.baseOffset());
        out.writeLong(appended.endOffset());
        out.writeLong(appended.epoch());
        out.writeBoolean(appended.duplicate());
    }

    static Appended appended(DataInput in) throws IOException {
        return new Appended(in.readLong(), in.readLong(), in.readLong(), in.readBoolean());
    }

    static void write(DataOutput out, Evidence evidence) throws IOException {
        out.writeUTF(evidence.durability().name());
        out.writeUTF(evidence.storedIn().name());
        out.writeInt(evidence.copies());
        out.writeLong(evidence.ledgerId() == null ? -1 : evidence.ledgerId());
        out.writeLong(evidence.entryId() == null ? -1 : evidence.entryId());
    }

    static Evidence evidence(DataInput in) throws IOException {
        var durability = Durability.valueOf(in.readUTF());
        var storedIn = Evidence.StoredIn.valueOf(in.readUTF());
        int copies = in.readInt();
        long ledger = in.readLong();
        long entry = in.readLong();
        return new Evidence(
                durability, storedIn, copies, ledger < 0 ? null : (Long) ledger, entry < 0 ? null : (Long) entry);
    }

    static void write(DataOutput out, Slice slice) throws IOException {
        out.writeLong(slice.startOffset());
        out.writeInt(slice.count());
        out.writeLong(slice.endOffset());
        out.writeLong(slice.epoch());
        Gap gap = slice.gap();
        out.writeBoolean(gap != null);
        if (gap != null) {
            out.writeLong(gap.fromOffset());
            out.writeLong(gap.toOffset());
            out.writeUTF(gap.reason().name());
        }
        out.writeInt(slice.runs().size());
        for (RecordRun run : slice.runs()) {
            out.writeLong(run.firstOffset());
            out.writeInt(run.count());
            out.writeLong(run.appendTimeMicros());
            out.writeLong(run.epoch());
            byte[] records = run.records().toArray(ValueLayout.JAVA_BYTE);
            out.writeInt(records.length);
            out.write(records);
        }
    }

    static Slice slice(DataInput in) throws IOException {
        long start = in.readLong();
        int count = in.readInt();
        long end = in.readLong();
        long epoch = in.readLong();
        Gap gap = in.readBoolean() ? new Gap(in.readLong(), in.readLong(), Gap.Reason.valueOf(in.readUTF())) : null;
        int runs = in.readInt();
        var list = new ArrayList<RecordRun>(runs);
        for (int i = 0; i < runs; i++) {
            long first = in.readLong();
            int messages = in.readInt();
            long time = in.readLong();
            long runEpoch = in.readLong();
            var records = new byte[in.readInt()];
            in.readFully(records);
            list.add(new RecordRun(MemorySegment.ofArray(records), first, messages, time, runEpoch));
        }
        return new Slice(List.copyOf(list), start, count, end, epoch, gap, () -> {});
    }

    static void write(DataOutput out, LogStatus status) throws IOException {
        out.writeLong(status.firstOffset());
        out.writeLong(status.endOffset());
        out.writeLong(status.visibleEnd());
        out.writeLong(status.persistedEnd());
        out.writeLong(status.epoch());
        out.writeInt(status.segments());
        out.writeLong(status.sizeBytes());
        out.writeUTF(status.state().name());
    }

    static LogStatus status(DataInput in) throws IOException {
        return new LogStatus(
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readInt(),
                in.readLong(),
                AtRisk.NOTHING,
                LogStatus.State.valueOf(in.readUTF()));
    }

    static void write(DataOutput out, List<SealedSegment> segments) throws IOException {
        out.writeInt(segments.size());
        for (SealedSegment segment : segments) {
            out.writeLong(segment.baseOffset());
            out.writeLong(segment.endOffset());
            out.writeLong(segment.sizeBytes());
            out.writeLong(segment.newestAppendMicros());
        }
    }

    static List<SealedSegment> segments(DataInput in) throws IOException {
        int count = in.readInt();
        var list = new ArrayList<SealedSegment>(count);
        for (int i = 0; i < count; i++) {
            list.add(new SealedSegment(in.readLong(), in.readLong(), in.readLong(), in.readLong()));
        }
        return List.copyOf(list);
    }

    static void write(DataOutput out, ConsumerKey consumer) throws IOException {
        out.writeUTF(consumer.kind().name());
        out.writeInt(consumer.id());
    }

    static ConsumerKey consumer(DataInput in) throws IOException {
        return new ConsumerKey(ConsumerKey.Kind.valueOf(in.readUTF()), in.readInt());
    }

    static void write(DataOutput out, KeptlogException e) throws IOException {
        out.writeUTF(e.code().name());
        out.writeUTF(e.reason().length() > 4000 ? e.reason().substring(0, 4000) : e.reason());
        out.writeUTF(e.field() == null ? "" : e.field());
        out.writeInt(e.retryAfterSeconds());
        out.writeInt(e.details().size());
        for (Map.Entry<String, Object> detail : e.details().entrySet()) {
            out.writeUTF(detail.getKey());
            out.writeBoolean(detail.getValue() instanceof Number);
            out.writeUTF(detail.getValue().toString());
        }
    }

    static KeptlogException exception(DataInput in) throws IOException {
        ErrorCode code = ErrorCode.valueOf(in.readUTF());
        String reason = in.readUTF();
        String field = in.readUTF();
        int retryAfterSeconds = in.readInt();
        var details = new HashMap<String, Object>();
        for (int left = in.readInt(); left > 0; left--) {
            String name = in.readUTF();
            boolean number = in.readBoolean();
            String value = in.readUTF();
            // Unsigned 64 bits do not fit a long.
            details.put(name, number ? new BigInteger(value) : value);
        }
        return new KeptlogException(code, reason, field.isEmpty() ? null : field, retryAfterSeconds, details, null);
    }
}
