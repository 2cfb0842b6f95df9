// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import java.io.IOException;

/** What recovery has put aside, for whoever looks at it and for its size. Any thread. */
public interface QuarantineFiles {
    /** Bytes of everything in it. */
    long sizeBytes() throws IOException;

    /**
     * Deletes what a report names. Repeatable.
     *
     * @param name as the report says it, relative to the data directory
     * @return whether it was there
     */
    boolean delete(String name) throws IOException;
}
