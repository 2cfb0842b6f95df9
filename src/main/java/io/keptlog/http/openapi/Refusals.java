// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.openapi;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The answers of each operation that are no success. Most follow from what an operation has: a login, a body, a place in its path. What is
 * said before there is an operation (405, 414, 431) is not among them; neither is a defect of the server.
 */
final class Refusals {
    private static final String PREFIX = "Refused";
    private static final Map<Integer, String> MEANINGS = new TreeMap<>(Map.ofEntries(
            Map.entry(400, "Not understood, or not possible; nothing was changed."),
            Map.entry(401, "No login, or not a good one."),
            Map.entry(403, "The user may not do this, whether or not the thing exists."),
            Map.entry(404, "What the path names is not there."),
            Map.entry(406, "There is no representation that the Accept header allows."),
            Map.entry(408, "The body did not arrive in time; nothing was changed."),
            Map.entry(409, "Not what the producer's number says comes next; nothing was stored."),
            Map.entry(412, "Only a cluster has this, or not with what is there now."),
            Map.entry(413, "The body is too large; nothing was changed."),
            Map.entry(415, "The body's content type is not taken."),
            Map.entry(429, "Too many of them at once; Retry-After says when to come back."),
            Map.entry(500, "A sync failed, and the outcome is unknown; or what was asked for is damaged."),
            Map.entry(503, "Not now: busy, stopping, fenced, or without a quorum. Nothing was changed."),
            Map.entry(504, "Not done in time; of a change the outcome is unknown."),
            Map.entry(507, "The disk is full; nothing was changed.")));

    /** Whoever is logged in may do these; what they see is their own, or the same for everybody. */
    private static final Set<String> FOR_EVERY_USER = Set.of(
            "listPersonalAccessTokens",
            "createPersonalAccessToken",
            "deletePersonalAccessToken",
            "getClusterMetadata",
            "getMetrics",
            "listOptions",
            "logout");

    /** What the operation has is not the whole. */
    private static final Map<String, List<Integer>> MORE = Map.of(
            "sendMessages", List.of(409, 500, 504),
            "pollMessages", List.of(500, 504),
            "flushMessages", List.of(500, 504),
            "flushPartition", List.of(500, 504),
            "storeConsumerOffset", List.of(500, 504),
            "deleteConsumerOffset", List.of(500, 504));

    private Refusals() {}

    static void describe(OpenAPI api, String errorSchema) {
        Components components = api.getComponents();
        MEANINGS.forEach((status, meaning) -> components.addResponses(
                PREFIX + status,
                new ApiResponse()
                        .description(meaning)
                        .content(new Content()
                                .addMediaType(
                                        "application/json",
                                        new MediaType().schema(new Schema<>().$ref(errorSchema))))));
        api.getPaths().forEach((path, item) -> item.readOperationsMap()
                .forEach(
                        (method, operation) -> statuses(method, path, operation).forEach(status -> {
                            if (!operation.getResponses().containsKey(String.valueOf(status))) {
                                operation
                                        .getResponses()
                                        .addApiResponse(
                                                String.valueOf(status),
                                                new ApiResponse().$ref("#/components/responses/" + PREFIX + status));
                            }
                        })));
    }

    private static Set<Integer> statuses(HttpMethod method, String path, Operation operation) {
        var statuses = new TreeSet<Integer>();
        boolean needsLogin =
                operation.getSecurity() == null || !operation.getSecurity().isEmpty();
        boolean hasBody = operation.getRequestBody() != null;
        boolean answersSomething =
                operation.getResponses().values().stream().anyMatch(answer -> answer.getContent() != null);
        statuses.add(400);
        if (needsLogin) {
            statuses.addAll(List.of(401, 429, 503));
            if (!FOR_EVERY_USER.contains(operation.getOperationId())) {
                statuses.add(403);
            }
            if (method != HttpMethod.GET) {
                statuses.add(507);
            }
        }
        if (path.contains("{")) {
            statuses.add(404);
        }
        if (path.startsWith("/admin/") || path.startsWith("/bookies") || path.contains("/replication")) {
            statuses.add(412);
        }
        if (answersSomething) {
            statuses.add(406);
        }
        if (hasBody) {
            statuses.addAll(List.of(408, 413, 415, 503));
            if (!needsLogin) {
                statuses.addAll(List.of(401, 429));
            }
        }
        statuses.addAll(MORE.getOrDefault(String.valueOf(operation.getOperationId()), List.of()));
        return statuses;
    }
}
