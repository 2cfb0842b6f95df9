// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.RecoveryReport.Found;

/** Ends an examination where the log stops being readable. */
final class DamageFoundException extends Exception {
    private final transient Diagnosis.Trouble trouble;

    DamageFoundException(Found found, long fromOffset, long toOffset, long position, String reason) {
        super(reason, null, false, false);
        this.trouble = new Diagnosis.Trouble(found, fromOffset, Math.max(toOffset, -1), position, reason);
    }

    Diagnosis.Trouble trouble() {
        return trouble;
    }
}
