// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec.json;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.message.BatchBuilder;
import io.keptlog.domain.message.MessageIdReader;
import io.keptlog.domain.message.Partitioning;
import io.keptlog.domain.message.RandomIds;

/**
 * The grammar of Iggy's SendMessages, read from a whole JSON body straight into a batch, without an object per message. Members may come
 * in any order. An unknown member at the top is refused, one inside partitioning or a message is passed over; a known member that comes
 * twice is refused. For one body; not thread-safe.
 */
public final class SendMessagesParser {
    /** Room that the array has after the body; its first byte is 0. */
    public static final int SLACK_BYTES = JsonScanner.SLACK_BYTES;

    private static final byte[] PARTITIONING = "partitioning".getBytes(US_ASCII);
    private static final byte[] MESSAGES = "messages".getBytes(US_ASCII);
    private static final byte[] ID = "id".getBytes(US_ASCII);
    private static final byte[] PAYLOAD = "payload".getBytes(US_ASCII);
    private static final byte[] USER_HEADERS = "user_headers".getBytes(US_ASCII);
    private static final byte[] HEADER = "header".getBytes(US_ASCII);

    private static final int SEEN_ID = 1;
    private static final int SEEN_PAYLOAD = 2;
    private static final int SEEN_USER_HEADERS = 4;
    private static final int SEEN_HEADER = 8;
    private static final int NAME_SHOWN_BYTES = 64;

    private final Place place = new Place();
    private final JsonScanner json;
    private final BatchBuilder batch;
    private final RandomIds randomIds;
    private final long originMicros;
    private final UserHeadersParser headers;
    private final MessageIdReader id = new MessageIdReader();
    private final MessageIdReader sdkId = new MessageIdReader();
    private int seen;
    private int payloadPosition;
    private boolean payloadInBody;
    private int payloadBase;
    private int payloadEnd;

    /**
     * @param body goes on for {@link #SLACK_BYTES} after {@code length}
     * @param originMicros of every message, microseconds since the epoch
     */
    public SendMessagesParser(byte[] body, int length, BatchBuilder batch, RandomIds randomIds, long originMicros) {
        this.json = new JsonScanner(body, length, place);
        this.batch = batch;
        this.randomIds = randomIds;
        this.originMicros = originMicros;
        this.headers = new UserHeadersParser(json, place, batch);
    }

    /**
     * Reads the whole body into the batch, which is ready to be built when this returns.
     *
     * @throws KeptlogException as {@code ProduceCodec.readJson}; the batch is of no use then
     */
    public Partitioning parse() {
        Partitioning partitioning = null;
        boolean messages = false;
        for (boolean more = json.beginObject(); more; more = json.nextMember()) {
            if (json.textIs(PARTITIONING)) {
                place.top("partitioning");
                json.refuseTwice(partitioning != null);
                partitioning = new PartitioningParser(json, place).read();
            } else if (json.textIs(MESSAGES)) {
                place.top("messages");
                json.refuseTwice(messages);
                messages = true;
                messages();
            } else {
                throw unknownMember();
            }
            place.top("");
        }
        json.requireEnd();
        if (partitioning == null) {
            throw missing("partitioning");
        }
        if (!messages) {
            throw missing("messages");
        }
        return partitioning;
    }

    private KeptlogException unknownMember() {
        int shown = Math.min(json.textEnd() - json.textBase(), NAME_SHOWN_BYTES);
        String name = new String(json.text(), json.textBase(), shown, UTF_8);
        return new KeptlogException(ErrorCode.INVALID_COMMAND, "Unknown member: " + name, name);
    }

    private static KeptlogException missing(String name) {
        return new KeptlogException(ErrorCode.INVALID_COMMAND, "The member " + name + " is missing.", name);
    }

    // --- messages ---

    private void messages() {
        json.requireKind('[', "an array");
        int index = 0;
        for (boolean more = json.beginArray(); more; more = json.nextElement()) {
            if (index == Limits.MESSAGES_PER_BATCH_MAX) {
                throw place.refuse(
                        ErrorCode.TOO_MANY_MESSAGES, "At most " + Limits.MESSAGES_PER_BATCH_MAX + " messages.");
            }
            place.message(index++);
            message();
            place.top("messages");
        }
        if (index == 0) {
            throw place.refuse(ErrorCode.INVALID_MESSAGES_COUNT, "At least one message is needed.");
        }
    }

    private void message() {
        json.requireKind('{', "an object");
        seen = 0;
        id.set(0, 0);
        sdkId.set(0, 0);
        boolean ownId = false;
        batch.begin();
        for (boolean more = json.beginObject(); more; more = json.nextMember()) {
            if (json.textIs(PAYLOAD)) {
                begin(SEEN_PAYLOAD, "payload");
                findPayload();
            } else if (json.textIs(ID)) {
                begin(SEEN_ID, "id");
                ownId = readId(id, false);
            } else if (json.textIs(USER_HEADERS)) {
                begin(SEEN_USER_HEADERS, "user_headers");
                headers.read();
            } else if (json.textIs(HEADER)) {
                begin(SEEN_HEADER, "header");
                readSdkHeader();
            } else {
                json.skipValue();
            }
            place.member("");
        }
        endMessage(ownId ? id : sdkId);
    }

    private void begin(int bit, String member) {
        place.member(member);
        json.refuseTwice((seen & bit) != 0);
        seen |= bit;
    }

    /** User headers are stored before the payload, so it is decoded when the message ends. */
    private void findPayload() {
        json.requireKind('"', "a base64 string");
        payloadPosition = json.position();
        json.readString();
        payloadInBody = json.textIsInBody();
        payloadBase = json.textBase();
        payloadEnd = json.textEnd();
    }

    private void endMessage(MessageIdReader chosen) {
        place.member("payload");
        if ((seen & SEEN_PAYLOAD) == 0) {
            throw place.refuse(ErrorCode.INVALID_COMMAND, "The member is missing.");
        }
        if (payloadInBody) {
            decodePayload(json.body(), payloadBase, payloadEnd);
        } else {
            int after = json.position();
            json.seek(payloadPosition);
            json.readString();
            decodePayload(json.text(), json.textBase(), json.textEnd());
            json.seek(after);
        }
        if (chosen.isZero()) {
            randomIds.next(chosen);
        }
        batch.end(chosen.high(), chosen.low(), originMicros);
    }

    private void decodePayload(byte[] text, int base, int end) {
        if (base == end) {
            throw place.refuse(ErrorCode.EMPTY_MESSAGE_PAYLOAD, "A payload has at least one byte.");
        }
        if (Base64Text.decodedLength(text, base, end) > Limits.PAYLOAD_MAX_BYTES) {
            throw place.refuse(
                    ErrorCode.TOO_BIG_MESSAGE_PAYLOAD, "A payload has at most " + Limits.PAYLOAD_MAX_BYTES + " bytes.");
        }
        if (!Base64Text.decodePayload(text, base, end, batch)) {
            throw place.refuse(ErrorCode.INVALID_FORMAT, Base64Text.problem(text, base, end));
        }
    }

    // --- ids ---

    /** The Java SDK sends the id in a header of its own, as a number up to 2^128 − 1. */
    private void readSdkHeader() {
        if (json.peek() != '{') {
            json.skipValue();
            return;
        }
        boolean found = false;
        for (boolean more = json.beginObject(); more; more = json.nextMember()) {
            if (json.textIs(ID)) {
                place.member("header.id");
                json.refuseTwice(found);
                found = true;
                readId(sdkId, true);
            } else {
                json.skipValue();
            }
            place.member("header");
        }
    }

    /**
     * @return whether there is one: null counts as absent
     */
    private boolean readId(MessageIdReader into, boolean wideNumber) {
        byte first = json.peek();
        boolean valid;
        if (first == 'n') {
            json.readNull();
            return false;
        }
        if (first == '"') {
            json.readString();
            valid = into.readText(json.text(), json.textBase(), json.textEnd());
        } else if (first == '-' || (first >= '0' && first <= '9')) {
            json.readNumber();
            valid = json.numberIsInteger()
                    && into.readDecimal(json.text(), json.textBase(), json.textEnd())
                    && (wideNumber || into.high() == 0);
        } else {
            json.skipValue();
            valid = false;
        }
        if (!valid) {
            throw place.refuse(
                    ErrorCode.INVALID_COMMAND,
                    "An id is a number up to 18446744073709551615, or a string: decimal up to 2^128 - 1, 32 hex digits"
                            + " or a UUID.");
        }
        return true;
    }
}
