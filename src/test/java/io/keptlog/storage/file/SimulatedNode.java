// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** What a name stands for: a file's content or a directory. */
sealed interface SimulatedNode {
    /** Names of a directory: as the process sees them, and as the disk has them. */
    final class Directory implements SimulatedNode {
        final TreeMap<String, SimulatedNode> names = new TreeMap<>();
        final Map<String, Entry> disk = new HashMap<>();
    }

    /** The disk's last word on a name; node null = the name is gone. */
    record Entry(SimulatedNode node, long sequence) {}

    /** The content of one file; guarded by the layer. */
    final class Content extends SimulatedContent implements SimulatedNode {}
}
