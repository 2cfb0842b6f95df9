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
    private final SnapshotSource snapshot;

    GenerationWriter(JournalSettings settings, SnapshotSource snapshot) {
        this.settings = settings;
        this.snapshot = snapshot;
    }

    /** A generation with its snapshot under temporary names, not synced. */
    Generation begin(long number) throws IOException {
        try {
            return attempt(number);
        } catch (NoSpaceException e) {
            if (!settings.reserve().release()) {
                throw e;
            }
            return attempt(number);
        }
    }

    private Generation attempt(long number) throws IOException {
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
