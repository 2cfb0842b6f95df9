// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.Identifier;

/** Identifiers of paths, each with the field that an error names. Throws INVALID_IDENTIFIER. */
final class PathIds {
    static final String STREAM = "stream_id";
    static final String TOPIC = "topic_id";
    static final String PARTITION = "partition_id";
    static final String GROUP = "group_id";

    private PathIds() {}

    static Identifier stream(String text) {
        return Identifier.parse(text, STREAM);
    }

    static Identifier topic(String text) {
        return Identifier.parse(text, TOPIC);
    }

    static Identifier group(String text) {
        return Identifier.parse(text, GROUP);
    }
}
