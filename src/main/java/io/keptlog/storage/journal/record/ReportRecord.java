// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal.record;

import io.keptlog.domain.KeptReport;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.storage.record.JournalJson;
import tools.jackson.core.JacksonException;

/** A kept report as UTF-8 JSON. A later record with the same number replaces the earlier one. */
public final class ReportRecord {
    /** Number of a report that was written before reports had numbers. */
    public static final long NO_NUMBER = -1;

    private ReportRecord() {}

    public static byte[] write(KeptReport report) {
        return JournalJson.write(report);
    }

    /**
     * @throws JacksonException it is no report
     * @throws IllegalArgumentException it is no report
     */
    public static KeptReport read(byte[] json) {
        try {
            return JournalJson.read(json, KeptReport.class);
        } catch (JacksonException numbered) {
            try {
                return new KeptReport(NO_NUMBER, JournalJson.read(json, RecoveryReport.class), null);
            } catch (JacksonException e) {
                e.addSuppressed(numbered);
                throw e;
            }
        }
    }
}
