// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.http.ServerTest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code openapi.yaml} is the document that the server generates. {@code mvn verify -Dopenapi.write} writes it anew. */
@ServerTest
class OpenApiFileTest {
    private static final Path FILE = Path.of("openapi.yaml");

    private final MockMvc mvc;

    @Autowired
    OpenApiFileTest(MockMvc mvc) {
        this.mvc = mvc;
    }

    private String read(String path) throws Exception {
        return mvc.perform(MockMvcRequestBuilders.get(path))
                .andReturn()
                .getResponse()
                .getContentAsString(StandardCharsets.UTF_8);
    }

    @Test
    void theFileIsTheGeneratedDocument() throws Exception {
        String generated = read("/v3/api-docs.yaml");
        assertThat(generated).startsWith("openapi: 3.1.0");
        assertThat(read("/v3/api-docs.yaml")).isEqualTo(generated);
        if (System.getProperty("openapi.write") != null) {
            Files.writeString(FILE, generated);
        }
        assertThat(Files.readString(FILE))
                .as("openapi.yaml is out of date: run mvn verify -Dopenapi.write")
                .isEqualTo(generated);
    }

    @Test
    void everyOperationNamesItsRefusalsAndEveryMemberIsInSnakeCase() throws Exception {
        JsonNode api = JsonMapper.shared().readTree(read("/v3/api-docs"));
        assertThat(api.path("paths").size()).isPositive();
        List<String> wrong = new ArrayList<>();
        api.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    JsonNode answers = operation.getValue().path("responses");
                    boolean named = answers.has("400") && !answers.has("default");
                    for (JsonNode answer : answers) {
                        named &= answer.path("$ref").asString("").isEmpty()
                                || api.at(answer.path("$ref")
                                                .asString()
                                                .substring(1)
                                                .concat("/content/application~1json/schema/$ref"))
                                        .asString("")
                                        .equals("#/components/schemas/Error");
                    }
                    if (!named) {
                        wrong.add(operation.getKey() + " " + path.getKey());
                    }
                }));
        api.at("/components/schemas").properties().forEach(schema -> schema.getValue()
                .path("properties")
                .propertyNames()
                .forEach(name -> {
                    // Pulsar's own members are in camel case.
                    if (!name.matches("[a-z0-9_]+") && !schema.getKey().contains("Persistence")) {
                        wrong.add(schema.getKey() + "." + name);
                    }
                }));
        assertThat(wrong).isEmpty();
        assertThat(api.at("/servers/0/url").asString()).isEqualTo("/");
        assertThat(api.at("/components/securitySchemes").propertyNames()).containsExactlyInAnyOrder("basic", "bearer");
        assertThat(api.at("/components/schemas/U64/format").asString()).isEqualTo("uint64");
        // Generators of clients turn such a maximum into -1, and their clients then refuse every number.
        assertThat(api.toString()).doesNotContain("\"maximum\":18446744073709551615");
    }

    @Test
    void everyOperationHasAStableNameASummaryAndExamples() throws Exception {
        JsonNode api = JsonMapper.shared().readTree(read("/v3/api-docs"));
        List<String> names = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        api.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    String where = operation.getKey() + " " + path.getKey();
                    JsonNode described = operation.getValue();
                    String name = described.path("operationId").asString("");
                    names.add(name);
                    if (!name.matches("[a-z][A-Za-z]+")
                            || described.path("summary").asString("").isBlank()) {
                        wrong.add(where + ": name or summary");
                    }
                    for (JsonNode parameter : described.path("parameters")) {
                        if (!parameter.has("schema")
                                || (parameter.path("in").asString().equals("path") && !parameter.has("example"))) {
                            wrong.add(where + ": schema or example of " + parameter.path("name"));
                        }
                    }
                    JsonNode body = described.at("/requestBody/content/application~1json/schema/$ref");
                    if (!body.isMissingNode() && !hasExamples(api, body.asString())) {
                        wrong.add(where + ": body without examples");
                    }
                }));
        assertThat(names).doesNotHaveDuplicates();
        assertThat(wrong).isEmpty();
    }

    /** Every required member that is no object of its own shows a value. */
    private static boolean hasExamples(JsonNode api, String reference) {
        JsonNode schema = api.at(reference.substring(1));
        return schema.path("required").valueStream().allMatch(member -> {
            JsonNode property = schema.path("properties").path(member.asString());
            String inner = property.path("$ref").asString("");
            return property.has("example")
                    || property.has("examples")
                    || property.has("enum")
                    || property.path("type").asString("").equals("array")
                    || !inner.isEmpty();
        });
    }

    @Test
    void thePageThatTriesOperationsIsThereWithoutALogin() throws Exception {
        assertThat(mvc.perform(MockMvcRequestBuilders.get("/swagger-ui.html"))
                        .andReturn()
                        .getResponse()
                        .getRedirectedUrl())
                .endsWith("/swagger-ui/index.html");
        assertThat(read("/swagger-ui/index.html")).contains("swagger-ui");
    }
}
