// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.catalog;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.keptlog.service.catalog.StreamView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** A stream with its topics. */
@Schema(description = "A stream with its topics.")
public record StreamDetailsReply(
        @JsonUnwrapped StreamReply stream,
        List<TopicReply> topics,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) @Schema(description = "What the quorum policy costs; in a cluster.")
                List<String> warnings) {
    public static StreamDetailsReply of(StreamView view, List<String> warnings) {
        return new StreamDetailsReply(
                StreamReply.of(view), view.topics().stream().map(TopicReply::of).toList(), warnings);
    }
}
