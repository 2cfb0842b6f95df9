// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.producer;

import io.keptlog.domain.Limits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A copy of {@link ProducerStates} as bytes, for a snapshot; who keeps it adds the checksum and the place in the log. Little-endian, per
 * producer, the one that appended least recently first:
 *
 * <pre>
 *  0  u64  producer id
 *  8  u32  epoch
 * 12  u32  number of runs, 1 to 6
 * 16  u64  append time of its last batch, microseconds since the epoch
 * 24  per run: u64 first sequence, u64 next sequence, u64 base offset, u64 end offset, u64 epoch of the server
 * </pre>
 */
public final class ProducerCodec {
    private static final int HEAD_BYTES = 24;
    private static final int RUN_BYTES = 40;
    /** Bytes of the largest copy. */
    public static final int BYTES_MAX =
            Limits.PRODUCERS_PER_PARTITION_MAX * (HEAD_BYTES + ProducerState.RUNS_MAX * RUN_BYTES);

    private ProducerCodec() {}

    public static byte[] encode(List<ProducerState> states) {
        int length = 0;
        for (ProducerState state : states) {
            length += HEAD_BYTES + state.runs().size() * RUN_BYTES;
        }
        ByteBuffer out = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        for (ProducerState state : states) {
            out.putLong(state.producerId())
                    .putInt(state.epoch())
                    .putInt(state.runs().size())
                    .putLong(state.lastAppendMicros());
            for (StoredRun run : state.runs()) {
                out.putLong(run.firstSequence())
                        .putLong(run.nextSequence())
                        .putLong(run.baseOffset())
                        .putLong(run.endOffset())
                        .putLong(run.epoch());
            }
        }
        return out.array();
    }

    /**
     * @return null when the bytes are no such copy
     */
    public static @Nullable ProducerStates decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        List<ProducerState> states = new ArrayList<>();
        try {
            while (in.hasRemaining()) {
                states.add(state(in));
            }
            return new ProducerStates(states);
        } catch (java.nio.BufferUnderflowException | IllegalArgumentException e) {
            // The records check what they are made of: whatever does not fit is not a copy.
            return null;
        }
    }

    private static ProducerState state(ByteBuffer in) {
        long producerId = in.getLong();
        int epoch = in.getInt();
        int count = in.getInt();
        long lastAppendMicros = in.getLong();
        List<StoredRun> runs = new ArrayList<>();
        for (int i = 0; i < count && i <= ProducerState.RUNS_MAX; i++) {
            runs.add(new StoredRun(in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong()));
        }
        return new ProducerState(producerId, epoch, runs, lastAppendMicros);
    }
}
