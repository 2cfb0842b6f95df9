// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal.format;

import io.keptlog.domain.Limits;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.file.StoreFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * One generation being written: a file in each directory, byte for byte the same. Guarded by its journal, except {@link #sync}, which may
 * run beside appends. Made under a temporary name that recovery ignores, so a crash before {@link #publish} leaves nothing. A full disk
 * ({@link NoSpaceException}) leaves it as it was before the call; after any other exception its state is unknown.
 */
public final class Generation implements Closeable {
    private static final MemorySegment ZEROS =
            MemorySegment.ofArray(new byte[Limits.JOURNAL_ROOM_BYTES]).asReadOnly();

    private final FileLayer files;
    private final List<Path> directories;
    private final long number;
    private final long id;
    private final List<StoreFile> copies = new ArrayList<>();
    private long position = JournalLayout.FRAMES_AT;
    private long count;
    private long snapshotEnd = JournalLayout.FRAMES_AT;
    private long roomEnd = JournalLayout.FRAMES_AT;
    private Mark stable = new Mark(0, JournalLayout.FRAMES_AT);
    private Mark checkpointed = stable;
    private long slotSequence;

    /** How far the generation was written at a moment: frames, and the position after them. */
    public record Mark(long frames, long position) {}

    private Generation(FileLayer files, List<Path> directories, long number, long id) {
        this.files = files;
        this.directories = List.copyOf(directories);
        this.number = number;
        this.id = id;
    }

    /** Makes the files under temporary names; nothing is durable yet. */
    public static Generation create(FileLayer files, List<Path> directories, long number, long id) throws IOException {
        var generation = new Generation(files, directories, number, id);
        try {
            for (Path directory : directories) {
                Path temporary = generation.temporary(directory);
                if (files.exists(temporary)) {
                    files.delete(temporary);
                }
                StoreFile copy = files.open(temporary, FileLayer.Mode.CREATE_NEW);
                generation.copies.add(copy);
                copy.write(MemorySegment.ofArray(new byte[JournalLayout.FRAMES_AT]), 0);
                copy.write(MemorySegment.ofArray(JournalLayout.header(number, id)), 0);
            }
            return generation;
        } catch (IOException | RuntimeException | Error e) {
            generation.discardAfter(e);
            throw e;
        }
    }

    private Path temporary(Path directory) {
        return directory.resolve(JournalLayout.fileName(number) + ".tmp");
    }

    private Path place(Path directory) {
        return directory.resolve(JournalLayout.fileName(number));
    }

    public long number() {
        return number;
    }

    public Mark written() {
        return new Mark(count, position);
    }

    /** Appends frames of one kind in one write per copy. */
    public void append(Frame.Kind kind, List<byte[]> payloads) throws IOException {
        byte[] frames = JournalLayout.frames(id, position, kind, count, stable.frames(), payloads);
        makeRoom(frames.length);
        try {
            for (StoreFile copy : copies) {
                copy.write(MemorySegment.ofArray(frames), position);
            }
        } catch (NoSpaceException e) {
            // The room was there, so this is a file system that needs space to overwrite. What is half written must not
            // be read back.
            erase(frames.length);
            throw e;
        }
        position += frames.length;
        count += payloads.size();
        if (kind != Frame.Kind.RECORD) {
            snapshotEnd = position;
        }
    }

    /** Bytes of the snapshot. */
    public long snapshotBytes() {
        return snapshotEnd - JournalLayout.FRAMES_AT;
    }

    /** Bytes of the records after the snapshot. */
    public long recordBytes() {
        return position - snapshotEnd;
    }

    private void erase(int length) throws IOException {
        for (StoreFile copy : copies) {
            copy.write(MemorySegment.ofArray(new byte[length]), position);
        }
    }

    /** Writes zeros ahead: a frame then never makes the file grow, so that its sync has no metadata to commit. */
    private void makeRoom(int length) throws IOException {
        long needed = position + length;
        if (needed <= roomEnd) {
            return;
        }
        try {
            zeroUpTo(roundUp(needed, Limits.JOURNAL_ROOM_BYTES));
        } catch (NoSpaceException e) {
            zeroUpTo(roundUp(needed, JournalLayout.PAGE_BYTES));
        }
    }

    /** Makes room before it is needed; a full disk is left for the append to find. */
    public void makeRoomAhead() throws IOException {
        if (roomEnd - position < Limits.JOURNAL_ROOM_BYTES / 4) {
            try {
                zeroUpTo(roundUp(position + 1, Limits.JOURNAL_ROOM_BYTES) + Limits.JOURNAL_ROOM_BYTES);
            } catch (NoSpaceException e) {
                return; // No record was refused yet: the one that needs the room will be, and says so.
            }
        }
    }

    private void zeroUpTo(long end) throws IOException {
        int length = Math.toIntExact(end - roomEnd);
        MemorySegment zeros =
                length <= ZEROS.byteSize() ? ZEROS.asSlice(0, length) : MemorySegment.ofArray(new byte[length]);
        for (StoreFile copy : copies) {
            copy.write(zeros, roomEnd);
        }
        roomEnd = end;
    }

    private static long roundUp(long value, long multiple) {
        return (value + multiple - 1) / multiple * multiple;
    }

    /** Puts what was written so far on stable storage, copy after copy. Any Throwable means that nothing is known to be. */
    public void sync() throws IOException {
        for (StoreFile copy : copies) {
            copy.syncData();
        }
    }

    /** What a completed sync covered; later frames carry it as evidence. */
    public void markStable(Mark mark) {
        stable = mark;
    }

    /**
     * Writes the newest stable mark into the older slot; not synced here.
     *
     * @return whether there was anything new
     */
    public boolean writeCheckpoint() throws IOException {
        if (stable.frames() == checkpointed.frames()) {
            return false;
        }
        slotSequence++;
        byte[] slot = JournalLayout.slot(id, new JournalLayout.Slot(slotSequence, stable.frames(), stable.position()));
        long at = (1 + slotSequence % 2) * JournalLayout.PAGE_BYTES;
        for (StoreFile copy : copies) {
            copy.write(MemorySegment.ofArray(slot), at);
        }
        checkpointed = stable;
        return true;
    }

    /** Gives the files their names; from now on recovery begins here. Durable after {@link #syncNames}. */
    public void publish() throws IOException {
        for (Path directory : directories) {
            files.rename(temporary(directory), place(directory));
        }
    }

    public void syncNames() throws IOException {
        for (Path directory : directories) {
            files.syncDirectory(directory);
        }
    }

    /**
     * After {@link #publish} is durable: the generation {@code keep} gets its second name, files that are damaged are put aside as
     * {@code NAME.damaged}, older ones are deleted. Repeatable; what a crash leaves is done the next time.
     */
    public void retireOthers(long keep, Collection<Path> damaged) throws IOException {
        for (Path directory : directories) {
            for (Path path : files.list(directory)) {
                long other = JournalLayout.generation(path);
                if (other >= 0 && other != number) {
                    retire(directory, path, other == keep, damaged.contains(path));
                }
            }
        }
        syncNames();
    }

    private void retire(Path directory, Path path, boolean keep, boolean damaged) throws IOException {
        if (damaged) {
            files.rename(path, directory.resolve(path.getFileName() + ".damaged"));
        } else if (!keep) {
            files.delete(path);
        } else if (!JournalLayout.isPrevious(path)) {
            files.rename(path, directory.resolve(JournalLayout.previousName(JournalLayout.generation(path))));
        }
    }

    /** Gives up a generation that was not published. */
    public void discard() throws IOException {
        close();
        for (Path directory : directories) {
            if (files.exists(temporary(directory))) {
                files.delete(temporary(directory));
            }
        }
    }

    /** As {@link #discard}, when there is an exception to report already. */
    public void discardAfter(Throwable failure) {
        try {
            discard();
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (StoreFile copy : copies) {
            copy.close();
        }
    }
}
