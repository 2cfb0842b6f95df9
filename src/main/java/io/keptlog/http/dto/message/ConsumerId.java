// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.message;

import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.swagger.v3.oas.annotations.media.Schema;
import tools.jackson.core.JsonParser;
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
            String text =
                    switch (parser.currentToken()) {
                        case VALUE_STRING, VALUE_NUMBER_INT -> parser.getString();
                        default -> context.reportInputMismatch(this, "must be a number or a name");
                    };
            try {
                return new ConsumerId(Identifier.parse(text, "consumer_id"));
            } catch (KeptlogException e) {
                return context.reportInputMismatch(this, e.reason());
            }
        }
    }
}
