// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.option;

import io.keptlog.domain.Compression;
import io.keptlog.domain.Durability;
import io.keptlog.domain.Limits;
import io.keptlog.domain.catalog.TopicOptions;
import java.util.Optional;
import java.util.function.Function;

/**
 * The options of a topic, in the order in which they are listed (Iggy topic options). Each knows its default, how a text becomes its
 * canonical value, and where a topic keeps it. Canonical values are what is reported: {@code "7 days"} becomes its number.
 */
// The functions keep no state.
@SuppressWarnings("ImmutableEnumChecker")
enum TopicOption {
    COMPRESSION_ALGORITHM(
            "compression_algorithm",
            OptionKind.STRING,
            true,
            Compression.NONE.wireName(),
            "none or gzip",
            "Stored and reported; no compression is applied.",
            text -> Compression.parse(text).map(Compression::wireName),
            o -> o.compression().wireName()),
    MESSAGE_EXPIRY(
            "message_expiry",
            OptionKind.UINT64,
            true,
            Long.toUnsignedString(TopicOptions.NEVER),
            "microseconds or a duration such as \"7 days\"; 0 = the server's default, 18446744073709551615 = never",
            "Age after which the oldest sealed segments are deleted, by the time their newest message was appended.",
            text -> neverOr(text, Quantities.micros(text)),
            o -> Long.toUnsignedString(o.messageExpiryMicros())),
    MAX_TOPIC_SIZE(
            "max_topic_size",
            OptionKind.UINT64,
            true,
            Long.toUnsignedString(TopicOptions.UNLIMITED),
            "bytes or a size such as \"10 GiB\", at least segment_size; 0 = the server's default,"
                    + " 18446744073709551615 = unlimited",
            "Limit for the topic's sealed segments, divided among its partitions; the oldest ones are deleted above it.",
            text -> neverOr(text, Quantities.bytes(text)),
            o -> Long.toUnsignedString(o.maxTopicSizeBytes())),
    SEGMENT_SIZE(
            "segment_size",
            OptionKind.UINT64,
            false,
            Long.toString(Limits.SEGMENT_SIZE_DEFAULT_BYTES),
            "0 for the default, else a multiple of 512 from 1 MiB to 1 GiB",
            "Size at which a segment is sealed and the next one begun; a larger batch gets a segment of its own.",
            text -> Quantities.bytes(text).flatMap(TopicOption::segmentSize),
            o -> Long.toString(o.segmentSizeBytes())),
    DURABILITY(
            "durability",
            OptionKind.STRING,
            false,
            Durability.REPLICATED.wireName(),
            "replicated or persisted",
            "What the success of a produce means.",
            TopicOption::durability,
            o -> o.durability().wireName()),
    CONSUMER_OFFSET_DURABILITY(
            "consumer_offset_durability",
            OptionKind.STRING,
            false,
            Durability.REPLICATED.wireName(),
            "replicated or persisted",
            "What the success of an explicit offset store or delete means; independent of durability.",
            TopicOption::durability,
            o -> o.consumerOffsetDurability().wireName()),
    MESSAGES_REQUIRED_TO_SAVE(
            "messages_required_to_save",
            OptionKind.UINT32,
            false,
            Integer.toString(Limits.MESSAGES_REQUIRED_TO_SAVE_DEFAULT),
            "1 to " + Limits.MESSAGES_REQUIRED_TO_SAVE_MAX,
            "Unsynced messages after which a background sync begins; changes no acknowledgement.",
            text -> Quantities.number(text).flatMap(n -> within(n, 1, Limits.MESSAGES_REQUIRED_TO_SAVE_MAX)),
            o -> Integer.toString(o.messagesRequiredToSave())),
    SIZE_OF_MESSAGES_REQUIRED_TO_SAVE(
            "size_of_messages_required_to_save",
            OptionKind.UINT64,
            false,
            Long.toString(Limits.SIZE_REQUIRED_TO_SAVE_DEFAULT_BYTES),
            "bytes, at most 1 GiB; 0 = the default",
            "Unsynced bytes after which a background sync begins; changes no acknowledgement.",
            text -> Quantities.bytes(text)
                    .map(n -> n == 0 ? Limits.SIZE_REQUIRED_TO_SAVE_DEFAULT_BYTES : n)
                    .flatMap(n -> within(n, 1, Limits.SIZE_REQUIRED_TO_SAVE_MAX_BYTES)),
            o -> Long.toString(o.sizeRequiredToSaveBytes())),
    PREALLOCATE_SEGMENTS(
            "preallocate_segments",
            OptionKind.BOOL,
            false,
            "false",
            "true or false; segment_size times partitions is at most 64 GiB",
            "Whether the disk space of a whole segment is reserved when it is begun.",
            text -> text.equals("true") || text.equals("false") ? Optional.of(text) : Optional.empty(),
            o -> Boolean.toString(o.preallocateSegments()));

    private final String key;
    private final OptionKind kind;
    private final boolean updatable;
    private final String defaultValue;
    private final String rule;
    private final String description;
    private final Function<String, Optional<String>> canonical;
    private final Function<TopicOptions, String> reader;

    TopicOption(
            String key,
            OptionKind kind,
            boolean updatable,
            String defaultValue,
            String rule,
            String description,
            Function<String, Optional<String>> canonical,
            Function<TopicOptions, String> reader) {
        this.key = key;
        this.kind = kind;
        this.updatable = updatable;
        this.defaultValue = defaultValue;
        this.rule = rule;
        this.description = description;
        this.canonical = canonical;
        this.reader = reader;
    }

    String key() {
        return key;
    }

    OptionKind kind() {
        return kind;
    }

    /** Whether an update may name it; the others are create-only. */
    boolean updatable() {
        return updatable;
    }

    String defaultValue() {
        return defaultValue;
    }

    /** What values it takes, for an error's reason. */
    String rule() {
        return rule;
    }

    String description() {
        return description;
    }

    /** The value as it is kept and reported, or nothing when the text is out of bounds. */
    Optional<String> canonical(String text) {
        return canonical.apply(text);
    }

    /** The topic's canonical value. */
    String read(TopicOptions options) {
        return reader.apply(options);
    }

    static Optional<TopicOption> of(String key) {
        for (TopicOption option : values()) {
            if (option.key.equals(key)) {
                return Optional.of(option);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> durability(String text) {
        return Durability.parse(text).map(Durability::wireName);
    }

    /** Both ends of "no limit": 0 and the words for it select the server's default, which is none. */
    private static Optional<String> neverOr(String text, Optional<Long> value) {
        return switch (text) {
            case "never", "unlimited", "none", "default", "server_default" -> Optional.of(Long.toUnsignedString(-1));
            default -> value.map(n -> Long.toUnsignedString(n == 0 ? -1 : n));
        };
    }

    private static Optional<String> segmentSize(long bytes) {
        if (bytes == 0) {
            return Optional.of(Long.toString(Limits.SEGMENT_SIZE_DEFAULT_BYTES));
        }
        return bytes % Limits.SEGMENT_SIZE_MULTIPLE_BYTES != 0
                ? Optional.empty()
                : within(bytes, Limits.SEGMENT_SIZE_MIN_BYTES, Limits.SEGMENT_SIZE_MAX_BYTES);
    }

    private static Optional<String> within(long value, long min, long max) {
        return value < min || value > max ? Optional.empty() : Optional.of(Long.toString(value));
    }
}
