// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.producer;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.message.ProducerStamp;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * One producer in one partition: its epoch, and the messages of that epoch that the log has, without holes. Immutable.
 *
 * @param epoch u32
 * @param runs oldest first; each begins with the sequence at which the one before it ends. All but the oldest are exact, so at least the
 *     last five confirmations are
 * @param lastAppendMicros append time of its last batch, microseconds since the epoch
 */
public record ProducerState(long producerId, int epoch, List<StoredRun> runs, long lastAppendMicros) {
    /** The confirmations that are always exact, and one run for everything before them. */
    static final int RUNS_MAX = Limits.PRODUCER_CONFIRMATIONS_KEPT + 1;

    public ProducerState {
        runs = List.copyOf(runs);
        if (producerId == 0 || runs.isEmpty() || runs.size() > RUNS_MAX || !continuous(runs)) {
            throw new IllegalArgumentException("producer " + producerId + " with " + runs);
        }
    }

    static boolean continuous(List<StoredRun> runs) {
        for (int i = 1; i < runs.size(); i++) {
            if (runs.get(i).firstSequence() != runs.get(i - 1).nextSequence()
                    || runs.get(i).baseOffset() < runs.get(i - 1).endOffset()) {
                return false;
            }
        }
        return true;
    }

    /** Sequence that the next new message must have; u64. */
    public long nextSequence() {
        return runs.getLast().nextSequence();
    }

    boolean continuedBy(ProducerStamp stamp) {
        return stamp.epoch() == epoch && stamp.sequence() == nextSequence();
    }

    ProducerState with(StoredRun next, long appendMicros) {
        List<StoredRun> more = new ArrayList<>(runs);
        StoredRun last = more.getLast();
        if (last.adjoins(next)) {
            more.set(more.size() - 1, last.and(next));
        } else {
            more.add(next);
        }
        if (more.size() > RUNS_MAX) {
            more.set(1, more.getFirst().and(more.get(1)));
            more.removeFirst();
        }
        return new ProducerState(producerId, epoch, more, appendMicros);
    }

    /**
     * A batch of this producer's epoch.
     *
     * @throws KeptlogException SEQUENCE_GAP
     */
    ProducerVerdict decide(long sequence, int count) {
        long next = nextSequence();
        if (sequence == next) {
            return ProducerVerdict.NEW;
        }
        if (Long.compareUnsigned(sequence, next) > 0) {
            throw gap(sequence, "messages before it are missing");
        }
        long first = runs.getFirst().firstSequence();
        if (Long.compareUnsigned(sequence, first) < 0) {
            throw gap(
                    sequence,
                    "what the partition remembers of this epoch begins with " + Long.toUnsignedString(first)
                            + ", so nothing is known of it");
        }
        if (Long.compareUnsigned(next - sequence, count) < 0) {
            return ProducerVerdict.partlyOld((int) (next - sequence));
        }
        long last = sequence + count - 1;
        StoredRun lastRun = runOf(last);
        return new ProducerVerdict(count, runOf(sequence).baseOf(sequence), lastRun.endOf(last), lastRun.epoch());
    }

    private StoredRun runOf(long sequence) {
        int i = runs.size() - 1;
        while (Long.compareUnsigned(runs.get(i).firstSequence(), sequence) > 0) {
            i--;
        }
        return runs.get(i);
    }

    private KeptlogException gap(long sequence, String why) {
        String expected = Long.toUnsignedString(nextSequence());
        return new KeptlogException(
                        ErrorCode.SEQUENCE_GAP,
                        "Sequence " + Long.toUnsignedString(sequence) + " of producer "
                                + Long.toUnsignedString(producerId) + " does not follow: " + why
                                + ". The next one is " + expected + ". Nothing was stored.",
                        "Keptlog-Producer-Sequence")
                .with("expected_sequence", new BigInteger(expected));
    }
}
