// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal.format;

import io.keptlog.domain.Limits;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.journal.format.ScannedFile.Verdict;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads one journal file to its end, never stopping at zeros or damage, and says what it found. Changes nothing. */
final class JournalScan {
    private static final byte[] ZEROS = new byte[JournalLayout.PAGE_BYTES];

    private final Path path;
    private final byte[] file;
    private final long id;
    private final List<Frame> frames = new ArrayList<>();
    private final List<Frame> beyond = new ArrayList<>();
    private int end = JournalLayout.FRAMES_AT;

    private JournalScan(Path path, byte[] file, long id) {
        this.path = path;
        this.file = file;
        this.id = id;
    }

    static ScannedFile scan(FileLayer files, Path path) {
        long generation = JournalLayout.generation(path);
        byte[] bytes;
        try {
            bytes = read(files, path);
        } catch (IOException e) {
            return unreadable(path, generation, 0, "cannot be read: " + e.getMessage());
        }
        JournalLayout.Header header = JournalLayout.header(bytes);
        if (header == null || header.generation() != generation) {
            return unreadable(path, generation, bytes.length, bytes.length == 0 ? "is empty" : "has no valid header");
        }
        return new JournalScan(path, bytes, header.id()).result(generation);
    }

    private static ScannedFile unreadable(Path path, long generation, long length, String detail) {
        return new ScannedFile(
                path,
                generation,
                Verdict.UNREADABLE,
                List.of(),
                List.of(),
                1,
                0,
                length,
                path.getFileName() + " " + detail);
    }

    private static byte[] read(FileLayer files, Path path) throws IOException {
        try (StoreFile in = files.open(path, FileLayer.Mode.READ)) {
            if (in.size() > Limits.JOURNAL_FILE_MAX_BYTES) {
                throw new IOException("larger than " + Limits.JOURNAL_FILE_MAX_BYTES + " bytes");
            }
            byte[] bytes = new byte[(int) in.size()];
            int got = in.read(MemorySegment.ofArray(bytes), 0);
            return got == bytes.length ? bytes : Arrays.copyOf(bytes, got);
        }
    }

    private ScannedFile result(long generation) {
        readPrefix();
        int used = usedEnd();
        if (used > end) {
            readBeyond(used);
        }
        long evidence = evidence();
        Verdict verdict;
        String detail;
        if (evidence > frames.size()) {
            verdict = Verdict.DAMAGED;
            detail = frames.size() + " frames are valid, " + evidence + " were on stable storage";
        } else if (used <= end) {
            verdict = Verdict.CLEAN;
            detail = "";
        } else if (torn()) {
            verdict = Verdict.TORN;
            detail = "the write at position " + end + " is not complete";
        } else {
            verdict = Verdict.DAMAGED;
            detail = "the bytes at position " + end + " were changed after they were written";
        }
        return new ScannedFile(
                path,
                generation,
                verdict,
                List.copyOf(frames),
                List.copyOf(beyond),
                evidence,
                end,
                used,
                detail.isEmpty() ? "" : path.getFileName() + ": " + detail);
    }

    /** Where the zeros begin that go on to the end of the file: most of it, so they are compared page by page. */
    private int usedEnd() {
        int used = file.length;
        while (used - JournalLayout.PAGE_BYTES > end
                && Arrays.equals(file, used - JournalLayout.PAGE_BYTES, used, ZEROS, 0, JournalLayout.PAGE_BYTES)) {
            used -= JournalLayout.PAGE_BYTES;
        }
        while (used > end && file[used - 1] == 0) {
            used--;
        }
        return used;
    }

    private void readPrefix() {
        while (true) {
            Frame frame = JournalLayout.frame(id, file, end);
            if (frame == null || frame.index() != frames.size()) {
                return;
            }
            frames.add(frame);
            end += JournalLayout.frameBytes(frame.payload().length);
        }
    }

    /** Frames are aligned, so each can only begin at a multiple of 8. */
    private void readBeyond(int used) {
        int at = end;
        while (at < used) {
            Frame frame = JournalLayout.frame(id, file, at);
            if (frame == null || frame.index() < frames.size()) {
                at += 8;
            } else {
                beyond.add(frame);
                at += JournalLayout.frameBytes(frame.payload().length);
            }
        }
    }

    private long evidence() {
        long most = 0;
        for (int page = 1; page <= 2; page++) {
            JournalLayout.Slot slot = JournalLayout.slot(id, file, page * JournalLayout.PAGE_BYTES);
            most = slot == null ? most : Math.max(most, slot.frames());
        }
        for (Frame frame : frames) {
            most = Math.max(most, frame.stable());
        }
        for (Frame frame : beyond) {
            most = Math.max(most, frame.stable());
        }
        return most;
    }

    /** A sector is written whole or not at all, so a write that was cut off has one that is still zero. */
    private boolean torn() {
        int length = JournalLayout.plausibleLength(file, end);
        int to = end + JournalLayout.FRAME_HEADER_BYTES + Math.max(0, length);
        if (to > file.length) {
            return true;
        }
        for (int from = end; from < to; ) {
            int border = Math.min(to, (from / JournalLayout.SECTOR_BYTES + 1) * JournalLayout.SECTOR_BYTES);
            if (allZero(from, border)) {
                return true;
            }
            from = border;
        }
        return false;
    }

    private boolean allZero(int from, int to) {
        for (int i = from; i < to; i++) {
            if (file[i] != 0) {
                return false;
            }
        }
        return true;
    }
}
