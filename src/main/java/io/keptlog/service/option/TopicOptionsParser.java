// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.option;

import io.keptlog.domain.Compression;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.catalog.TopicOptions;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Turns a request's options into a topic's effective ones (Iggy topic options): nothing is skipped, every refusal names its key, and an
 * update that names a create-only option changes nothing at all. No state; the same request gives the same result.
 */
public final class TopicOptionsParser {
    private TopicOptionsParser() {}

    /**
     * @throws KeptlogException UNSUPPORTED_OPTION_KEY, INVALID_OPTION_VALUE, INVALID_TOPIC_SIZE, OPTIONS_BLOCK_TOO_BIG
     */
    public static TopicOptions forCreation(TopicSettings settings, int partitionsCount) {
        OptionsBlock.check(settings.options());
        Map<TopicOption, String> values = new EnumMap<>(TopicOption.class);
        for (TopicOption option : TopicOption.values()) {
            values.put(option, option.defaultValue());
        }
        Set<String> explicit = new TreeSet<>();
        apply(settings, values, explicit, true);
        TopicOptions options = build(values, explicit);
        checkPreallocation(options, partitionsCount);
        return options;
    }

    /**
     * A patch: what the request does not name stays as it is.
     *
     * @throws KeptlogException as for {@link #forCreation}, and UNSUPPORTED_OPTION_KEY for a create-only option
     */
    public static TopicOptions forUpdate(TopicOptions current, TopicSettings settings) {
        OptionsBlock.check(settings.options());
        Map<TopicOption, String> values = new EnumMap<>(TopicOption.class);
        for (TopicOption option : TopicOption.values()) {
            values.put(option, option.read(current));
        }
        Set<String> explicit = new TreeSet<>(current.explicit());
        apply(settings, values, explicit, false);
        return build(values, explicit);
    }

    /** Preallocated segments of one topic are bounded, also when partitions are added later. */
    public static void checkPreallocation(TopicOptions options, int partitionsCount) {
        if (options.preallocateSegments()
                && options.segmentSizeBytes() * partitionsCount > Limits.PREALLOCATED_TOPIC_MAX_BYTES) {
            throw invalid(TopicOption.PREALLOCATE_SEGMENTS, "true");
        }
    }

    private static void apply(
            TopicSettings settings, Map<TopicOption, String> values, Set<String> explicit, boolean creation) {
        settings.options().keySet().forEach(key -> known(key, creation));
        Map<TopicOption, String> members = settings.members();
        for (TopicOption option : TopicOption.values()) {
            String member = members.get(option);
            if (member != null) {
                values.put(option, canonical(option, member));
                // A member of 0 asks for the server's default: nobody chose a value.
                if (member.equals("0")) {
                    explicit.remove(option.key());
                } else {
                    explicit.add(option.key());
                }
            }
            // The map is the more specific form: it wins over a member that every request has to send.
            String named = settings.options().get(option.key());
            if (named != null) {
                values.put(option, canonical(option, named));
                explicit.add(option.key());
            }
        }
    }

    private static void known(String key, boolean creation) {
        TopicOption option = TopicOption.of(key).orElse(null);
        if (option == null) {
            throw key.equals("enforce_fsync")
                    ? OptionsBlock.unsupported(key, "Use durability and consumer_offset_durability instead.")
                    : OptionsBlock.unsupported(key, "");
        }
        if (!creation && !option.updatable()) {
            throw OptionsBlock.unsupported(key, "It can be chosen only when the topic is created.");
        }
    }

    private static String canonical(TopicOption option, String text) {
        return option.canonical(text).orElseThrow(() -> invalid(option, text));
    }

    private static TopicOptions build(Map<TopicOption, String> values, Set<String> explicit) {
        var options = new TopicOptions(
                Compression.parse(value(values, TopicOption.COMPRESSION_ALGORITHM))
                        .orElseThrow(),
                Long.parseUnsignedLong(value(values, TopicOption.MESSAGE_EXPIRY)),
                Long.parseUnsignedLong(value(values, TopicOption.MAX_TOPIC_SIZE)),
                Long.parseLong(value(values, TopicOption.SEGMENT_SIZE)),
                Durability.parse(value(values, TopicOption.DURABILITY)).orElseThrow(),
                Durability.parse(value(values, TopicOption.CONSUMER_OFFSET_DURABILITY))
                        .orElseThrow(),
                Integer.parseInt(value(values, TopicOption.MESSAGES_REQUIRED_TO_SAVE)),
                Long.parseLong(value(values, TopicOption.SIZE_OF_MESSAGES_REQUIRED_TO_SAVE)),
                Boolean.parseBoolean(value(values, TopicOption.PREALLOCATE_SEGMENTS)),
                explicit);
        if (Long.compareUnsigned(options.maxTopicSizeBytes(), options.segmentSizeBytes()) < 0) {
            throw new KeptlogException(
                    ErrorCode.INVALID_TOPIC_SIZE,
                    "max_topic_size " + options.maxTopicSizeBytes() + " is below segment_size "
                            + options.segmentSizeBytes() + ".",
                    TopicOption.MAX_TOPIC_SIZE.key());
        }
        return options;
    }

    private static String value(Map<TopicOption, String> values, TopicOption option) {
        return java.util.Objects.requireNonNull(values.get(option), option.key());
    }

    private static KeptlogException invalid(TopicOption option, String text) {
        return new KeptlogException(
                ErrorCode.INVALID_OPTION_VALUE,
                "Invalid value for option " + option.key() + ": \"" + OptionsBlock.shown(text) + "\". It takes "
                        + option.rule() + ".",
                option.key());
    }
}
