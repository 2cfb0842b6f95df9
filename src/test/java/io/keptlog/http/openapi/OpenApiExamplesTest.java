// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.http.ServerTest;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every operation of the document is tried with the examples that the document shows, against an empty server and in an order in which
 * what is named exists: what Swagger UI offers to try works.
 */
@ServerTest
@TestPropertySource(properties = "keptlog.root-password=a long password")
@DirtiesContext
class OpenApiExamplesTest {
    /** What cannot work as it is shown: a secret that nobody has, a report that is not there, what only a cluster has. */
    private static final Map<String, Integer> REFUSED = Map.of(
            "loginWithPersonalAccessToken", 401,
            "refreshToken", 401,
            "resolveRecoveryReport", 404);

    /** Made first, from the outside in; and read before they go, from the inside out. */
    private static final List<String> FIRST = List.of(
            "createStream",
            "createTopic",
            "createConsumerGroup",
            "sendMessages",
            "storeConsumerOffset",
            "createUser",
            "createPersonalAccessToken");

    private static final List<String> LAST = List.of(
            "deleteConsumerOffset",
            "deleteConsumerGroup",
            "deleteSegments",
            "deletePartitions",
            "purgeTopic",
            "deleteTopic",
            "purgeStream",
            "deleteStream",
            "changePassword",
            "changePermissions",
            "deletePersonalAccessToken",
            "updateUser",
            "deleteUser",
            "logout");

    @LocalServerPort
    private int port;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private record Operation(String method, String path, JsonNode described) {
        String name() {
            return described.path("operationId").asString();
        }

        int order() {
            int first = FIRST.indexOf(name());
            int last = LAST.indexOf(name());
            return first >= 0 ? first - 1000 : last >= 0 ? last + 1000 : 0;
        }
    }

    private HttpResponse<String> send(String method, String path, String contentType, String body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(60))
                .header(
                        "Authorization",
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString("iggy:a long password".getBytes(StandardCharsets.UTF_8)))
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        if (body != null) {
            request.header("Content-Type", contentType);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void everyOperationWorksWithTheExamplesThatItShows() throws Exception {
        JsonNode api = JsonMapper.shared()
                .readTree(send("GET", "/v3/api-docs", "", null).body());
        List<Operation> operations = new ArrayList<>();
        api.path("paths").properties().forEach(path -> path.getValue()
                .properties()
                .forEach(o -> operations.add(new Operation(o.getKey(), path.getKey(), o.getValue()))));
        operations.sort(Comparator.comparingInt(Operation::order).thenComparing(Operation::path));
        List<String> wrong = new ArrayList<>();
        for (Operation operation : operations) {
            for (int times = operation.name().equals("sendMessages") ? 3 : 1; times > 0; times--) {
                var reply = attempt(api, operation);
                int wanted = wanted(operation, reply.statusCode());
                if (reply.statusCode() != wanted) {
                    wrong.add(operation.name() + " " + reply.uri() + " answered " + reply.statusCode() + " "
                            + reply.body());
                }
            }
        }
        assertThat(operations).hasSizeGreaterThan(50);
        assertThat(wrong).isEmpty();
    }

    private static int wanted(Operation operation, int answered) {
        boolean ofACluster = operation.described().path("tags").toString().contains("Cluster");
        return ofACluster ? 412 : REFUSED.getOrDefault(operation.name(), answered / 100 == 2 ? answered : 200);
    }

    private HttpResponse<String> attempt(JsonNode api, Operation operation) throws IOException, InterruptedException {
        String path = operation.path();
        var query = new StringBuilder();
        for (JsonNode parameter : operation.described().path("parameters")) {
            String name = parameter.path("name").asString();
            String value = parameter.has("example") ? parameter.path("example").asString() : null;
            switch (parameter.path("in").asString()) {
                case "path" -> {
                    assertThat(value)
                            .as("%s: example of %s", operation.name(), name)
                            .isNotNull();
                    path = path.replace("{" + name + "}", URLEncoder.encode(value, StandardCharsets.UTF_8));
                }
                case "query" -> {
                    boolean needed = parameter.path("required").asBoolean(false);
                    assertThat(!needed || value != null)
                            .as("%s: example of %s", operation.name(), name)
                            .isTrue();
                    if (value != null) {
                        query.append(query.isEmpty() ? '?' : '&')
                                .append(name)
                                .append('=')
                                .append(URLEncoder.encode(value, StandardCharsets.UTF_8));
                    }
                }
                default -> {
                    // Headers are optional everywhere.
                }
            }
        }
        JsonNode schema = operation.described().at("/requestBody/content/application~1json/schema");
        String body = schema.isMissingNode() ? null : example(api, schema).toString();
        return send(operation.method().toUpperCase(java.util.Locale.ROOT), path + query, "application/json", body);
    }

    /** As Swagger UI fills in a body. */
    private static JsonNode example(JsonNode api, JsonNode schema) {
        if (schema.has("example")) {
            return schema.path("example");
        }
        if (schema.has("examples")) {
            return schema.path("examples").get(0);
        }
        if (schema.has("anyOf")) {
            return example(api, schema.path("anyOf").get(0));
        }
        if (schema.has("$ref")) {
            return example(api, api.at(schema.path("$ref").asString().substring(1)));
        }
        if (schema.has("enum")) {
            return schema.path("enum").get(0);
        }
        JsonMapper json = JsonMapper.shared();
        String type = schema.path("type").isArray()
                ? schema.path("type").get(0).asString()
                : schema.path("type").asString("");
        return switch (type) {
            case "object" -> {
                ObjectNode object = json.createObjectNode();
                schema.path("properties").properties().forEach(p -> object.set(p.getKey(), example(api, p.getValue())));
                yield object;
            }
            case "array" -> json.createArrayNode().add(example(api, schema.path("items")));
            case "boolean" -> json.getNodeFactory().booleanNode(true);
            case "integer", "number" -> json.getNodeFactory().numberNode(0);
            default -> json.getNodeFactory().stringNode("string");
        };
    }
}
