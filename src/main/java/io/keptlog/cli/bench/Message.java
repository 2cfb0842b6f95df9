// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.bench;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Bodies of produce requests. A body is made once and sent again and again; for end-to-end each has the time in the first bytes of its
 * messages: 8 bytes, big-endian, nanoseconds of this process's clock.
 */
final class Message {
    static final int STAMP_BYTES = Long.BYTES;

    private static final long SEED = 42;

    private Message() {}

    /** JSON in Iggy's form; all messages carry the same random payload. */
    static byte[] body(int partition, int batch, int payloadBytes, long stampNanos) {
        byte[] payload = new byte[payloadBytes];
        new java.util.Random(SEED).nextBytes(payload);
        if (payloadBytes >= STAMP_BYTES) {
            ByteBuffer.wrap(payload).putLong(stampNanos);
        }
        String message = "{\"id\":0,\"payload\":\"" + Base64.getEncoder().encodeToString(payload) + "\"}";
        String number = Base64.getEncoder().encodeToString(new byte[] {
            (byte) partition, (byte) (partition >> 8), (byte) (partition >> 16), (byte) (partition >> 24)
        });
        var json = new StringBuilder("{\"partitioning\":{\"kind\":\"partition_id\",\"value\":\"")
                .append(number)
                .append("\"},\"messages\":[");
        for (int i = 0; i < batch; i++) {
            json.append(i == 0 ? "" : ",").append(message);
        }
        return json.append("]}").toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** The stamp of a payload in base64. */
    static long stampNanos(String base64) {
        return ByteBuffer.wrap(Base64.getDecoder().decode(base64)).getLong();
    }
}
