// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/**
 * A file's bytes twice: in the page cache and on the disk. A page that is absent is zeros. Page arrays are shared between cache and disk
 * until one is written. Guarded by the layer.
 */
class SimulatedContent {
    static final int PAGE = 4096;
    static final int SECTOR = 512;

    /** Every page of zeros; never written. */
    private static final byte[] ZERO_PAGE = new byte[PAGE];

    private static final MemorySegment ZEROS = MemorySegment.ofArray(ZERO_PAGE);

    private final SimulatedPages cached = new SimulatedPages();
    private final SimulatedPages disk = new SimulatedPages();
    /** Pages whose cached content the kernel still wants to write. After a failed sync a page is not here, although it differs. */
    private final BitSet dirty = new BitSet();
    /** Pages with real blocks. */
    private final BitSet blocks = new BitSet();

    private final List<View> views = new ArrayList<>();
    private long size;
    private long diskSize;

    /** A mapping that shows later writes. */
    record View(long position, MemorySegment memory) {}

    long size() {
        return size;
    }

    int blockCount() {
        return blocks.cardinality();
    }

    /** How many pages of the range have no block yet. */
    int missingBlocks(long position, long length) {
        int missing = 0;
        for (long page = position / PAGE; page * PAGE < position + length; page++) {
            missing += blocks.get((int) page) ? 0 : 1;
        }
        return missing;
    }

    void write(MemorySegment bytes, long position) {
        long length = bytes.byteSize();
        for (long done = 0; done < length; ) {
            int page = (int) ((position + done) / PAGE);
            int inPage = (int) ((position + done) % PAGE);
            int step = (int) Math.min(PAGE - inPage, length - done);
            if (staysZero(page, bytes, done, inPage, step)) {
                cached.set(page, ZERO_PAGE);
                dirty.set(page);
                blocks.set(page);
            } else {
                MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, done, writable(page), inPage, step);
            }
            done += step;
        }
        size = Math.max(size, length == 0 ? 0 : position + length);
        for (View view : views) {
            show(view, position, position + length);
        }
    }

    /** Zeros over a whole page, or over a part of one that is zero, need no array of their own: most of what is written ahead. */
    private boolean staysZero(int page, MemorySegment bytes, long from, int inPage, int step) {
        byte[] now = cached.get(page);
        return (step == PAGE || now == null || now == ZERO_PAGE)
                && MemorySegment.mismatch(bytes, from, from + step, ZEROS, inPage, inPage + step) == -1;
    }

    private byte[] writable(int page) {
        byte[] bytes = cached.get(page);
        if (bytes == null || bytes == ZERO_PAGE || bytes == disk.get(page)) {
            bytes = bytes == null || bytes == ZERO_PAGE ? new byte[PAGE] : bytes.clone();
            cached.set(page, bytes);
        }
        dirty.set(page);
        blocks.set(page);
        return bytes;
    }

    int read(MemorySegment into, long position) {
        int length = (int) Math.clamp(size - position, 0, into.byteSize());
        for (int done = 0; done < length; ) {
            byte[] page = cached.get((int) ((position + done) / PAGE));
            int inPage = (int) ((position + done) % PAGE);
            int step = Math.min(PAGE - inPage, length - done);
            MemorySegment.copy(page == null ? ZERO_PAGE : page, inPage, into, ValueLayout.JAVA_BYTE, done, step);
            done += step;
        }
        return length;
    }

    /** A page without bytes of its own is a hole. */
    long dataFrom(long position) {
        int page = (int) (position / PAGE);
        while (page < cached.end() && cached.get(page) == null) {
            page++;
        }
        return page >= cached.end() ? Math.max(position, size) : Math.max(position, (long) page * PAGE);
    }

    void allocate(long position, long length) {
        if (length > 0) {
            blocks.set((int) (position / PAGE), (int) ((position + length + PAGE - 1) / PAGE));
        }
        size = Math.max(size, position + length);
    }

    void truncate(long to) {
        int keep = (int) ((to + PAGE - 1) / PAGE);
        for (int page = keep; page < Math.max(cached.end(), disk.end()); page++) {
            if (cached.get(page) != null || disk.get(page) != null) {
                cached.set(page, null);
                dirty.set(page);
            }
        }
        blocks.clear(keep, Math.max(keep, blocks.length()));
        if (to < size && to % PAGE != 0 && cached.get((int) (to / PAGE)) != null) {
            byte[] last = writable((int) (to / PAGE));
            Arrays.fill(last, (int) (to % PAGE), PAGE, (byte) 0);
        }
        size = to;
    }

    void addView(View view) {
        views.add(view);
        show(view, view.position(), view.position() + view.memory().byteSize());
    }

    void removeView(View view) {
        views.removeIf(v -> v == view);
    }

    void forgetViews() {
        views.clear();
    }

    private void show(View view, long from, long to) {
        long start = Math.max(from, view.position());
        long end = Math.min(to, view.position() + view.memory().byteSize());
        if (start < end) {
            read(view.memory().asSlice(start - view.position(), end - start), start);
        }
    }

    void sync() {
        for (int page = dirty.nextSetBit(0); page >= 0; page = dirty.nextSetBit(page + 1)) {
            toDisk(page);
        }
        dirty.clear();
        diskSize = size;
    }

    /** What a sync that fails leaves: some pages written, and none that the kernel would try again. */
    void failSync(Random random) {
        for (int page = dirty.nextSetBit(0); page >= 0; page = dirty.nextSetBit(page + 1)) {
            if (random.nextBoolean()) {
                toDisk(page);
            }
        }
        dirty.clear();
    }

    /** The kernel writes a page back by itself. */
    void writeBackSome(Random random) {
        for (int page = dirty.nextSetBit(0); page >= 0; page = dirty.nextSetBit(page + 1)) {
            if (random.nextInt(8) == 0) {
                toDisk(page);
                diskSize = Math.max(diskSize, Math.min(size, (page + 1L) * PAGE));
                dirty.clear(page);
            }
        }
    }

    /** Memory pressure: clean pages are read from the disk again. Views are not changed. */
    void dropCleanPages() {
        for (int page = 0; page < Math.max(cached.end(), disk.end()); page++) {
            if (!dirty.get(page)) {
                cached.set(page, disk.get(page));
            }
        }
    }

    private void toDisk(int page) {
        disk.set(page, cached.get(page));
    }

    /** The same content for another machine state; nothing is shared that either side changes. */
    SimulatedNode.Content copy() {
        var copy = new SimulatedNode.Content();
        SimulatedContent to = copy;
        to.cached.setAll(cached);
        to.disk.setAll(disk);
        to.dirty.or(dirty);
        to.blocks.or(blocks);
        to.size = size;
        to.diskSize = diskSize;
        return copy;
    }

    /** What the disk has after a power cut: any subset of the dirty pages, also torn at sector borders. */
    SimulatedNode.Content afterPowerCut(Random random) {
        var copy = new SimulatedNode.Content();
        SimulatedContent to = copy;
        to.disk.setAll(disk);
        int mood = random.nextInt(8); // Extremes are likely: nothing kept, all kept.
        for (int page = dirty.nextSetBit(0); page >= 0; page = dirty.nextSetBit(page + 1)) {
            int fate = mood == 0 ? 0 : mood == 1 ? 1 : random.nextInt(3);
            to.disk.set(
                    page,
                    switch (fate) {
                        case 0 -> disk.get(page);
                        case 1 -> cached.get(page);
                        default -> torn(disk.get(page), cached.get(page), random);
                    });
        }
        long kept = sizeAfterPowerCut(mood, random);
        to.size = kept;
        to.diskSize = kept;
        to.disk.cut((int) ((kept + PAGE - 1) / PAGE));
        byte[] last = to.disk.get((int) (kept / PAGE));
        if (last != null && kept % PAGE != 0) {
            byte[] cut = last.clone();
            Arrays.fill(cut, (int) (kept % PAGE), PAGE, (byte) 0);
            to.disk.set((int) (kept / PAGE), cut);
        }
        to.cached.setAll(to.disk);
        to.blocks.set(0, (int) ((kept + PAGE - 1) / PAGE));
        return copy;
    }

    private long sizeAfterPowerCut(int mood, Random random) {
        if (mood == 0) {
            return diskSize;
        }
        if (mood == 1) {
            return size;
        }
        long low = Math.min(size, diskSize);
        long high = Math.max(size, diskSize);
        return switch (random.nextInt(3)) {
            case 0 -> diskSize;
            case 1 -> size;
            default -> Math.min(high, low + random.nextLong(high - low + 1) / PAGE * PAGE);
        };
    }

    private static byte[] torn(byte[] before, byte[] after, Random random) {
        byte[] page = before == null ? new byte[PAGE] : before.clone();
        byte[] now = after == null ? ZERO_PAGE : after;
        for (int sector = 0; sector < PAGE; sector += SECTOR) {
            if (random.nextBoolean()) {
                System.arraycopy(now, sector, page, sector, SECTOR);
            }
        }
        return page;
    }
}
