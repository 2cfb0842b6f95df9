// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.client;

import java.util.List;

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
     * @throws io.keptlog.domain.KeptlogException QUORUM_UNAVAILABLE: the topic promises stable storage and one of its bookies cannot be
     *     shown to give it
     */
    default void refuseUnverified(List<String> bookies) {
        for (String bookie : bookies) {
            if (verdict(bookie) != Verdict.SYNCED) {
                throw new io.keptlog.domain.KeptlogException(
                        io.keptlog.domain.ErrorCode.QUORUM_UNAVAILABLE,
                        "Bookie " + bookie
                                + " is not verified to sync its journal; persisted messages are not given to it.");
            }
        }
    }
}
