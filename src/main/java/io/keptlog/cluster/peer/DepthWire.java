// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.peer;

import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.cluster.CopyState;
import io.keptlog.domain.cluster.DepthCounts;
import io.keptlog.domain.cluster.DepthRange;
import io.keptlog.domain.cluster.KeptDepth;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an owner knows of a partition's copies, between brokers:
 *
 * <pre>
 * u8 guaranteed, 5 × u64 counts, u64 written, u64 looked at (milliseconds; −1 = never), ranges, failures
 * ranges     u32 count, then each   u64 from, u64 to, u64 ledger, u64 first and u64 last entry, u32 E, u32 Qw, u32 Qa, u8 open,
 *                                   4 × u32 copies (present, absent, unreachable, corrupt), u32 count, that many of: bookie, state
 * failures   u32 count, that many texts
 * </pre>
 */
final class DepthWire {
    private static final long NEVER = -1;

    private DepthWire() {}

    static void write(DataOutput out, KeptDepth kept) throws IOException {
        out.writeBoolean(kept.guaranteed());
        DepthCounts counts = kept.counts();
        out.writeLong(counts.messages());
        out.writeLong(counts.belowWriteQuorum());
        out.writeLong(counts.atAckQuorum());
        out.writeLong(counts.belowAckQuorum());
        out.writeLong(counts.lost());
        out.writeLong(kept.written());
        Instant lookedAt = kept.lookedAt();
        out.writeLong(lookedAt == null ? NEVER : lookedAt.toEpochMilli());
        out.writeInt(kept.ranges().size());
        for (DepthRange range : kept.ranges()) {
            write(out, range);
        }
        out.writeInt(kept.failures().size());
        for (String failure : kept.failures()) {
            out.writeUTF(failure);
        }
    }

    private static void write(DataOutput out, DepthRange range) throws IOException {
        out.writeLong(range.fromOffset());
        out.writeLong(range.toOffset());
        out.writeLong(range.ledgerId());
        out.writeLong(range.firstEntry());
        out.writeLong(range.lastEntry());
        out.writeInt(range.policy().ensembleSize());
        out.writeInt(range.policy().writeQuorum());
        out.writeInt(range.policy().ackQuorum());
        out.writeBoolean(range.open());
        out.writeInt(range.present());
        out.writeInt(range.absent());
        out.writeInt(range.unreachable());
        out.writeInt(range.corrupt());
        out.writeInt(range.lacking().size());
        for (Map.Entry<String, CopyState> lacking : range.lacking().entrySet()) {
            out.writeUTF(lacking.getKey());
            out.writeUTF(lacking.getValue().name());
        }
    }

    static KeptDepth read(DataInput in) throws IOException {
        boolean guaranteed = in.readBoolean();
        var counts = new DepthCounts(in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
        long written = in.readLong();
        long lookedAt = in.readLong();
        int count = in.readInt();
        var ranges = new ArrayList<DepthRange>();
        for (int i = 0; i < count; i++) {
            ranges.add(range(in));
        }
        return new KeptDepth(
                guaranteed,
                counts,
                ranges,
                texts(in),
                written,
                lookedAt == NEVER ? null : Instant.ofEpochMilli(lookedAt));
    }

    private static DepthRange range(DataInput in) throws IOException {
        return new DepthRange(
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                new QuorumPolicy(in.readInt(), in.readInt(), in.readInt()),
                in.readBoolean(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                lacking(in));
    }

    private static Map<String, CopyState> lacking(DataInput in) throws IOException {
        int count = in.readInt();
        var lacking = new TreeMap<String, CopyState>();
        for (int i = 0; i < count; i++) {
            lacking.put(in.readUTF(), CopyState.valueOf(in.readUTF()));
        }
        return lacking;
    }

    private static List<String> texts(DataInput in) throws IOException {
        int count = in.readInt();
        var texts = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            texts.add(in.readUTF());
        }
        return texts;
    }
}
