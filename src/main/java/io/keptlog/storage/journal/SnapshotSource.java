// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import java.io.IOException;

/** The state of a journal's owner, to be written at the head of a generation. */
@FunctionalInterface
interface SnapshotSource {
    /**
     * Takes hold of the state, under the journal's lock, so cheaply. Every record applied before is in it, and the records after it are
     * replayed over it: where applying one twice is not the same as once, later ones must not be in it.
     */
    Snapshot capture();

    /** A state that can be written later and more than once, without the lock. */
    @FunctionalInterface
    interface Snapshot {
        void writeTo(Parts parts) throws IOException;
    }

    /** Takes the parts of a snapshot, in order. */
    @FunctionalInterface
    interface Parts {
        void add(byte[] part) throws IOException;
    }
}
