// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.message;

import io.keptlog.domain.Identifier;
import io.swagger.v3.oas.annotations.media.Schema;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.std.StdDeserializer;

/** A consumer's number or name; in JSON a number or a string, and a string of digits is a number. */
@Schema(
        types = {"integer", "string"},
        description = "A number up to 4294967295, or a name.",
        example = "billing")
@JsonDeserialize(using = ConsumerId.Reader.class)
public record ConsumerId(Identifier identifier) {
    static final class Reader extends StdDeserializer<ConsumerId> {
        Reader() {
            super(ConsumerId.class);
        }

        @Override
        public ConsumerId deserialize(JsonParser parser, DeserializationContext context) {
            Identifier identifier =
                    switch (parser.currentToken()) {
                        case VALUE_STRING, VALUE_NUMBER_INT -> Identifier.parse(parser.getString(), "consumer_id");
                        default -> context.reportInputMismatch(this, "must be a number or a name");
                    };
            if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT && identifier instanceof Identifier.Name) {
                return context.reportInputMismatch(this, "a number is at most 4294967295");
            }
            return new ConsumerId(identifier);
        }
    }
}
