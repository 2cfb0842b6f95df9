// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Limits;
import io.keptlog.domain.message.BatchBuilder;
import io.keptlog.domain.message.HeaderKind;
import org.jspecify.annotations.Nullable;

/**
 * The user headers of one message: null, a list of {key, value} with a kind and base64 bytes each, or one base64 string of raw bytes,
 * which is kept as it is. Writes them into the message that is begun. For one body; not thread-safe.
 */
final class UserHeadersParser {
    private static final byte[] KEY = "key".getBytes(US_ASCII);
    private static final byte[] VALUE = "value".getBytes(US_ASCII);
    private static final byte[] KIND = "kind".getBytes(US_ASCII);
    private static final HeaderKind[] KINDS = HeaderKind.values();
    private static final byte[][] KIND_NAMES = new byte[KINDS.length][];

    static {
        for (int i = 0; i < KINDS.length; i++) {
            KIND_NAMES[i] = KINDS[i].wireName().getBytes(US_ASCII);
        }
    }

    private final JsonScanner json;
    private final Place place;
    private final BatchBuilder batch;
    private int storedBytes;

    UserHeadersParser(JsonScanner json, Place place, BatchBuilder batch) {
        this.json = json;
        this.place = place;
        this.batch = batch;
    }

    void read() {
        switch (json.peek()) {
            case 'n' -> json.readNull();
            case '[' -> readList();
            case '"' -> readRaw();
            default -> {
                json.skipValue();
                throw place.refuse(ErrorCode.INVALID_COMMAND, "Must be null, an array or a base64 string.");
            }
        }
    }

    private void readRaw() {
        json.readString();
        requireRoom(Base64Text.decodedLength(json.text(), json.textBase(), json.textEnd()));
        byte[] raw = decoded(ErrorCode.INVALID_FORMAT);
        if (raw.length > 0) {
            batch.rawHeaders(raw, 0, raw.length);
        }
    }

    private byte[] decoded(ErrorCode refusal) {
        byte[] bytes = Base64Text.decode(json.text(), json.textBase(), json.textEnd());
        if (bytes == null) {
            throw place.refuse(refusal, Base64Text.problem(json.text(), json.textBase(), json.textEnd()));
        }
        return bytes;
    }

    private void requireRoom(int lengthBytes) {
        if (lengthBytes > Limits.USER_HEADERS_MAX_BYTES) {
            throw place.refuse(
                    ErrorCode.TOO_BIG_USER_HEADERS,
                    "The user headers of a message take at most " + Limits.USER_HEADERS_MAX_BYTES + " bytes.");
        }
    }

    private void readList() {
        storedBytes = 0;
        int index = 0;
        for (boolean more = json.beginArray(); more; more = json.nextElement()) {
            place.header(index++);
            readHeader();
            place.member("user_headers");
        }
    }

    private void readHeader() {
        requireObject();
        Part key = null;
        Part value = null;
        for (boolean more = json.beginObject(); more; more = json.nextMember()) {
            if (json.textIs(KEY)) {
                refuseTwice(key != null, "key");
                key = readPart("key", ErrorCode.INVALID_HEADER_KEY);
            } else if (json.textIs(VALUE)) {
                refuseTwice(value != null, "value");
                value = readPart("value", ErrorCode.INVALID_HEADER_VALUE);
            } else {
                json.skipValue();
            }
            place.part("");
        }
        write(required(key, "key", ErrorCode.INVALID_HEADER_KEY));
        write(required(value, "value", ErrorCode.INVALID_HEADER_VALUE));
    }

    private void write(Part part) {
        storedBytes += HeaderKind.PREFIX_BYTES + part.bytes.length;
        requireRoom(storedBytes);
        batch.headerPart(part.kind, part.bytes, 0, part.bytes.length);
    }

    private void requireObject() {
        if (json.peek() != '{') {
            json.skipValue();
            throw place.refuse(ErrorCode.INVALID_COMMAND, "Must be an object.");
        }
    }

    private void refuseTwice(boolean already, String part) {
        if (already) {
            place.part(part);
            throw place.refuse(ErrorCode.INVALID_COMMAND, "The member comes twice.");
        }
    }

    private Part readPart(String name, ErrorCode refusal) {
        place.part(name);
        requireObject();
        HeaderKind kind = null;
        byte[] bytes = null;
        for (boolean more = json.beginObject(); more; more = json.nextMember()) {
            if (json.textIs(KIND)) {
                refuseTwice(kind != null, name + ".kind");
                place.part(name + ".kind");
                kind = readKind(refusal);
            } else if (json.textIs(VALUE)) {
                refuseTwice(bytes != null, name + ".value");
                place.part(name + ".value");
                bytes = readBytes(refusal);
            } else {
                json.skipValue();
            }
            place.part(name);
        }
        HeaderKind ofKind = required(kind, name + ".kind", refusal);
        byte[] value = required(bytes, name + ".value", refusal);
        if (!ofKind.takes(value.length)) {
            place.part(name + ".value");
            throw place.refuse(
                    refusal,
                    "A " + ofKind.wireName() + " has " + ofKind.lengthRule() + ", this one has " + value.length + ".");
        }
        return new Part(ofKind, value);
    }

    private <T> T required(@Nullable T found, String part, ErrorCode refusal) {
        if (found == null) {
            place.part(part);
            throw place.refuse(refusal, "The member is missing.");
        }
        return found;
    }

    private HeaderKind readKind(ErrorCode refusal) {
        if (json.peek() == '"') {
            json.readString();
            for (int i = 0; i < KINDS.length; i++) {
                if (json.textIs(KIND_NAMES[i])) {
                    return KINDS[i];
                }
            }
        } else {
            json.skipValue();
        }
        throw place.refuse(
                refusal,
                "Must be raw, string, bool, int8, int16, int32, int64, int128, uint8, uint16, uint32, uint64, uint128,"
                        + " float32 or float64.");
    }

    private byte[] readBytes(ErrorCode refusal) {
        if (json.peek() != '"') {
            json.skipValue();
            throw place.refuse(refusal, "Must be a base64 string.");
        }
        json.readString();
        int length = Base64Text.decodedLength(json.text(), json.textBase(), json.textEnd());
        if (length > Limits.USER_HEADER_PART_MAX_BYTES) {
            throw place.refuse(
                    refusal,
                    "Takes at most " + Limits.USER_HEADER_PART_MAX_BYTES + " bytes, this one has " + length + ".");
        }
        return decoded(refusal);
    }

    /** A key or a value. */
    private record Part(HeaderKind kind, byte[] bytes) {}
}
