// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.check;

/** Told how far a verification has come. Called by the verifying thread. */
public interface CheckProgress {
    /** Once, before the first byte. */
    void begins(long totalBytes);

    /** So many bytes more were read. */
    void advanced(long bytes);

    CheckProgress NONE = new CheckProgress() {
        @Override
        public void begins(long totalBytes) {}

        @Override
        public void advanced(long bytes) {}
    };
}
