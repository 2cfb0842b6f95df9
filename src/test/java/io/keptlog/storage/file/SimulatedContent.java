// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A file's bytes twice: in the page cache and on the disk. A page that is absent is zeros. Page arrays are shared between cache and disk
 * until one is written. Guarded by the layer.
 */
class SimulatedContent {
    static final int PAGE = 4096;
    static final int SECTOR = 512;

    private final Map<Long, byte[]> cached = new HashMap<>();
    private final Map<Long, byte[]> disk = new HashMap<>();
    /** Pages whose cached content the kernel still wants to write. After a failed sync a page is not here, although it differs. */
    private final Set<Long> dirty = new HashSet<>();
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
            long page = (position + done) / PAGE;
            int inPage = (int) ((position + done) % PAGE);
            int step = (int) Math.min(PAGE - inPage, length - done);
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, done, writable(page), inPage, step);
            done += step;
        }
        size = Math.max(size, length == 0 ? 0 : position + length);
        for (View view : views) {
            show(view, position, position + length);
        }
    }

    private byte[] writable(long page) {
        byte[] bytes = cached.get(page);
        if (bytes == null || bytes == disk.get(page)) {
            bytes = bytes == null ? new byte[PAGE] : bytes.clone();
            cached.put(page, bytes);
        }
        dirty.add(page);
        blocks.set((int) page);
        return bytes;
    }

    int read(MemorySegment into, long position) {
        int length = (int) Math.clamp(size - position, 0, into.byteSize());
        for (int done = 0; done < length; ) {
            byte[] page = cached.get((position + done) / PAGE);
            int inPage = (int) ((position + done) % PAGE);
            int step = Math.min(PAGE - inPage, length - done);
            if (page == null) {
                into.asSlice(done, step).fill((byte) 0);
            } else {
                MemorySegment.copy(page, inPage, into, ValueLayout.JAVA_BYTE, done, step);
            }
            done += step;
        }
        return length;
    }

    void allocate(long position, long length) {
        for (long page = position / PAGE; page * PAGE < position + length; page++) {
            blocks.set((int) page);
        }
        size = Math.max(size, position + length);
    }

    void truncate(long to) {
        long keep = (to + PAGE - 1) / PAGE;
        var beyond = new HashSet<>(cached.keySet());
        beyond.addAll(disk.keySet());
        beyond.removeIf(page -> page < keep);
        cached.keySet().removeAll(beyond);
        dirty.addAll(beyond);
        blocks.clear((int) Math.min(keep, blocks.length()), Math.max(blocks.length(), (int)
                Math.min(keep, blocks.length())));
        if (to < size && to % PAGE != 0 && cached.containsKey(to / PAGE)) {
            byte[] last = writable(to / PAGE);
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
        dirty.forEach(this::toDisk);
        dirty.clear();
        diskSize = size;
    }

    /** What a sync that fails leaves: some pages written, and none that the kernel would try again. */
    void failSync(Random random) {
        for (long page : dirty) {
            if (random.nextBoolean()) {
                toDisk(page);
            }
        }
        dirty.clear();
    }

    /** The kernel writes a page back by itself. */
    void writeBackSome(Random random) {
        dirty.removeIf(page -> {
            boolean written = random.nextInt(8) == 0;
            if (written) {
                toDisk(page);
                diskSize = Math.max(diskSize, Math.min(size, (page + 1) * PAGE));
            }
            return written;
        });
    }

    /** Memory pressure: clean pages are read from the disk again. Views are not changed. */
    void dropCleanPages() {
        var pages = new HashSet<>(cached.keySet());
        pages.addAll(disk.keySet());
        pages.removeAll(dirty);
        for (long page : pages) {
            byte[] onDisk = disk.get(page);
            if (onDisk == null) {
                cached.remove(page);
            } else {
                cached.put(page, onDisk);
            }
        }
    }

    private void toDisk(long page) {
        byte[] bytes = cached.get(page);
        if (bytes == null) {
            disk.remove(page);
        } else {
            disk.put(page, bytes);
        }
    }

    /** The same content for another machine state; nothing is shared that either side changes. */
    SimulatedNode.Content copy() {
        var copy = new SimulatedNode.Content();
        SimulatedContent to = copy;
        to.cached.putAll(cached);
        to.disk.putAll(disk);
        to.dirty.addAll(dirty);
        to.blocks.or(blocks);
        to.size = size;
        to.diskSize = diskSize;
        return copy;
    }

    /** What the disk has after a power cut: any subset of the dirty pages, also torn at sector borders. */
    SimulatedNode.Content afterPowerCut(Random random) {
        var copy = new SimulatedNode.Content();
        SimulatedContent to = copy;
        to.disk.putAll(disk);
        int mood = random.nextInt(8); // Extremes are likely: nothing kept, all kept.
        for (long page : dirty.stream().sorted().toList()) {
            int fate = mood == 0 ? 0 : mood == 1 ? 1 : random.nextInt(3);
            byte[] bytes =
                    switch (fate) {
                        case 0 -> disk.get(page);
                        case 1 -> cached.get(page);
                        default -> torn(disk.get(page), cached.get(page), random);
                    };
            if (bytes == null) {
                to.disk.remove(page);
            } else {
                to.disk.put(page, bytes);
            }
        }
        long kept = sizeAfterPowerCut(mood, random);
        to.size = kept;
        to.diskSize = kept;
        to.disk.keySet().removeIf(page -> page * PAGE >= kept);
        byte[] last = to.disk.get(kept / PAGE);
        if (last != null && kept % PAGE != 0) {
            byte[] cut = last.clone();
            Arrays.fill(cut, (int) (kept % PAGE), PAGE, (byte) 0);
            to.disk.put(kept / PAGE, cut);
        }
        to.cached.putAll(to.disk);
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
        byte[] now = after == null ? new byte[PAGE] : after;
        for (int sector = 0; sector < PAGE; sector += SECTOR) {
            if (random.nextBoolean()) {
                System.arraycopy(now, sector, page, sector, SECTOR);
            }
        }
        return page;
    }
}
