// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.option;

import io.keptlog.domain.catalog.TopicOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * An option as it is in force.
 *
 * @param value canonical text
 * @param explicit whether the client named it; otherwise it came from the server's defaults
 */
public record OptionValue(String key, String value, boolean explicit) {
    /** All effective options of a topic, in the order of the options' listing. */
    public static List<OptionValue> of(TopicOptions options) {
        return Arrays.stream(TopicOption.values())
                .map(o -> new OptionValue(
                        o.key(), o.read(options), options.explicit().contains(o.key())))
                .toList();
    }

    /** A stream's options: only those that were named exist. */
    public static List<OptionValue> of(Map<String, String> named) {
        return named.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(e -> new OptionValue(e.getKey(), e.getValue(), true))
                .toList();
    }
}
