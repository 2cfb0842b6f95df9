// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import java.io.IOException;

/**
 * Writes the state of a journal's owner. It must contain every record that was applied before the call; it may contain later ones, which
 * are replayed over it.
 */
@FunctionalInterface
interface SnapshotSource {
    void writeTo(Parts parts) throws IOException;

    /** Takes the parts of a snapshot, in order. */
    interface Parts {
        void add(byte[] part) throws IOException;
    }
}
