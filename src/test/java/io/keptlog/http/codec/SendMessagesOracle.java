// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** SendMessages read a second time, independently: Jackson reads the JSON, and the rules are written down on a tree. */
final class SendMessagesOracle {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(32).build())
            .build();
    private static final Map<String, Integer> EXACT = Map.ofEntries(
            Map.entry("bool", 1),
            Map.entry("int8", 1),
            Map.entry("int16", 2),
            Map.entry("int32", 4),
            Map.entry("int64", 8),
            Map.entry("int128", 16),
            Map.entry("uint8", 1),
            Map.entry("uint16", 2),
            Map.entry("uint32", 4),
            Map.entry("uint64", 8),
            Map.entry("uint128", 16),
            Map.entry("float32", 4),
            Map.entry("float64", 8));
    private static final List<String> KINDS = List.of(
            "raw", "string", "bool", "int8", "int16", "int32", "int64", "int128", "uint8", "uint16", "uint32", "uint64",
            "uint128", "float32", "float64");

    /** The body is not to be taken. */
    static final class Refused extends Exception {
        Refused(String why) {
            super(why);
        }
    }

    /** What the body means; a message's id is 0 when the server is to give it one. */
    record Meaning(String partitioning, List<StoredMessage> messages) {}

    private sealed interface Node {}

    private record Obj(List<Map.Entry<String, Node>> members) implements Node {
        @Nullable
        Node one(String name) throws Refused {
            Node found = null;
            for (var member : members) {
                if (member.getKey().equals(name)) {
                    if (found != null) {
                        throw new Refused("twice: " + name);
                    }
                    found = member.getValue();
                }
            }
            return found;
        }
    }

    private record Arr(List<Node> elements) implements Node {}

    private record Str(String value) implements Node {}

    private record Num(String text, boolean integer) implements Node {}

    private record Lit(boolean isNull) implements Node {}

    private SendMessagesOracle() {}

    static Meaning read(byte[] body) throws Refused {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Refused("not UTF-8");
        }
        if (text.startsWith("\uFEFF")) {
            throw new Refused("BOM");
        }
        Node root;
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
            parser.nextToken();
            root = node(parser);
            if (parser.nextToken() != null) {
                throw new Refused("trailing content");
            }
        } catch (JacksonException e) {
            throw new Refused("not JSON");
        }
        return meaning(root);
    }

    private static Node node(JsonParser parser) throws Refused {
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new Refused("nothing");
        }
        switch (token) {
            case START_OBJECT -> {
                var members = new ArrayList<Map.Entry<String, Node>>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = whole(parser.currentName());
                    parser.nextToken();
                    members.add(Map.entry(name, node(parser)));
                }
                return new Obj(members);
            }
            case START_ARRAY -> {
                var elements = new ArrayList<Node>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(node(parser));
                }
                return new Arr(elements);
            }
            case VALUE_STRING -> {
                return new Str(whole(parser.getString()));
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                String text = parser.getString();
                if (text.length() > 64) {
                    throw new Refused("long number");
                }
                return new Num(text, token == JsonToken.VALUE_NUMBER_INT);
            }
            default -> {
                return new Lit(token == JsonToken.VALUE_NULL);
            }
        }
    }

    private static String whole(String text) throws Refused {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new Refused("lone surrogate");
        }
        return text;
    }

    private static void require(boolean right, String why) throws Refused {
        if (!right) {
            throw new Refused(why);
        }
    }

    private static Meaning meaning(Node root) throws Refused {
        if (!(root instanceof Obj top)) {
            throw new Refused("no object");
        }
        for (var member : top.members()) {
            require(List.of("partitioning", "messages").contains(member.getKey()), "unknown member");
        }
        String partitioning = partitioning(top.one("partitioning"));
        if (!(top.one("messages") instanceof Arr messages)) {
            throw new Refused("messages");
        }
        require(!messages.elements().isEmpty(), "no message");
        var all = new ArrayList<StoredMessage>();
        for (Node message : messages.elements()) {
            all.add(message(message));
        }
        return new Meaning(partitioning, all);
    }

    private static String partitioning(@Nullable Node node) throws Refused {
        if (!(node instanceof Obj partitioning) || !(partitioning.one("kind") instanceof Str kind)) {
            throw new Refused("partitioning");
        }
        Node given = partitioning.one("value");
        boolean none = given == null || (given instanceof Lit lit && lit.isNull());
        byte[] value = none ? new byte[0] : base64(given);
        int length = value.length;
        boolean right =
                switch (kind.value()) {
                    case "balanced" -> length == 0;
                    case "partition_id" -> length == 4;
                    case "messages_key" -> length >= 1 && length <= 255;
                    default -> false;
                };
        require(right, "partitioning");
        return kind.value() + " " + HexFormat.of().formatHex(value);
    }

    private static byte[] base64(@Nullable Node node) throws Refused {
        if (!(node instanceof Str text)) {
            throw new Refused("no string");
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(text.value());
            boolean same = Base64.getEncoder().encodeToString(bytes).equals(text.value())
                    || Base64.getEncoder()
                            .withoutPadding()
                            .encodeToString(bytes)
                            .equals(text.value());
            require(same, "not canonical");
            return bytes;
        } catch (IllegalArgumentException e) {
            throw new Refused("not base64");
        }
    }

    private static StoredMessage message(Node node) throws Refused {
        if (!(node instanceof Obj message)) {
            throw new Refused("message");
        }
        BigInteger id = id(message.one("id"), 64);
        BigInteger sdkId = message.one("header") instanceof Obj header ? id(header.one("id"), 128) : null;
        byte[] payload = base64(message.one("payload"));
        require(payload.length > 0, "empty payload");
        int form = 0;
        String headers = "";
        Node given = message.one("user_headers");
        if (given instanceof Arr list) {
            headers = headerList(list);
            form = headers.isEmpty() ? 0 : 1;
        } else if (given instanceof Str) {
            headers = HexFormat.of().formatHex(base64(given));
            form = headers.isEmpty() ? 0 : 2;
        } else {
            require(given == null || (given instanceof Lit lit && lit.isNull()), "user_headers");
        }
        require(headers.length() <= 200_000, "headers too big");
        BigInteger chosen = id != null ? id : sdkId != null ? sdkId : BigInteger.ZERO;
        return new StoredMessage(chosen, form, headers, HexFormat.of().formatHex(payload));
    }

    private static String headerList(Arr list) throws Refused {
        var all = new StringBuilder();
        for (Node element : list.elements()) {
            if (!(element instanceof Obj header)) {
                throw new Refused("header");
            }
            all.append(part(header.one("key"))).append(part(header.one("value")));
        }
        return all.toString();
    }

    private static String part(@Nullable Node node) throws Refused {
        if (!(node instanceof Obj part) || !(part.one("kind") instanceof Str kind)) {
            throw new Refused("header part");
        }
        byte[] value = base64(part.one("value"));
        int code = KINDS.indexOf(kind.value()) + 1;
        Integer exact = EXACT.get(kind.value());
        require(code > 0 && value.length >= 1 && value.length <= 255, "header part");
        require(exact == null || exact == value.length, "length of a kind");
        return String.format("%02x%02x000000", code, value.length)
                + HexFormat.of().formatHex(value);
    }

    private static @Nullable BigInteger id(@Nullable Node node, int numberBits) throws Refused {
        if (node == null || (node instanceof Lit lit && lit.isNull())) {
            return null;
        }
        BigInteger value = null;
        if (node instanceof Num number) {
            require(number.integer() && !number.text().startsWith("-"), "id");
            value = new BigInteger(number.text());
            require(value.bitLength() <= numberBits, "id too large");
        } else if (node instanceof Str text) {
            String digits = text.value();
            if (digits.matches("[0-9]{1,39}")) {
                value = new BigInteger(digits);
            } else if (digits.matches("[0-9a-fA-F]{32}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")) {
                value = new BigInteger(digits.replace("-", ""), 16);
            }
        }
        if (value == null || value.bitLength() > 128) {
            throw new Refused("id");
        }
        return value;
    }
}
