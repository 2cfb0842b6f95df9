// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.record;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import io.keptlog.domain.catalog.CatalogChange;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The JSON of journal records: exactly the components of the records, nothing derived, nothing unknown, nothing left out. */
public final class JournalJson {
    static final JsonMapper MAPPER = JsonMapper.builder()
            .changeDefaultVisibility(v -> v.withFieldVisibility(Visibility.ANY)
                    .withGetterVisibility(Visibility.NONE)
                    .withIsGetterVisibility(Visibility.NONE))
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .addMixIn(CatalogChange.class, CatalogTypes.class)
            .build();

    private JournalJson() {}

    public static byte[] write(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    /**
     * @throws tools.jackson.core.JacksonException for anything but one whole value of this type
     * @throws IllegalArgumentException for {@code null}
     */
    public static <T> T read(byte[] json, Class<T> type) {
        T value = MAPPER.readValue(json, type);
        if (value == null) {
            throw new IllegalArgumentException("null is no " + type.getSimpleName());
        }
        return value;
    }
}
