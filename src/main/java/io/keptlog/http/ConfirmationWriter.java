// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.Evidence;
import io.keptlog.service.message.Receipt;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Writes the reply of a produce by hand: it is small, has one shape, and every request has one. */
final class ConfirmationWriter {
    private static final int EXPECTED_CHARS = 320;
    /** Not counted: not an ndjson request. */
    static final long NO_LINES = -1;

    private ConfirmationWriter() {}

    /**
     * @param storedLines of an ndjson request, else {@link #NO_LINES}
     */
    static byte[] write(Receipt receipt, long storedLines) {
        var json = new StringBuilder(EXPECTED_CHARS);
        Evidence evidence = receipt.evidence();
        json.append("{\"confirmations\":[{\"stream_id\":")
                .append(receipt.partition().streamId());
        json.append(",\"topic_id\":").append(receipt.partition().topicId());
        json.append(",\"partition_id\":").append(receipt.partition().partitionId());
        json.append(",\"base_offset\":").append(Long.toUnsignedString(receipt.baseOffset()));
        json.append(",\"end_offset\":").append(Long.toUnsignedString(receipt.endOffset()));
        json.append(",\"durability\":\"").append(evidence.durability().wireName());
        json.append("\",\"stored_in\":\"").append(evidence.storedIn().name().toLowerCase(Locale.ROOT));
        json.append("\",\"copies\":").append(evidence.copies());
        json.append(",\"epoch\":").append(Long.toUnsignedString(receipt.epoch()));
        json.append(",\"persisted_end_offset\":").append(Long.toUnsignedString(receipt.persistedEndOffset()));
        if (evidence.ledgerId() != null && evidence.entryId() != null) {
            json.append(",\"ledger_id\":").append(evidence.ledgerId().longValue());
            json.append(",\"entry_id\":").append(evidence.entryId().longValue());
        }
        json.append("}]");
        if (storedLines != NO_LINES) {
            json.append(",\"stored_lines\":").append(storedLines);
        }
        return json.append('}').toString().getBytes(StandardCharsets.US_ASCII);
    }
}
