// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.journal.format.Frame;
import io.keptlog.storage.journal.format.Generation;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Begins new generations of one journal, each with its snapshot. A full disk gets a second try with the reserve. */
final class GenerationWriter {
    private final JournalSettings settings;
    private final SnapshotSource source;

    GenerationWriter(JournalSettings settings, SnapshotSource source) {
        this.settings = settings;
        this.source = source;
    }

    /** Under the journal's lock: the state as it is now. */
    SnapshotSource.Snapshot capture() {
        return source.capture();
    }

    /** A generation with this snapshot under temporary names, not synced. */
    Generation begin(long number, SnapshotSource.Snapshot snapshot) throws IOException {
        try {
            return attempt(number, snapshot);
        } catch (NoSpaceException e) {
            if (!settings.reserve().release()) {
                throw e;
            }
            return attempt(number, snapshot);
        }
    }

    private Generation attempt(long number, SnapshotSource.Snapshot snapshot) throws IOException {
        Generation generation = Generation.create(
                settings.files(),
                settings.directories(),
                number,
                ThreadLocalRandom.current().nextLong());
        try {
            snapshot.writeTo(part -> generation.append(Frame.Kind.SNAPSHOT, List.of(part)));
            generation.append(Frame.Kind.SNAPSHOT_END, List.of(new byte[0]));
            return generation;
        } catch (IOException | RuntimeException | Error e) {
            generation.discardAfter(e);
            throw e;
        }
    }
}
