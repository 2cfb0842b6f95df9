// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.append;

import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.message.MessageBatch;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the copy of an open log's producers new enough for the next opening: one before the first frame of a producer, one every so many
 * bytes or frames, one before frames go that only they know of. Thread-safe; the copies are its lane's confirmed state, so a former owner's is true as well.
 */
public final class ProducerCopier {
    private static final Logger LOG = LoggerFactory.getLogger(ProducerCopier.class);

    private final String name;
    private final AppendLane lane;
    private final ProducerCopies copies;
    private volatile boolean begun;
    private AppendLane.ProducersPoint copied;

    /**
     * @param begun whether there is a copy
     * @param copied what the opening has read
     */
    public ProducerCopier(
            String name, AppendLane lane, ProducerCopies copies, boolean begun, ProducerCopies.Copy copied) {
        this.name = name;
        this.lane = lane;
        this.copies = copies;
        this.begun = begun;
        this.copied = new AppendLane.ProducersPoint(copied, 0, 0);
    }

    /** @throws KeptlogException the metadata store does not answer: nothing was submitted */
    public void beforeAppend(MessageBatch batch) {
        if (batch.producer() != null && !begun) {
            begin();
        }
    }

    private synchronized void begin() {
        if (!begun) {
            copies.write(new ProducerCopies.Copy(lane.confirmedEnd(), List.of()));
            begun = true;
        }
    }

    /** By the owner, every so often and before it hands the log over. What fails is tried again. */
    public void copyWhenDue() {
        copyWhenMovedBy(Limits.PRODUCER_SNAPSHOT_EVERY_BYTES, Limits.PRODUCER_SNAPSHOT_EVERY_FRAMES);
    }

    /** A tenth of what is due at all, so that the next owner has little to read. */
    public void copyBeforeHandover() {
        copyWhenMovedBy(Limits.PRODUCER_SNAPSHOT_EVERY_BYTES / 10, Limits.PRODUCER_SNAPSHOT_EVERY_FRAMES / 10);
    }

    private synchronized void copyWhenMovedBy(long bytes, long frames) {
        if (begun && lane.producersMovedBy(copied, bytes, frames)) {
            try {
                copy();
            } catch (KeptlogException e) {
                LOG.info("{}: no copy of its producers now: {}", name, e.reason());
            }
        }
    }

    /**
     * Frames before the offset may go after this.
     *
     * @throws KeptlogException there is no copy: they must stay
     */
    public synchronized void requireCopied(long endOffset) {
        if (begun && copied.copy().endOffset() < endOffset) {
            copy();
        }
    }

    private void copy() {
        AppendLane.ProducersPoint now = lane.producers();
        if (now != null && now.copy().endOffset() > copied.copy().endOffset()) {
            copies.write(now.copy());
            copied = now;
        }
    }
}
