// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import java.util.concurrent.atomic.AtomicInteger;

/** Streams and topics of a test's own, so that tests share a server without meeting. */
final class Places {
    private static final AtomicInteger NEXT = new AtomicInteger();

    private Places() {}

    /** Creates a stream. */
    static String stream(Api api) {
        String name = "place-" + NEXT.incrementAndGet();
        api.post("/streams", "{\"name\":\"" + name + "\"}").expect(200);
        return "/streams/" + name;
    }

    /** Creates a topic in a stream of its own; options as the members of a JSON object. */
    static String topic(Api api, int partitions, String options) {
        String stream = stream(api);
        api.post(stream + "/topics", createTopic("events", partitions, options)).expect(200);
        return stream + "/topics/events";
    }

    static String createTopic(String name, int partitions, String options) {
        return """
                {"name": "%s", "partitions_count": %d, "compression_algorithm": "none", "message_expiry": 0,
                 "max_topic_size": 0, "options": {%s}}"""
                .formatted(name, partitions, options);
    }

    /** A request with these payloads, already base64, for partition 0. */
    static String messages(String... base64) {
        var json = new StringBuilder(
                "{\"partitioning\":{\"kind\":\"partition_id\",\"value\":\"AAAAAA==\"},\"messages\":[");
        for (int i = 0; i < base64.length; i++) {
            json.append(i == 0 ? "" : ",")
                    .append("{\"payload\":\"")
                    .append(base64[i])
                    .append("\"}");
        }
        return json.append("]}").toString();
    }
}
