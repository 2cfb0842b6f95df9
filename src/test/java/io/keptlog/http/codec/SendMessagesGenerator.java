// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Random SendMessages bodies: mostly right, spelled in every way JSON allows; and mutations of them. */
final class SendMessagesGenerator {
    private static final String[] KINDS = {
        "raw", "string", "bool", "int8", "int16", "int32", "int64", "int128", "uint8", "uint16", "uint32", "uint64",
        "uint128", "float32", "float64", "other"
    };
    private static final int[] LENGTHS = {0, 0, 1, 1, 2, 4, 8, 16, 1, 2, 4, 8, 16, 4, 8, 1};
    private static final String INTERESTING =
            "{}[]\",:\\/=+-_.eE0123456789 \n\t\u0000abfnrtuAZ\u00e9\u20ac\uD83D\uDE00\uFEFF";

    private final Random random;

    SendMessagesGenerator(Random random) {
        this.random = random;
    }

    private boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    byte[] body() {
        var messages = new ArrayList<String>();
        for (int i = oneIn(20) ? 0 : 1 + random.nextInt(4); i > 0; i--) {
            messages.add(oneIn(60) ? anything(0) : message());
        }
        var members = new ArrayList<String>();
        members.add(member("messages", array(messages)));
        members.add(member("partitioning", oneIn(60) ? anything(0) : partitioning()));
        sometimes(members, 40, () -> member(pick("ack", "messages", "partitioning"), anything(0)));
        if (oneIn(60)) {
            members.removeLast();
        }
        return (space() + object(members) + space()).getBytes(UTF_8);
    }

    /** The body with something done to it that may break it. */
    byte[] mutated(byte[] body) {
        byte[] next = body;
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            int at = random.nextInt(next.length + 1);
            int stop = Math.min(next.length, at + random.nextInt(6));
            byte[] head = Arrays.copyOf(next, at);
            byte[] tail = Arrays.copyOfRange(next, stop, next.length);
            byte[] between =
                    switch (random.nextInt(5)) {
                        case 0 -> new byte[0];
                        case 1 -> new byte[] {(byte) random.nextInt(256)};
                        case 2 -> Arrays.copyOfRange(next, at, Math.min(next.length, at + random.nextInt(40)));
                        case 3 -> pick("\\u", "\\ud800", "null", "\"\"", "[[", "}}", "1e", "-", "00", ",,")
                                .getBytes(UTF_8);
                        default -> {
                            int c = random.nextInt(INTERESTING.length());
                            yield INTERESTING.substring(c, c + 1).getBytes(UTF_8);
                        }
                    };
            next = join(head, between, oneIn(10) ? new byte[0] : tail);
        }
        return next;
    }

    private static byte[] join(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        byte[] all = new byte[length];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    private void sometimes(List<String> members, int n, java.util.function.Supplier<String> member) {
        if (oneIn(n)) {
            members.add(member.get());
        }
    }

    private String partitioning() {
        var members = new ArrayList<String>();
        switch (random.nextInt(4)) {
            case 0 -> {
                members.add(member("kind", string("partition_id")));
                members.add(member("value", base64(oneIn(15) ? random.nextInt(9) : 4)));
            }
            case 1 -> {
                members.add(member("kind", string("messages_key")));
                members.add(member("value", base64(oneIn(15) ? pickLength(0, 255, 256) : 1 + random.nextInt(255))));
            }
            case 2 -> members.add(member("kind", string("balanced")));
            default -> {
                members.add(member("kind", string(oneIn(20) ? pick("Balanced", "", "other") : "balanced")));
                members.add(member("value", oneIn(20) ? anything(0) : pick("\"\"", "null")));
            }
        }
        sometimes(members, 4, () -> member("size", anything(0)));
        sometimes(members, 60, () -> member(pick("kind", "value"), anything(0)));
        return object(members);
    }

    private int pickLength(int... lengths) {
        return lengths[random.nextInt(lengths.length)];
    }

    private String message() {
        var members = new ArrayList<String>();
        members.add(member("payload", oneIn(80) ? anything(0) : base64(oneIn(80) ? 0 : 1 + random.nextInt(60))));
        sometimes(members, 2, () -> member("id", id(64)));
        sometimes(members, 3, () -> member("header", oneIn(20) ? anything(0) : sdkHeader()));
        sometimes(members, 2, () -> member("user_headers", userHeaders()));
        sometimes(members, 4, () -> member("size", anything(0)));
        sometimes(members, 80, () -> member(pick("payload", "id", "user_headers", "header"), anything(0)));
        return object(members);
    }

    private String sdkHeader() {
        var members = new ArrayList<String>();
        sometimes(members, 2, () -> member("id", id(128)));
        sometimes(members, 2, () -> member("offset", number()));
        sometimes(members, 60, () -> member("id", id(128)));
        return object(members);
    }

    private String id(int numberBits) {
        int bits = oneIn(15) ? 130 : random.nextInt(129);
        var value = new BigInteger(bits, random);
        return switch (random.nextInt(8)) {
            case 0 -> oneIn(3) ? anything(0) : "null";
            case 1 -> string(value.toString());
            case 2 -> string(String.format(pick("%032x", "%032X", "%031x", "%x"), value));
            case 3 -> string(new java.util.UUID(random.nextLong(), random.nextLong()).toString());
            case 4 -> oneIn(3) ? number() : "0";
            default -> (oneIn(10) ? value : value.mod(BigInteger.ONE.shiftLeft(numberBits))).toString();
        };
    }

    private String userHeaders() {
        switch (random.nextInt(12)) {
            case 0 -> {
                return "null";
            }
            case 1, 2 -> {
                return base64(random.nextInt(30));
            }
            case 3 -> {
                return oneIn(4) ? anything(0) : "[]";
            }
            default -> {
                var list = new ArrayList<String>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    var members = new ArrayList<String>();
                    members.add(member("key", headerPart()));
                    members.add(member("value", headerPart()));
                    sometimes(members, 10, () -> member("more", anything(0)));
                    sometimes(members, 100, () -> member("key", anything(0)));
                    list.add(oneIn(100) ? anything(0) : object(members));
                }
                return array(list);
            }
        }
    }

    private String headerPart() {
        int kind = oneIn(100) ? KINDS.length - 1 : random.nextInt(KINDS.length - 1);
        int length = LENGTHS[kind] == 0 ? 1 + random.nextInt(20) : LENGTHS[kind];
        if (oneIn(100)) {
            length = pickLength(0, 1, 3, 255, 256);
        }
        var members = new ArrayList<String>();
        members.add(member("kind", string(KINDS[kind])));
        members.add(member("value", base64(length)));
        sometimes(members, 10, () -> member("more", anything(0)));
        return object(members);
    }

    // --- JSON, spelled in every way ---

    private String space() {
        return oneIn(4) ? pick(" ", "\n", "\r\n\t", "    ") : "";
    }

    private String object(List<String> members) {
        var shuffled = new ArrayList<>(members);
        Collections.shuffle(shuffled, random);
        return "{" + space() + String.join("," + space(), shuffled) + space() + "}";
    }

    private String array(List<String> elements) {
        return "[" + space() + String.join(space() + ",", elements) + space() + "]";
    }

    private String member(String name, String value) {
        return string(name) + space() + ":" + space() + value;
    }

    private String base64(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        var encoder =
                switch (random.nextInt(12)) {
                    case 0 -> Base64.getEncoder().withoutPadding();
                    case 1 -> oneIn(4) ? Base64.getUrlEncoder() : Base64.getEncoder();
                    default -> Base64.getEncoder();
                };
        return string(encoder.encodeToString(bytes));
    }

    private String string(String text) {
        if (!oneIn(6)) {
            return '"'
                    + text.replace("\\", "\\\\")
                            .replace("\"", "\\\"")
                            .replace("\n", "\\n")
                            .replace("\t", "\\t")
                            .replace("\u0000", "\\u0000")
                    + '"';
        }
        var spelled = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c < ' ' || c == '"' || c == '\\' || oneIn(4)) {
                spelled.append(c == '/' ? "\\/" : String.format(pick("\\u%04x", "\\u%04X"), (int) c));
            } else {
                spelled.append(c);
            }
        }
        return spelled.append('"').toString();
    }

    private String number() {
        return switch (random.nextInt(6)) {
            case 0 -> "-" + random.nextInt(100);
            case 1 -> random.nextInt(100) + "." + random.nextInt(100);
            case 2 -> random.nextInt(10) + pick("e", "E") + pick("", "+", "-") + random.nextInt(100);
            case 3 -> oneIn(10) ? "9".repeat(63 + random.nextInt(3)) : "0";
            default -> Long.toUnsignedString(random.nextLong());
        };
    }

    private String anything(int depth) {
        switch (random.nextInt(depth > 4 ? 5 : 8)) {
            case 0 -> {
                return pick("true", "false", "null");
            }
            case 1, 2 -> {
                return number();
            }
            case 3, 4 -> {
                var text = new StringBuilder();
                for (int i = random.nextInt(20); i > 0; i--) {
                    int c = random.nextInt(INTERESTING.length());
                    text.append(Character.isSurrogate(INTERESTING.charAt(c)) ? "\uD83D\uDE00" : INTERESTING.charAt(c));
                }
                return string(text.toString());
            }
            case 5 -> {
                int levels = oneIn(5) ? 26 + random.nextInt(8) : random.nextInt(5);
                return "[".repeat(levels) + "]".repeat(levels) + (levels == 0 ? "0" : "");
            }
            case 6 -> {
                return array(List.of(anything(depth + 1), anything(depth + 1)));
            }
            default -> {
                return object(
                        List.of(member(pick("id", "a", ""), anything(depth + 1)), member("b", anything(depth + 1))));
            }
        }
    }
}
