// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.dump;

import java.util.Map;

/** Takes the lines of a dump: names and values, in order. Values are numbers, strings, booleans, and lists and maps of these. */
@FunctionalInterface
public interface DumpSink {
    void line(Map<String, Object> values);
}
