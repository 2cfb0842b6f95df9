// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.user;

import io.keptlog.http.dto.U64;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;

/** A new personal access token. */
public record CreateTokenRequest(
        @NotNull @Schema(description = "3 to 30 bytes.", example = "build") String name,
        @Nullable
                @Schema(
                        description = "Life in microseconds; 0 or absent = the server's default (never ends),"
                                + " 18446744073709551615 = never.")
                U64 expiry) {}
