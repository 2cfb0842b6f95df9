// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.client;

import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.KeptlogException;
import java.util.List;
import java.util.Map;

/** Which bookies are known to sync their journal before they answer. */
public interface SyncCheck {
    /** What is known of one bookie. */
    enum Verdict {
        SYNCED,
        NOT_SYNCED,
        /** Its configuration cannot be read. */
        UNKNOWN
    }

    Verdict verdict(String bookie);

    /** An ensemble that is not known is not verified. */
    default boolean allVerified(List<String> bookies) {
        return !bookies.isEmpty() && bookies.stream().allMatch(b -> verdict(b) == Verdict.SYNCED);
    }

    /**
     * @throws KeptlogException QUORUM_UNAVAILABLE: the topic promises stable storage and one of its bookies cannot be
     *     shown to give it
     */
    default void refuseUnverified(List<String> bookies) {
        for (String bookie : bookies) {
            if (verdict(bookie) != Verdict.SYNCED) {
                throw new KeptlogException(
                        ErrorCode.QUORUM_UNAVAILABLE,
                        "Bookie " + bookie
                                + " is not verified to sync its journal; persisted messages are not given to it.");
            }
        }
    }

    /**
     * @throws KeptlogException SYNC_FAILED: stored by an ack quorum, and not all of its bookies are known to sync
     */
    static Evidence requirePersisted(Evidence reached) {
        if (reached.durability() != Durability.PERSISTED) {
            throw new KeptlogException(
                    ErrorCode.SYNC_FAILED,
                    "Stored, but not shown to be on stable storage: not all of its bookies are verified to sync their"
                            + " journals.");
        }
        return reached;
    }

    /** What failed after the append: a code that says "not stored", which a client may act upon, would be wrong. */
    static KeptlogException afterAppend(KeptlogException e) {
        return switch (e.code()) {
            case PRODUCE_TIMEOUT, SYNC_FAILED, PARTITION_DAMAGED -> e;
            default -> new KeptlogException(
                    ErrorCode.PRODUCE_TIMEOUT,
                    "It may be stored; what it has reached cannot be looked up now: " + e.reason(),
                    null,
                    0,
                    Map.of(),
                    e);
        };
    }
}
