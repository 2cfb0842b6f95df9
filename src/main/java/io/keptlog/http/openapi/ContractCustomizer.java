// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.openapi;

import io.keptlog.http.SnakeCase;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.tags.Tag;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;

/**
 * Makes the generated document say what the server does: members in snake case, the one error body for every operation, exact schemas
 * of u64 and u128 (without a maximum: generators of clients turn one beyond 2^63 − 1 into −1). Sorts what has no order of its own, so that the document is the same each time.
 */
final class ContractCustomizer implements GlobalOpenApiCustomizer {
    private static final String ERROR = "Error";
    private static final String CONSUMER_ID = "ConsumerId";
    /** Inner types of what is a number or a text in JSON. */
    private static final List<String> NOT_ON_THE_WIRE = List.of("Identifier", "Name", "Numeric");

    private static final String PULSAR_POLICIES = "PersistencePolicies";
    private static final String ERROR_REF = "#/components/schemas/" + ERROR;
    private static final Map<String, Object> PARAMETER_EXAMPLES = Map.of(
            "stream_id", "orders",
            "topic_id", "events",
            "partition_id", 0,
            "consumer_id", "billing",
            "group_id", "billing",
            "user_id", "orders-writer",
            "name", "build",
            "tenant", "public",
            "namespace", "orders",
            "bookie_id", "10.0.0.1:3181");
    private static final String U64 = "U64";
    private static final String U128 = "U128";

    /** The library's own map of schemas is of a raw type. */
    @Override
    @SuppressWarnings("rawtypes")
    public void customise(OpenAPI api) {
        Map<String, Schema> schemas = api.getComponents().getSchemas() == null
                ? new TreeMap<>()
                : new TreeMap<>(api.getComponents().getSchemas());
        schemas.forEach((name, schema) -> {
            // Pulsar's own members are in camel case.
            if (!name.equals(PULSAR_POLICIES)) {
                snakeCase(schema);
            }
        });
        NullableMembers.mark(schemas);
        schemas.put(ERROR, error());
        schemas.put(U64, unsigned("uint64", "18446744073709551615"));
        schemas.put(U128, unsigned("uint128", "340282366920938463463374607431768211455"));
        schemas.put(CONSUMER_ID, numberOrName());
        NOT_ON_THE_WIRE.forEach(schemas::remove);
        api.getComponents().setSchemas(schemas);
        if (api.getPaths() != null) {
            Refusals.describe(api, ERROR_REF);
            api.getPaths().values().forEach(path -> path.readOperations()
                    .forEach(ContractCustomizer::completeParameters));
        }
        if (api.getTags() != null) {
            api.setTags(api.getTags().stream()
                    .sorted(Comparator.comparing(Tag::getName))
                    .toList());
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void snakeCase(Schema schema) {
        Map<String, Schema> properties = schema.getProperties();
        if (properties != null) {
            var renamed = new LinkedHashMap<String, Schema>();
            properties.forEach((name, property) -> renamed.put(SnakeCase.of(name), property));
            schema.setProperties(renamed);
        }
        if (schema.getRequired() != null) {
            List<String> required = ((List<String>) schema.getRequired())
                    .stream().map(SnakeCase::of).sorted().toList();
            // The setter drops names that it does not find among the properties.
            schema.setRequired(required);
        }
    }

    /** What path and query name in the examples: the things that the examples of bodies make. */
    private static void completeParameters(Operation operation) {
        if (operation.getParameters() == null) {
            return;
        }
        for (Parameter parameter : operation.getParameters()) {
            if (parameter.getSchema() == null) {
                // What is described by a sentence alone is a text; without a schema the document would not be valid.
                parameter.setSchema(new StringSchema());
            }
            sizeOfNumber(parameter.getSchema());
            Object example = PARAMETER_EXAMPLES.get(parameter.getName());
            if (example != null && parameter.getExample() == null) {
                parameter.setExample(example);
            }
        }
    }

    /** Without it generators of clients take 32 bits with a sign. */
    private static void sizeOfNumber(Schema<?> schema) {
        boolean isInteger = "integer".equals(schema.getType())
                || (schema.getTypes() != null && schema.getTypes().contains("integer"));
        if (isInteger && schema.getFormat() == null) {
            schema.setFormat(schema.getMaximum() == null ? "uint64" : "int64");
        }
    }

    private static Schema<?> error() {
        var schema = new ObjectSchema();
        schema.setDescription("The body of every reply that is not a success. Some errors add members.");
        schema.addProperty(
                "id", new IntegerSchema().description("Apache Iggy's number of the error, else the HTTP status."));
        schema.addProperty(
                "code",
                new StringSchema().description("Stable name in snake case.").example("stream_id_not_found"));
        schema.addProperty(
                "reason", new StringSchema().description("A sentence for people, with the values concerned."));
        var field = new StringSchema();
        field.setTypes(new LinkedHashSet<>(List.of("string", "null")));
        schema.addProperty("field", field.description("The member or parameter at fault, or null."));
        schema.setRequired(List.of("code", "field", "id", "reason"));
        schema.setAdditionalProperties(true);
        return schema;
    }

    private static Schema<?> unsigned(String format, String maximum) {
        return new IntegerSchema()
                .format(format)
                .minimum(BigDecimal.ZERO)
                .description("An exact JSON number up to " + maximum + "; it may exceed 2^53.");
    }

    private static Schema<?> numberOrName() {
        var schema = new Schema<>();
        schema.setTypes(new LinkedHashSet<>(List.of("integer", "string")));
        return schema.description("A number up to 4294967295, or a name.").example("billing");
    }
}
