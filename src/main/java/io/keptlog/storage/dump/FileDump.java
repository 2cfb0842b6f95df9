// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.dump;

import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.segment.format.PartitionPaths;
import java.io.IOException;
import java.nio.file.Path;

/** Dumps one file, whatever it is by its name. Changes nothing; damage is a line, not an exception. */
public final class FileDump {
    private FileDump() {}

    /**
     * @throws IOException it cannot be read
     * @throws IllegalArgumentException its name is none of a file that can be dumped
     */
    public static void dump(FileLayer files, Path file, DumpRange range, DumpSink sink) throws IOException {
        String name = String.valueOf(file.getFileName());
        if (PartitionPaths.logBase(file).isPresent()) {
            new SegmentDump(files, file, range, sink).run();
        } else if (PartitionPaths.indexBase(file).isPresent()) {
            SmallDumps.index(files, file, range, sink);
        } else if (name.endsWith(".journal") || name.endsWith(".previous")) {
            new JournalDump(range, sink).run(files, file);
        } else {
            switch (name) {
                case "checkpoint" -> SmallDumps.checkpoint(files, file, sink);
                case "epochs" -> SmallDumps.epochs(files, file, sink);
                case "producers" -> SmallDumps.producers(files, file, sink);
                case "clean" -> SmallDumps.clean(files, file, sink);
                default -> throw new IllegalArgumentException(name
                        + " is no segment, index, journal, checkpoint, clean mark, or list of epochs or producers");
            }
        }
    }
}
