// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.user;

import io.swagger.v3.oas.annotations.media.Schema;

/** A personal access token that was just made. */
public record RawToken(@Schema(description = "Shown only now.") String token) {
    @Override
    public String toString() {
        return "RawToken[]";
    }
}
