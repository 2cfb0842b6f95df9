// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import io.keptlog.domain.Limits;
import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.journal.format.Frame;
import io.keptlog.storage.journal.format.Generation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the next generation beside the running journal, on a thread of its own: the snapshot, then the records that came meanwhile, then
 * a first sync, so that the sync owner's takes little. Records reach it through {@link #appended}, first by a bounded backlog, after
 * {@link #mirror} directly. Its fields are guarded by the journal's lock. A crash leaves temporary files that the next start replaces or
 * ignores. Any failure but that of a sync only gives the rewrite up; the running generation has everything.
 */
final class JournalRewrite implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(JournalRewrite.class);
    /** A backlog below this is left to the sync owner. */
    private static final long SMALL_BYTES = 64 << 10;

    private final Journal journal;
    private final long number;
    private final SnapshotSource.Snapshot snapshot;
    private List<byte[]> backlog = new ArrayList<>();
    private long backlogBytes;
    private boolean failed;
    private boolean ended;
    private @Nullable Generation generation;
    private @Nullable Generation mirrored;

    private JournalRewrite(Journal journal, long number) {
        this.journal = journal;
        this.number = number;
        this.snapshot = journal.writer.capture();
    }

    /** Under the journal's lock: the snapshot and the backlog meet here without a gap and without an overlap. */
    static JournalRewrite start(Journal journal, long number) {
        var rewrite = new JournalRewrite(journal, number);
        journal.environment.threads().newThread(rewrite).start();
        return rewrite;
    }

    @Override
    public void run() {
        try {
            Generation written = journal.writer.begin(number, snapshot);
            keep(written);
            catchUp(written);
            sync(written);
        } catch (NoSpaceException e) {
            journal.environment.observer().noSpace();
            fail("no space", e);
        } catch (IOException | RuntimeException | Error e) {
            fail(String.valueOf(e.getMessage()), e);
        } finally {
            journal.lock.lock();
            try {
                ended = true;
                journal.work.signal();
            } finally {
                journal.lock.unlock();
            }
        }
    }

    private void keep(Generation written) {
        journal.lock.lock();
        try {
            generation = written;
        } finally {
            journal.lock.unlock();
        }
    }

    private void catchUp(Generation written) throws IOException {
        boolean more = true;
        while (more) {
            List<byte[]> records;
            journal.lock.lock();
            try {
                more = backlogBytes > SMALL_BYTES;
                if (failed || journal.closed) {
                    return;
                }
                records = drain();
            } finally {
                journal.lock.unlock();
            }
            if (!records.isEmpty()) {
                written.append(Frame.Kind.RECORD, records);
            }
        }
    }

    private List<byte[]> drain() {
        List<byte[]> records = backlog;
        backlog = new ArrayList<>();
        backlogBytes = 0;
        return records;
    }

    private void sync(Generation written) {
        try {
            written.sync();
        } catch (IOException | RuntimeException | Error e) {
            journal.fence("the sync of a rewritten generation failed: " + e.getMessage(), e);
            fail(String.valueOf(e.getMessage()), e);
        }
    }

    private void fail(String reason, Throwable cause) {
        LOG.warn("{}: rewriting was given up, it is tried again later: {}", journal.component(), reason, cause);
        journal.lock.lock();
        try {
            failed = true;
        } finally {
            journal.lock.unlock();
        }
    }

    /** Under the lock: these records were appended to the running generation. */
    void appended(List<byte[]> records) {
        if (failed) {
            return;
        }
        if (mirrored != null) {
            try {
                mirrored.append(Frame.Kind.RECORD, records);
            } catch (IOException e) {
                fail(String.valueOf(e.getMessage()), e);
            }
            return;
        }
        for (byte[] bytes : records) {
            backlog.add(bytes);
            backlogBytes += bytes.length;
        }
        if (backlogBytes > Limits.JOURNAL_BACKLOG_BYTES) {
            failed = true;
            drain();
        }
    }

    /** Under the lock. */
    boolean ended() {
        return ended;
    }

    /** Under the lock: the generation as far as it was written, null when it was given up. */
    @Nullable
    Generation result() {
        return failed ? null : generation;
    }

    /**
     * Under the lock: writes the rest of the backlog; from here on records are written to both generations.
     *
     * @return whether the new one is complete
     */
    boolean mirror(Generation written) {
        try {
            List<byte[]> rest = drain();
            if (!rest.isEmpty()) {
                written.append(Frame.Kind.RECORD, rest);
            }
            mirrored = written;
        } catch (IOException e) {
            fail(String.valueOf(e.getMessage()), e);
        }
        return !failed;
    }

    /** Under the lock: whether every record is in the new generation. */
    boolean complete() {
        return !failed && mirrored != null;
    }

    void discard() {
        Generation written = generation;
        if (written != null) {
            try {
                written.discard();
            } catch (IOException e) {
                LOG.warn("{}: temporary files are still there: {}", journal.component(), e.getMessage());
            }
        }
    }
}
