// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.Durability;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.message.RecordLayout;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.frame.Checksums;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.frame.FrameLayout;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.CheckpointFile;
import io.keptlog.storage.segment.format.EpochFile;
import io.keptlog.storage.segment.format.EpochHistory;
import io.keptlog.storage.segment.format.IndexFile;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.format.SegmentSummary;
import io.keptlog.storage.segment.format.SparseIndex;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Writes a partition's files by the store's own codec, in the order that the store keeps: names, syncs, checkpoints. Remembers every
 * frame, so that a test can compare.
 */
final class LogFixture {
    static final PartitionRef REF = new PartitionRef(1, 2, 3);

    /** A frame that was written. */
    record Written(long segmentBase, long position, FrameHeader header, int headerCrc, byte[] bytes) {
        long end() {
            return position + bytes.length;
        }
    }

    final FileLayer files;
    final Path dataDir;
    final PartitionSpec spec;
    final PartitionPaths paths;
    final List<Written> frames = new ArrayList<>();
    long persistedEnd;
    long epoch = 1;
    long allocatedBytes = 64 << 10;

    private final Random random;
    private FrameChain chain;
    private long base;
    private long position = SegmentHeader.FIRST_FRAME_POSITION;
    private final List<Long> unsynced = new ArrayList<>();
    private boolean nameUnsynced;
    private long newestNamed;
    private Checkpoint checkpoint;
    private EpochHistory epochs = EpochHistory.EMPTY;
    private EpochHistory epochsOnDisk = EpochHistory.EMPTY;
    private long firstAppendTime;
    private SparseIndex index = new SparseIndex(0);
    private FrameChain persistedChain;
    private long persistedBase;
    private long persistedPosition = SegmentHeader.FIRST_FRAME_POSITION;

    LogFixture(FileLayer files, Path dataDir, long seed) {
        this(files, dataDir, seed, REF);
    }

    LogFixture(FileLayer files, Path dataDir, long seed, PartitionRef ref) {
        this.random = new Random(seed);
        this.files = files;
        this.dataDir = dataDir;
        this.spec = new PartitionSpec(ref, random.nextLong(), LogOptions.defaults(Durability.REPLICATED));
        this.paths = PartitionPaths.inPlace(dataDir, ref);
        this.chain = FrameChain.beginning(spec.incarnation());
        this.persistedChain = chain;
        this.checkpoint = Checkpoint.beginning(spec.incarnation());
    }

    /** Everything durable, names included. */
    LogFixture create() throws IOException {
        files.createDirectories(paths.directory());
        makeSegment(0);
        CheckpointFile.create(files, paths.checkpoint(), checkpoint);
        for (Path at = paths.directory(); at.getNameCount() >= dataDir.getNameCount(); at = at.getParent()) {
            files.syncDirectory(at);
        }
        nameUnsynced = false;
        return this;
    }

    /** Goes on in a later life of the server where recovery says. */
    static LogFixture resume(LogFixture before, FileLayer files, RecoveredPartition at, long seed) throws IOException {
        var next = new LogFixture(files, before.dataDir, seed, before.spec.ref(), before.spec);
        next.epoch = before.epoch + 1;
        next.chain = at.end();
        next.base = at.active().baseOffset();
        next.position = at.active().endPosition();
        next.newestNamed = next.base;
        next.checkpoint = at.checkpoint();
        next.epochs = at.epochs();
        next.epochsOnDisk = at.epochs();
        next.firstAppendTime = at.active().summary().firstAppendTimeMicros();
        next.index = at.active().index();
        next.persistedEnd = at.endOffset();
        next.persistedChain = at.end();
        next.persistedBase = next.base;
        next.persistedPosition = next.position;
        before.frames.stream()
                .filter(f -> f.header().endOffset() <= at.endOffset())
                .forEach(next.frames::add);
        return next;
    }

    private LogFixture(FileLayer files, Path dataDir, long seed, PartitionRef ref, PartitionSpec spec) {
        this.random = new Random(seed);
        this.files = files;
        this.dataDir = dataDir;
        this.spec = spec;
        this.paths = PartitionPaths.inPlace(dataDir, ref);
    }

    private void makeSegment(long newBase) throws IOException {
        if (files.exists(paths.next())) {
            files.delete(paths.next());
        }
        try (StoreFile file = files.open(paths.next(), FileLayer.Mode.CREATE_NEW)) {
            file.allocate(0, allocatedBytes);
            MemorySegment header = MemorySegment.ofArray(new byte[SegmentHeader.BYTES]);
            new SegmentHeader(spec.ref(), spec.incarnation(), newBase, 1).write(header);
            file.write(header, 0);
            file.syncData();
        }
        files.rename(paths.next(), paths.log(newBase));
        nameUnsynced = true;
        base = newBase;
        position = SegmentHeader.FIRST_FRAME_POSITION;
        firstAppendTime = 0;
        index = new SparseIndex(newBase);
    }

    /** A frame of random messages. */
    Written append() throws IOException {
        int count = 1 + random.nextInt(4);
        byte[][] payloads = new byte[count][];
        for (int i = 0; i < count; i++) {
            payloads[i] = new byte[1 + random.nextInt(random.nextInt(8) == 0 ? 6000 : 300)];
            random.nextBytes(payloads[i]);
            payloads[i][payloads[i].length - 1] |= 1; // A frame that ends in a zero is no proof of anything.
        }
        return append(payloads);
    }

    Written append(byte[]... payloads) throws IOException {
        byte[] body = body(payloads);
        var bytes = new byte[FrameLayout.frameLength(body.length)];
        System.arraycopy(body, 0, bytes, FrameLayout.HEADER_BYTES, body.length);
        MemorySegment memory = MemorySegment.ofArray(bytes);
        var header = new FrameHeader(
                body.length,
                Checksums.crc(memory, FrameLayout.HEADER_BYTES, body.length),
                chain.endOffset(),
                Math.max(chain.lastAppendTimeMicros(), 1_000_000 + chain.endOffset()),
                payloads.length,
                spec.incarnation(),
                epoch,
                chain.lastHeaderCrc(),
                persistedEnd,
                null);
        int crc = header.write(memory, 0, position);
        try (StoreFile file = files.open(paths.log(base), FileLayer.Mode.READ_WRITE)) {
            file.write(memory, position);
        }
        if (!unsynced.contains(base)) {
            unsynced.add(base);
        }
        index.note(header.baseOffset(), position, header.appendTimeMicros());
        epochs = epochs.with(epoch, header.baseOffset());
        firstAppendTime = firstAppendTime == 0 ? header.appendTimeMicros() : firstAppendTime;
        var written = new Written(base, position, header, crc, bytes);
        frames.add(written);
        chain = chain.after(header, crc);
        position += bytes.length;
        return written;
    }

    private static byte[] body(byte[]... payloads) {
        int length = 0;
        for (byte[] payload : payloads) {
            length += RecordLayout.HEADER_BYTES + payload.length;
        }
        var body = MemorySegment.ofArray(new byte[length]);
        int at = 0;
        for (byte[] payload : payloads) {
            int recordLength = RecordLayout.HEADER_BYTES + payload.length;
            body.set(RecordLayout.U32, at + RecordLayout.LENGTH, recordLength);
            body.set(RecordLayout.U64, at + RecordLayout.ID_LOW, 77);
            body.set(RecordLayout.U32, at + RecordLayout.PAYLOAD_LENGTH, payload.length);
            MemorySegment.copy(MemorySegment.ofArray(payload), 0, body, at + RecordLayout.HEADER_BYTES, payload.length);
            body.set(RecordLayout.U32, at + RecordLayout.CRC, Checksums.crc(body, at + 8, recordLength - 8));
            at += recordLength;
        }
        return (byte[]) body.heapBase().orElseThrow();
    }

    /** What a persisted ack waits for: older segments first, then names. */
    void sync() throws IOException {
        for (long segment : unsynced) {
            try (StoreFile file = files.open(paths.log(segment), FileLayer.Mode.READ_WRITE)) {
                file.syncData();
            }
        }
        unsynced.clear();
        if (nameUnsynced) {
            files.syncDirectory(paths.directory());
            nameUnsynced = false;
            newestNamed = base;
        }
        persistedEnd = chain.endOffset();
        persistedChain = chain;
        persistedBase = base;
        persistedPosition = position;
    }

    /** Writes what was last synced; on the disk only with {@code sync}. */
    void checkpoint(boolean sync) throws IOException {
        if (!epochs.cutAt(persistedEnd).equals(epochsOnDisk)) {
            epochsOnDisk = epochs.cutAt(persistedEnd);
            EpochFile.write(files, paths.epochs(), spec.incarnation(), epochsOnDisk);
        }
        checkpoint = checkpoint.next(
                checkpoint.firstOffset(), newestNamed, persistedBase, persistedPosition, persistedChain);
        try (CheckpointFile file = CheckpointFile.open(files, paths.checkpoint())) {
            file.write(checkpoint);
            if (sync) {
                file.sync();
            }
        }
    }

    /** Begins the next segment; the old one stays unsynced until the next sync. */
    void roll() throws IOException {
        if (position == SegmentHeader.FIRST_FRAME_POSITION) {
            return;
        }
        makeSegment(chain.endOffset());
    }

    /** Rolls as the store does when there is time: old segment synced, name synced, index written. */
    void seal() throws IOException {
        if (position == SegmentHeader.FIRST_FRAME_POSITION) {
            return;
        }
        var summary = new SegmentSummary(base, position, firstAppendTime, chain);
        SparseIndex sealed = index;
        roll();
        sync();
        IndexFile.write(files, paths.index(summary.baseOffset()), spec.incarnation(), summary, sealed);
    }

    /** Only moves the log's start; the files are still there. */
    void startAt(long firstOffset) throws IOException {
        checkpoint = checkpoint.next(firstOffset, newestNamed, persistedBase, persistedPosition, persistedChain);
        CheckpointFile.put(files, paths.checkpoint(), checkpoint);
    }

    Checkpoint lastCheckpoint() {
        return checkpoint;
    }

    long endOffset() {
        return chain.endOffset();
    }

    long position() {
        return position;
    }

    Path activeFile() {
        return paths.log(base);
    }

    EpochHistory epochs() {
        return epochs;
    }

    List<Long> bases() {
        return frames.stream().map(Written::segmentBase).distinct().toList();
    }

    /** Frames that end at or below the offset. */
    List<Written> below(long endOffset) {
        return frames.stream().filter(f -> f.header().endOffset() <= endOffset).toList();
    }

    void write(Path file, long at, byte[] bytes) throws IOException {
        try (StoreFile out = files.open(file, FileLayer.Mode.READ_WRITE)) {
            out.write(MemorySegment.ofArray(bytes), at);
            out.syncData();
        }
    }

    void truncate(Path file, long size) throws IOException {
        try (StoreFile out = files.open(file, FileLayer.Mode.READ_WRITE)) {
            out.truncate(size);
            out.syncData();
        }
    }

    byte[] read(Path file) throws IOException {
        try (StoreFile in = files.open(file, FileLayer.Mode.READ)) {
            var bytes = new byte[Math.toIntExact(in.size())];
            in.read(MemorySegment.ofArray(bytes), 0);
            return bytes;
        }
    }

    void flip(Path file, long at, int bit) throws IOException {
        byte old = read(file)[Math.toIntExact(at)];
        write(file, at, new byte[] {(byte) (old ^ (1 << bit))});
    }
}
