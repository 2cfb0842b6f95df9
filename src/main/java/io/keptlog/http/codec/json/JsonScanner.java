// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec.json;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads strict JSON (RFC 8259) from a whole body in memory, pulled by its caller member by member; strings are found by their bounds and
 * copied only when they hold escapes or are not ASCII. Not thread-safe. Anything that is not JSON, or is deeper or has longer numbers
 * than {@link Limits} say, is refused with INVALID_FORMAT and the byte's position; memory does not grow with depth or length.
 *
 * <p>The array goes on for {@link #SLACK_BYTES} after the body and its first byte there is 0, which no token may contain: so no look
 * ahead needs a bounds check.
 */
final class JsonScanner {
    static final int SLACK_BYTES = 8;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHS = 0x8080_8080_8080_8080L;
    private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
    private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private final byte[] bytes;
    private final int end;
    private final Place place;
    private final JsonText unescaped = new JsonText();
    private int position;
    private int depth;
    private byte[] text;
    private int textBase;
    private int textEnd;
    private boolean numberIsInteger;

    JsonScanner(byte[] bytes, int length, Place place) {
        if (bytes.length < length + SLACK_BYTES || bytes[length] != 0) {
            throw new IllegalArgumentException("no slack after the body");
        }
        this.bytes = bytes;
        this.end = length;
        this.place = place;
        this.text = bytes;
    }

    // --- structure ---

    /** The first byte of the next token, 0 at the end. */
    byte peek() {
        byte c = bytes[position];
        while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
            c = bytes[++position];
        }
        return c;
    }

    /** Enters an object; true when there is a member: its name is the text, its value comes next. */
    boolean beginObject() {
        enter((byte) '{');
        if (peek() == '}') {
            leave();
            return false;
        }
        readName();
        return true;
    }

    boolean nextMember() {
        byte c = peek();
        if (c == ',') {
            position++;
            peek();
            readName();
            return true;
        }
        if (c != '}') {
            throw notJson("',' or '}' is expected");
        }
        leave();
        return false;
    }

    private void readName() {
        readString();
        if (peek() != ':') {
            throw notJson("':' is expected");
        }
        position++;
    }

    /** Enters an array; true when there is an element, which comes next. */
    boolean beginArray() {
        enter((byte) '[');
        if (peek() == ']') {
            leave();
            return false;
        }
        return true;
    }

    boolean nextElement() {
        byte c = peek();
        if (c == ',') {
            position++;
            return true;
        }
        if (c != ']') {
            throw notJson("',' or ']' is expected");
        }
        leave();
        return false;
    }

    private void enter(byte open) {
        if (peek() != open) {
            throw notJson("'" + (char) open + "' is expected");
        }
        if (++depth > Limits.JSON_DEPTH_MAX) {
            throw notJson("it is nested deeper than " + Limits.JSON_DEPTH_MAX + " levels");
        }
        position++;
    }

    private void leave() {
        position++;
        depth--;
    }

    /** Nothing but white space may follow. */
    void requireEnd() {
        peek();
        if (position != end) {
            throw notJson("something follows the value");
        }
    }

    /** Reads a value of any kind and forgets it. Recursion ends at the depth limit. */
    void skipValue() {
        switch (peek()) {
            case '{' -> {
                for (boolean more = beginObject(); more; more = nextMember()) {
                    skipValue();
                }
            }
            case '[' -> {
                for (boolean more = beginArray(); more; more = nextElement()) {
                    skipValue();
                }
            }
            case '"' -> readString();
            case 't' -> readLiteral(TRUE);
            case 'f' -> readLiteral(FALSE);
            case 'n' -> readNull();
            default -> readNumber();
        }
    }

    void readNull() {
        readLiteral(NULL);
    }

    private void readLiteral(byte[] literal) {
        int stop = position + literal.length;
        if (stop > end || !Arrays.equals(bytes, position, stop, literal, 0, literal.length)) {
            throw notJson("a value is expected");
        }
        position = stop;
    }

    // --- strings and numbers ---

    /** Reads a string, which becomes the text. */
    void readString() {
        if (peek() != '"') {
            throw notJson("a string is expected");
        }
        int base = position + 1;
        int stop = special(base);
        if (bytes[stop] == '"') {
            text = bytes;
            textBase = base;
            textEnd = stop;
            position = stop + 1;
            return;
        }
        position = unescaped.read(bytes, base, stop, end, this);
        text = unescaped.bytes();
        textBase = 0;
        textEnd = unescaped.length();
    }

    /** Position of the next byte that is a quote, a backslash, a control character or not ASCII: eight bytes at a time. */
    private int special(int from) {
        int p = from;
        while (true) {
            long word = (long) WORD.get(bytes, p);
            long quote = word ^ ('"' * ONES);
            long backslash = word ^ ('\\' * ONES);
            long hits = (((quote - ONES) & ~quote)
                            | ((backslash - ONES) & ~backslash)
                            | ((word - ' ' * ONES) & ~word)
                            | word)
                    & HIGHS;
            if (hits != 0) {
                return p + (Long.numberOfTrailingZeros(hits) >>> 3);
            }
            p += Long.BYTES;
        }
    }

    /** Reads a number, which becomes the text. */
    void readNumber() {
        peek();
        int integerEnd = JsonNumber.integerEnd(bytes, position, this);
        int stop = JsonNumber.end(bytes, integerEnd, this);
        if (stop - position > Limits.JSON_NUMBER_MAX_CHARS) {
            throw notJson("a number is longer than " + Limits.JSON_NUMBER_MAX_CHARS + " characters");
        }
        numberIsInteger = stop == integerEnd;
        text = bytes;
        textBase = position;
        textEnd = stop;
        position = stop;
    }

    /** Whether the number that was read last has neither fraction nor exponent. */
    boolean numberIsInteger() {
        return numberIsInteger;
    }

    boolean textIs(byte[] expected) {
        return Arrays.equals(text, textBase, textEnd, expected, 0, expected.length);
    }

    /** The array that the last string or number lies in, valid until the next one is read. */
    byte[] text() {
        return text;
    }

    int textBase() {
        return textBase;
    }

    int textEnd() {
        return textEnd;
    }

    byte[] body() {
        return bytes;
    }

    /** Whether the text lies in the body itself and so stays valid. */
    boolean textIsInBody() {
        return text == bytes;
    }

    int position() {
        return position;
    }

    /** Goes back to a value that was read before. */
    void seek(int earlier) {
        position = earlier;
    }

    // --- refusals ---

    /** Refuses a value of another kind than the one that begins so. */
    void requireKind(char first, String expected) {
        if (peek() != first) {
            skipValue(); // not JSON at all is the better complaint
            throw place.refuse(ErrorCode.INVALID_COMMAND, "Must be " + expected + ".");
        }
    }

    void refuseTwice(boolean already) {
        if (already) {
            throw place.refuse(ErrorCode.INVALID_COMMAND, "The member comes twice.");
        }
    }

    KeptlogException notJson(String reason) {
        return notJson(position, reason);
    }

    KeptlogException notJson(int at, String reason) {
        return place.refuse(
                ErrorCode.INVALID_FORMAT,
                at >= end
                        ? "The JSON body ends too early, after " + end + " bytes."
                        : "Not valid JSON at byte " + at + ": " + reason + ".");
    }
}
