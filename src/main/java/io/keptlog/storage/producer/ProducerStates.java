// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.producer;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.message.ProducerStamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Owns what one partition remembers of its producers: a function of the batches in its log, in order, and of nothing else.
 * <p>Not thread-safe: whoever orders the partition's appends calls it, under the same lock.
 * <p>Holds nothing a crash could lose: it is rebuilt from the log, or from a copy that says where in the log it was made. So it moves only
 * by {@link #applied}, after the write: a failed append leaves it alone, and the retry is new.
 * <p>{@link #decide} refuses with a KeptlogException and changes nothing. Bounded: producers that did not append for
 * {@link Limits#PRODUCER_EXPIRY_SECONDS} (by append time) are forgotten, and the least recent ones beyond {@link Limits#PRODUCERS_PER_PARTITION_MAX}.
 */
public final class ProducerStates {
    private static final long EXPIRY_MICROS = TimeUnit.SECONDS.toMicros(Limits.PRODUCER_EXPIRY_SECONDS);

    /** By producer id; the one that appended least recently first. */
    private final Map<Long, ProducerState> states = new LinkedHashMap<>();

    /** Nobody has written. */
    public ProducerStates() {}

    /** @param copy what {@link #list} returned */
    public ProducerStates(List<ProducerState> copy) {
        for (ProducerState one : copy) {
            states.put(one.producerId(), one);
        }
        if (states.size() != copy.size() || copy.size() > Limits.PRODUCERS_PER_PARTITION_MAX) {
            throw new IllegalArgumentException(copy.size() + " producers, of which " + states.size() + " differ");
        }
    }

    /**
     * Says what to do with a batch. A producer that is not known, or comes with a newer epoch, may begin at any sequence.
     *
     * @param nowMicros append time that the batch would get
     * @throws KeptlogException SEQUENCE_GAP, PRODUCER_FENCED: it must not be appended
     */
    public ProducerVerdict decide(ProducerStamp stamp, int count, long nowMicros) {
        ProducerState known = states.get(stamp.producerId());
        if (known == null || expired(known, nowMicros)) {
            return ProducerVerdict.NEW;
        }
        int age = Integer.compareUnsigned(stamp.epoch(), known.epoch());
        if (age < 0) {
            throw fenced(stamp, known);
        }
        return age > 0 ? ProducerVerdict.NEW : known.decide(stamp.sequence(), count);
    }

    /**
     * A batch is in the log. What the log says counts, also when it does not continue what is known: then the messages before it are
     * not known any more.
     *
     * @param epoch boot number of the server that wrote it
     */
    public void applied(ProducerStamp stamp, int count, long baseOffset, long epoch, long appendMicros) {
        forgetExpired(appendMicros);
        var run = new StoredRun(stamp.sequence(), stamp.sequence() + count, baseOffset, baseOffset + count, epoch);
        // Taken out and put in again: the order is that of the last appends.
        ProducerState before = states.remove(stamp.producerId());
        ProducerState after = before != null && before.continuedBy(stamp)
                ? before.with(run, appendMicros)
                : new ProducerState(stamp.producerId(), stamp.epoch(), List.of(run), appendMicros);
        states.put(stamp.producerId(), after);
        if (states.size() > Limits.PRODUCERS_PER_PARTITION_MAX) {
            states.remove(states.keySet().iterator().next());
        }
    }

    /** A copy, the one that appended least recently first. */
    public List<ProducerState> list() {
        return new ArrayList<>(states.values());
    }

    private void forgetExpired(long nowMicros) {
        var oldest = states.values().iterator();
        while (oldest.hasNext() && expired(oldest.next(), nowMicros)) {
            oldest.remove();
        }
    }

    private static boolean expired(ProducerState state, long nowMicros) {
        return nowMicros - state.lastAppendMicros() > EXPIRY_MICROS;
    }

    private static KeptlogException fenced(ProducerStamp stamp, ProducerState known) {
        return new KeptlogException(
                        ErrorCode.PRODUCER_FENCED,
                        "Producer " + Long.toUnsignedString(stamp.producerId()) + " has written with epoch "
                                + Integer.toUnsignedString(known.epoch()) + ", so its epoch "
                                + Integer.toUnsignedString(stamp.epoch()) + " is over. Nothing was stored.",
                        "Keptlog-Producer-Epoch")
                .with("current_epoch", Integer.toUnsignedLong(known.epoch()));
    }
}
