// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal.record;

import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.storage.journal.format.Frame;
import io.keptlog.storage.record.CatalogCodec;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Frames to a catalog. Stops at the first record that cannot be understood or does not fit: what follows would build on a hole. */
public final class CatalogReplay {
    private CatalogState state = CatalogState.EMPTY;
    private @Nullable String problem;

    public CatalogReplay(List<Frame> frames) {
        var snapshot = new ByteArrayOutputStream();
        for (Frame frame : frames) {
            try {
                switch (frame.kind()) {
                    case SNAPSHOT -> snapshot.writeBytes(frame.payload());
                    case SNAPSHOT_END -> state = CatalogCodec.decodeState(snapshot.toByteArray());
                    case RECORD -> state = state.apply(CatalogCodec.decode(frame.payload()));
                }
            } catch (IllegalArgumentException | IllegalStateException e) {
                problem = "record " + frame.index() + " cannot be applied: " + e.getMessage();
                return;
            }
        }
    }

    public CatalogState state() {
        return state;
    }

    /** Why the replay stopped before the end, or null. */
    public @Nullable String problem() {
        return problem;
    }
}
