// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.edge;

import java.util.List;

/** Origins whose pages may call the API from a browser; empty = none. */
public record AllowedOrigins(List<String> origins) {
    public AllowedOrigins {
        origins = List.copyOf(origins);
    }
}
