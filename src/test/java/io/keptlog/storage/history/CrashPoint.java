// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import io.keptlog.storage.file.FaultyFiles.Call;
import java.nio.file.Path;

/** Where a child process is killed: in front of or right behind the n-th call of a kind for files of this name, counted from the start. */
enum CrashPoint {
    BEFORE_A_FRAME_IS_WRITTEN(Call.WRITE, "partitions/\\d+/(0{20}\\.log)", false, 6),
    AFTER_A_FRAME_WAS_WRITTEN(Call.WRITE, "partitions/\\d+/(0{20}\\.log)", true, 6),
    BEFORE_THE_LOG_IS_SYNCED(Call.SYNC, "partitions/\\d+/(0{20}\\.log)", false, 3),
    AFTER_THE_LOG_WAS_SYNCED(Call.SYNC, "partitions/\\d+/(0{20}\\.log)", true, 3),
    BEFORE_THE_NEXT_SEGMENT_HAS_ITS_NAME(Call.RENAME, "partitions/\\d+/(0*[1-9]\\d*\\.log)", false, 2),
    AFTER_THE_NEXT_SEGMENT_HAS_ITS_NAME(Call.RENAME, "partitions/\\d+/(0*[1-9]\\d*\\.log)", true, 2),
    BEFORE_THE_NAME_OF_A_SEGMENT_IS_SYNCED(Call.SYNC_DIRECTORY, "streams/\\d+/topics/\\d+/partitions/\\d+", false, 4),
    BEFORE_THE_CHECKPOINT_OF_A_DELETION_IS_SYNCED(Call.SYNC, "partitions/\\d+/checkpoint", false, 8),
    BEFORE_AN_OLD_SEGMENT_IS_DELETED(Call.DELETE, "partitions/\\d+/(\\d+\\.log)", false, 1),
    AFTER_AN_OLD_SEGMENT_WAS_DELETED(Call.DELETE, "partitions/\\d+/(\\d+\\.log)", true, 1),
    BEFORE_A_JOURNAL_IS_REWRITTEN(Call.CREATE, "offsets/\\d+\\.journal\\.tmp", false, 2),
    BEFORE_A_REWRITTEN_JOURNAL_IS_PUT_IN_PLACE(Call.RENAME, "offsets/\\d+\\.journal", false, 2),
    AFTER_A_REWRITTEN_JOURNAL_WAS_PUT_IN_PLACE(Call.RENAME, "offsets/\\d+\\.journal", true, 2),
    BEFORE_THE_CATALOG_IS_SYNCED(Call.SYNC, "catalog/a/.*", false, 4),
    AFTER_ONE_COPY_OF_THE_CATALOG_WAS_SYNCED(Call.SYNC, "catalog/a/.*", true, 4),
    BEFORE_A_DELETED_PARTITION_LEAVES_ITS_PLACE(Call.RENAME, "trash/[^/]+", false, 1),
    AFTER_A_DELETED_PARTITION_LEFT_ITS_PLACE(Call.RENAME, "trash/[^/]+", true, 1),
    IN_A_RECOVERY_BEFORE_THE_QUARANTINE_IS_SYNCED(Call.SYNC, "quarantine/[^/]+\\.tail", false, 1),
    IN_A_RECOVERY_AFTER_THE_QUARANTINE_WAS_SYNCED(Call.SYNC, "quarantine/[^/]+\\.tail", true, 1),
    IN_A_RECOVERY_BEFORE_THE_CHECKPOINT_IS_SYNCED(Call.SYNC, "partitions/\\d+/checkpoint", false, 1);

    private final Call call;
    private final String name;
    private final boolean after;
    private final int nth;

    CrashPoint(Call call, String name, boolean after, int nth) {
        this.call = call;
        this.name = name;
        this.after = after;
        this.nth = nth;
    }

    boolean isInRecovery() {
        return name().startsWith("IN_A_RECOVERY");
    }

    boolean matches(Call made, Path path) {
        return made == call && path.toString().matches(".*/" + name);
    }

    boolean isAfter() {
        return after;
    }

    int nth() {
        return nth;
    }
}
