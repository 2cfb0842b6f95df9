// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.append;

import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.ProducerStamp;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.producer.ProducerState;
import io.keptlog.storage.producer.ProducerStates;
import io.keptlog.storage.producer.ProducerVerdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a lane remembers of idempotent producers, twice: with the frames in flight, to decide on the next batch, and without them, to go
 * back to when one fails. Under the lane's lock. A partition that no producer ever wrote to pays a test of one field.
 */
public final class LaneProducers {
    private ProducerStates withInFlight;
    private final ProducerStates confirmed;
    private boolean seen;
    private long bytes;
    private long frames;

    /**
     * @param confirmed what the log says up to its end
     * @param seen whether a producer ever wrote to the log
     */
    public LaneProducers(ProducerStates confirmed, boolean seen) {
        this.confirmed = confirmed;
        this.withInFlight = new ProducerStates(confirmed.list());
        this.seen = seen;
    }

    /**
     * @return what to do with the batch, or null when all of it is to be appended
     * @throws io.keptlog.domain.KeptlogException SEQUENCE_GAP, PRODUCER_FENCED: it must not be appended
     */
    @Nullable
    public ProducerVerdict old(MessageBatch batch, long appendMicros) {
        ProducerStamp stamp = batch.producer();
        if (stamp == null) {
            return null;
        }
        ProducerVerdict verdict = withInFlight.decide(stamp, batch.count(), appendMicros);
        return verdict.isNew() ? null : verdict;
    }

    public void submitted(FrameHeader header) {
        apply(withInFlight, header);
    }

    public void confirmed(FrameHeader header) {
        apply(confirmed, header);
        bytes += header.frameLength();
        frames++;
    }

    private void apply(ProducerStates states, FrameHeader header) {
        ProducerStamp stamp = header.producer();
        if (stamp != null) {
            seen = true;
            states.applied(stamp, header.count(), header.baseOffset(), header.epoch(), header.appendTimeMicros());
        }
    }

    /** What was in flight is not stored, or not known to be. */
    public void forgetUnconfirmed() {
        withInFlight = new ProducerStates(confirmed.list());
    }

    public boolean seen() {
        return seen;
    }

    /** As of the confirmed end. */
    public List<ProducerState> copy() {
        return confirmed.list();
    }

    /** Confirmed since the opening. */
    public long bytes() {
        return bytes;
    }

    /** Confirmed since the opening. */
    public long frames() {
        return frames;
    }
}
