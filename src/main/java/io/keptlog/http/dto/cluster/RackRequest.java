// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.cluster;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Where a bookie stands. */
@Schema(description = "The rack of a bookie; null or absent: it is in none that is known.")
public record RackRequest(
        @Schema(
                        example = "rack-a",
                        description =
                                "1 to 64 letters, digits, dots, hyphens and underscores. A region belongs into the name.")
                @Nullable
                String rack) {}
