// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.catalog;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.service.option.OptionSpec;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;

/** An option that can be named when something is created. */
@Schema(description = "An option that can be named when something is created.")
public record OptionSpecReply(
        @Schema(example = "durability") String key,
        @Schema(description = "string, bool, uint32 or uint64.", example = "string") String kind,
        @JsonProperty("default_value")
                @Schema(description = "Bytes of the default, numbers little-endian.", example = "[0, 4, 0, 0]")
                List<Integer> defaultValue,
        @Schema(example = "What the success of a produce means.") String description) {
    public static OptionSpecReply of(OptionSpec spec) {
        List<Integer> bytes = new ArrayList<>();
        for (byte b : spec.defaultValue()) {
            bytes.add(Byte.toUnsignedInt(b));
        }
        return new OptionSpecReply(spec.key(), spec.kind(), bytes, spec.description());
    }
}
