// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.storage.file.DataDirectory;
import java.io.IOException;

/** The boot number of this server, durable before it is used and never given twice. */
public interface EpochSource {
    long epoch();

    /**
     * Makes this boot's number higher than the given one, because a log knows of that one already.
     *
     * @return the new number, on stable storage
     */
    long raiseAbove(long epoch) throws IOException;

    /** The number that the data directory keeps. */
    static EpochSource of(DataDirectory directory) {
        return new EpochSource() {
            @Override
            public long epoch() {
                return directory.epoch();
            }

            @Override
            public long raiseAbove(long epoch) throws IOException {
                return directory.raiseEpochAbove(epoch);
            }
        };
    }
}
