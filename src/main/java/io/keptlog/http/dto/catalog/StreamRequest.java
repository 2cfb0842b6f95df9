// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.catalog;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The wish for a stream, or for another name of one. */
@Schema(description = "A stream's name, and options (on one node a stream has none).")
public record StreamRequest(
        @NotNull @Schema(description = "1 to 255 bytes of UTF-8, no control characters.", example = "orders")
                String name,
        @Schema(example = "{}") @Nullable Map<String, @NotNull String> options) {
    public Map<String, String> optionsOrNone() {
        return Objects.requireNonNullElse(options, Map.of());
    }
}
