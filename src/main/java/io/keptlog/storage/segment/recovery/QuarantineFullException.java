// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.storage.file.NoSpaceException;

/** The copies in the quarantine have reached their bound. Like a full disk: the partition is read-only until there is room. */
final class QuarantineFullException extends NoSpaceException {
    QuarantineFullException(String message) {
        super(message);
    }
}
