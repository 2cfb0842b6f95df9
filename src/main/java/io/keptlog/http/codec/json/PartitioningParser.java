// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Limits;
import io.keptlog.domain.message.Partitioning;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The member {@code partitioning}: a kind and its value in base64. For one body; not thread-safe. */
final class PartitioningParser {
    private static final byte[] KIND = "kind".getBytes(US_ASCII);
    private static final byte[] VALUE = "value".getBytes(US_ASCII);
    private static final byte[] BALANCED = "balanced".getBytes(US_ASCII);
    private static final byte[] PARTITION_ID = "partition_id".getBytes(US_ASCII);
    private static final byte[] MESSAGES_KEY = "messages_key".getBytes(US_ASCII);

    private final JsonScanner json;
    private final Place place;

    PartitioningParser(JsonScanner json, Place place) {
        this.json = json;
        this.place = place;
    }

    Partitioning read() {
        json.requireKind('{', "an object");
        byte[] kind = null;
        byte[] value = null;
        for (boolean more = json.beginObject(); more; more = json.nextMember()) {
            if (json.textIs(KIND)) {
                place.top("partitioning.kind");
                json.refuseTwice(kind != null);
                json.requireKind('"', "a string");
                json.readString();
                kind = Arrays.copyOfRange(json.text(), json.textBase(), json.textEnd());
            } else if (json.textIs(VALUE)) {
                place.top("partitioning.value");
                json.refuseTwice(value != null);
                value = readValue();
            } else {
                json.skipValue();
            }
            place.top("partitioning");
        }
        return of(kind, value == null ? new byte[0] : value);
    }

    private byte[] readValue() {
        if (json.peek() == 'n') {
            json.readNull();
            return new byte[0];
        }
        json.requireKind('"', "a base64 string");
        json.readString();
        if (Base64Text.decodedLength(json.text(), json.textBase(), json.textEnd()) > Limits.MESSAGE_KEY_MAX_BYTES) {
            throw place.refuse(
                    ErrorCode.INVALID_KEY_VALUE_LENGTH, "Takes at most " + Limits.MESSAGE_KEY_MAX_BYTES + " bytes.");
        }
        byte[] value = Base64Text.decode(json.text(), json.textBase(), json.textEnd());
        if (value == null) {
            throw place.refuse(
                    ErrorCode.INVALID_FORMAT, Base64Text.problem(json.text(), json.textBase(), json.textEnd()));
        }
        return value;
    }

    private Partitioning of(byte @Nullable [] kind, byte[] value) {
        place.top("partitioning.value");
        if (Arrays.equals(kind, BALANCED)) {
            requireLength(value.length == 0, "Must be empty for balanced.");
            return Partitioning.BALANCED;
        }
        if (Arrays.equals(kind, PARTITION_ID)) {
            requireLength(value.length == Integer.BYTES, "Must be 4 bytes, little-endian, for partition_id.");
            long number = 0;
            for (int i = value.length - 1; i >= 0; i--) {
                number = number << 8 | (value[i] & 0xFF);
            }
            return new Partitioning.PartitionId(number);
        }
        if (Arrays.equals(kind, MESSAGES_KEY)) {
            requireLength(
                    value.length > 0, "Must be 1 to " + Limits.MESSAGE_KEY_MAX_BYTES + " bytes for messages_key.");
            return new Partitioning.MessagesKey(value);
        }
        place.top("partitioning.kind");
        throw place.refuse(ErrorCode.INVALID_COMMAND, "Must be balanced, partition_id or messages_key.");
    }

    private void requireLength(boolean right, String rule) {
        if (!right) {
            throw place.refuse(ErrorCode.INVALID_KEY_VALUE_LENGTH, rule);
        }
    }
}
