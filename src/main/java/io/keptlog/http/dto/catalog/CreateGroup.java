// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.catalog;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;

/** The wish for a consumer group. */
@Schema(description = "A consumer group to be created.")
public record CreateGroup(
        @NotNull @Schema(description = "1 to 255 bytes of UTF-8, no control characters.", example = "billing")
                String name) {}
