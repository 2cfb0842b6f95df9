// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec.json;

import io.keptlog.domain.message.BatchBuilder;
import java.nio.ByteBuffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The one base64 dialect that produce bodies speak: the standard alphabet of RFC 4648 §4, with its padding or without any. The url-safe
 * alphabet, line breaks, wrong or half padding and a last character that carries bits beyond the data (what is left of a text that was
 * cut) are refused: nothing is ever decoded to other bytes than the sender's.
 */
final class Base64Text {
    /** Decoded at once; a multiple of 4. Keeps what one large payload allocates flat. */
    private static final int CHUNK_CHARS = 64 * 1024;

    private static final Base64.Decoder DECODER = Base64.getDecoder();

    private Base64Text() {}

    /** Bytes that the text stands for when it is valid. */
    static int decodedLength(byte[] text, int base, int end) {
        return (int) ((charsBeforePadding(text, base, end) - (long) base) * 3 / 4);
    }

    private static int charsBeforePadding(byte[] text, int base, int end) {
        int stop = end;
        while (stop > base && end - stop < 2 && text[stop - 1] == '=') {
            stop--;
        }
        return stop;
    }

    /** The decoded bytes, or null when the text is not base64; {@link #problem} tells why. */
    static byte @Nullable [] decode(byte[] text, int base, int end) {
        if (!lastCharIsWhole(text, base, end)) {
            return null;
        }
        try {
            return DECODER.decode(ByteBuffer.wrap(text, base, end - base)).array();
        } catch (IllegalArgumentException notBase64) {
            return null; // the caller refuses, with a reason that names the character
        }
    }

    /** Decodes into the message that is begun; false when the text is not base64. */
    static boolean decodePayload(byte[] text, int base, int end, BatchBuilder batch) {
        int from = base;
        while (end - from > CHUNK_CHARS) {
            byte[] decoded = decode(text, from, from + CHUNK_CHARS);
            if (decoded == null || decoded.length != CHUNK_CHARS / 4 * 3) {
                return false;
            }
            batch.payload(decoded, 0, decoded.length);
            from += CHUNK_CHARS;
        }
        byte[] decoded = decode(text, from, end);
        if (decoded == null) {
            return false;
        }
        batch.payload(decoded, 0, decoded.length);
        return true;
    }

    /** The JDK's decoder drops the surplus bits of the last character silently. */
    private static boolean lastCharIsWhole(byte[] text, int base, int end) {
        int stop = charsBeforePadding(text, base, end);
        int surplus = stop - base & 3;
        if (surplus < 2) {
            return true;
        }
        int value = sextet(text[stop - 1]);
        return (value & (surplus == 2 ? 0x0F : 0x03)) == 0;
    }

    private static int sextet(byte c) {
        if (c >= 'A' && c <= 'Z') {
            return c - 'A';
        }
        if (c >= 'a' && c <= 'z') {
            return c - 'a' + 26;
        }
        if (c >= '0' && c <= '9') {
            return c - '0' + 52;
        }
        return c == '+' ? 62 : c == '/' ? 63 : -1;
    }

    /** One sentence on why the text is not base64, without showing the text. */
    static String problem(byte[] text, int base, int end) {
        int stop = charsBeforePadding(text, base, end);
        for (int p = base; p < stop; p++) {
            byte c = text[p];
            if (sextet(c) < 0) {
                int index = p - base;
                if (c == '-' || c == '_') {
                    return "Not standard base64: character " + index
                            + " is of the url-safe alphabet; use '+' and '/' in place of '-' and '_'.";
                }
                return c == '\n' || c == '\r'
                        ? "Not base64: a line break at character " + index + "."
                        : "Not base64: character " + index + " is not of its alphabet.";
            }
        }
        int surplus = stop - base & 3;
        if (surplus == 1) {
            return "Not base64: one character is left over; the text may have been cut.";
        }
        return lastCharIsWhole(text, base, end)
                ? "Not base64: the padding is wrong; use all of it or none."
                : "Not base64: the last character carries more bits than its byte; the text may have been cut.";
    }
}
