// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.check;

import io.keptlog.domain.PartitionRef;
import io.keptlog.storage.file.FileLayer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The partition directories of a data directory, by the numbers in their paths. */
final class PartitionDirectories {
    static final Comparator<PartitionRef> ORDER = Comparator.comparingInt(PartitionRef::streamId)
            .thenComparingInt(PartitionRef::topicId)
            .thenComparingInt(PartitionRef::partitionId);

    private PartitionDirectories() {}

    static Map<PartitionRef, Path> list(FileLayer files, Path root) throws IOException {
        Map<PartitionRef, Path> found = new TreeMap<>(ORDER);
        for (Path stream : numbered(files, root.resolve("streams"))) {
            for (Path topic : numbered(files, stream.resolve("topics"))) {
                for (Path partition : numbered(files, topic.resolve("partitions"))) {
                    found.put(new PartitionRef(number(stream), number(topic), number(partition)), partition);
                }
            }
        }
        return found;
    }

    private static List<Path> numbered(FileLayer files, Path parent) throws IOException {
        return files.isDirectory(parent)
                ? files.list(parent).stream()
                        .filter(path -> String.valueOf(path.getFileName()).matches("0|[1-9][0-9]{0,8}"))
                        .filter(files::isDirectory)
                        .toList()
                : List.of();
    }

    private static int number(Path path) {
        return Integer.parseInt(String.valueOf(path.getFileName()));
    }
}
