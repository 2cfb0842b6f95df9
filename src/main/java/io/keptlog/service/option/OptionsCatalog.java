// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.option;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import java.util.Arrays;
import java.util.List;

/** Which options exist, by scope. Streams have some only in a cluster, users have none. */
public final class OptionsCatalog {
    private static final List<OptionSpec> TOPIC = Arrays.stream(TopicOption.values())
            .map(o -> new OptionSpec(o.key(), o.kind().wireName(), o.kind().encode(o.defaultValue()), o.description()))
            .toList();

    /**
     * @param scope topic, stream or user
     * @throws KeptlogException INVALID_COMMAND for any other scope
     */
    public List<OptionSpec> list(String scope) {
        return switch (scope) {
            case "topic" -> TOPIC;
            case "stream", "user" -> List.of();
            default -> throw new KeptlogException(
                    ErrorCode.INVALID_COMMAND, "Options exist for topic, stream and user.", "scope");
        };
    }
}
