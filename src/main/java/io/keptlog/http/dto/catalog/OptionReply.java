// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.catalog;

import io.keptlog.service.option.OptionValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An option that is in force. */
@Schema(description = "An option that is in force, and whether the client named it.")
public record OptionReply(@Schema(example = "persisted") String value, boolean explicit) {
    /** By key, in the order of the options' listing. */
    public static Map<String, OptionReply> of(List<OptionValue> options) {
        Map<String, OptionReply> replies = new LinkedHashMap<>();
        options.forEach(o -> replies.put(o.key(), new OptionReply(o.value(), o.explicit())));
        return replies;
    }
}
