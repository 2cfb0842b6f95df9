// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.error;

import io.keptlog.domain.KeptlogException;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The body of every reply that is not a success: {@code {id, code, reason, field}} and what this error adds (http-api §1). Written by
 * hand, because errors are also told before and outside of Spring MVC.
 *
 * @param field the member or parameter at fault; null when there is none
 * @param details further members
 */
public record ErrorBody(int id, String code, String reason, @Nullable String field, Map<String, Object> details) {
    public static final String CONTENT_TYPE = "application/json";
    private static final JsonFactory JSON = new JsonFactory();

    public static ErrorBody of(KeptlogException error) {
        return new ErrorBody(error.code().id(), error.code().code(), error.reason(), error.field(), error.details());
    }

    public byte[] toJson() {
        var out = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeNumberProperty("id", id);
            json.writeStringProperty("code", code);
            json.writeStringProperty("reason", reason);
            json.writeStringProperty("field", field);
            for (var detail : details.entrySet()) {
                json.writeName(detail.getKey());
                write(json, detail.getValue());
            }
            json.writeEndObject();
        }
        return out.toByteArray();
    }

    private static void write(JsonGenerator json, Object value) {
        switch (value) {
            case Long n -> json.writeNumber(n);
            case Integer n -> json.writeNumber(n);
            case BigInteger n -> json.writeNumber(n);
            case Boolean b -> json.writeBoolean(b);
            default -> json.writeString(value.toString());
        }
    }
}
