// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto;

import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.KeyDeserializer;

/** An id as the name of a JSON member: ASCII digits only, as ids in paths, so that no two names mean the same resource. */
public final class IdKey extends KeyDeserializer {
    @Override
    public Object deserializeKey(String key, DeserializationContext context) {
        if (!key.matches("0|[1-9][0-9]{0,9}") || Long.parseLong(key) > Integer.MAX_VALUE) {
            return context.handleWeirdKey(Integer.class, key, "not an id");
        }
        return Integer.valueOf(key);
    }
}
