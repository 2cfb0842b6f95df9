// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.PartitionRef;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.sync.SyncOutcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The last syncs of a graceful stop: refuses appends in every log, has all of them synced at once, and says what came of it. */
final class StoreDrain {
    private final Collection<SegmentLog> logs;

    StoreDrain(Collection<SegmentLog> logs) {
        this.logs = logs;
    }

    /**
     * @param failed logs that are not wholly on stable storage
     * @param cleanEnds what the clean marker may say, without fenced and refused logs; null when a last sync failed: no marker then
     */
    record Result(List<PartitionRef> failed, @Nullable Map<PartitionRef, Checkpoint> cleanEnds) {}

    Result drain(Deadline deadline) {
        List<SegmentLog> open = new ArrayList<>();
        List<PartitionRef> failed = new ArrayList<>();
        for (SegmentLog log : logs) {
            log.state().drain();
            if (log.writing() != null && log.state().open()) {
                open.add(log);
            } else if (log.state().condition().state() == LogStatus.State.FENCED) {
                failed.add(log.spec().ref());
            }
        }
        open.forEach(SegmentLog::requestFinalSync);
        boolean allSynced = true;
        Map<PartitionRef, Checkpoint> ends = new HashMap<>();
        for (SegmentLog log : open) {
            if (log.awaitFinalSync(deadline) == SyncOutcome.SYNCED) {
                ends.put(log.spec().ref(), log.finalCheckpoint());
            } else if (!log.state().condition().deleted()) {
                // What was deleted meanwhile has nothing left to keep.
                failed.add(log.spec().ref());
                allSynced = false;
            }
        }
        return new Result(List.copyOf(failed), allSynced ? ends : null);
    }
}
