// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import io.keptlog.storage.file.SimulatedNames.Step;
import io.keptlog.storage.file.SimulatedNode.Content;
import io.keptlog.storage.file.SimulatedNode.Directory;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A whole machine's file system in memory: what the process sees (page cache, names) and what the disk has. {@link #powerCut} gives the
 * machine after a power cut that kept any subset of what was not synced; {@link #processKill} the one after SIGKILL, where all is as the
 * process left it. Both switch this instance off: its files fail from then on, so that threads of the former life change nothing.
 * Deterministic for one order of calls and one seed. Guarded by itself.
 */
public final class SimulatedFiles implements FileLayer {
    /** Exists, and its name is durable. */
    public static final Path ROOT = Path.of("/sim");

    /** What the n-th call of a kind can be made to fail as. */
    public enum Call {
        SYNC,
        WRITE,
        READ
    }

    /**
     * @param orderedNames names survive a power cut as a prefix of their changes (a journaling file system); false: any subset
     * @param syncCommitsNames syncing a file makes every earlier change of a name durable, as ext4 happens to do
     * @param spaceBytes size of the disk
     * @param writesBack whether the kernel writes pages back by itself now and then
     */
    public record Options(boolean orderedNames, boolean syncCommitsNames, long spaceBytes, boolean writesBack) {
        /** The harshest: names only by directory syncs, in any order. */
        public static final Options HARSH = new Options(false, false, PLENTY_BYTES, true);

        public static final Options EXT4_LIKE = new Options(true, true, PLENTY_BYTES, true);

        public Options withSpace(long bytes) {
            return new Options(orderedNames, syncCommitsNames, bytes, writesBack);
        }
    }

    private static final long PLENTY_BYTES = 1L << 40;

    private final Random random;
    private volatile Options options;
    private final SimulatedNames names;
    private final Set<Path> locks = new HashSet<>();
    private boolean lying;
    private boolean off;
    private long operationsLeft = Long.MAX_VALUE;
    private final Map<Call, Integer> failures = new java.util.EnumMap<>(Call.class);

    public SimulatedFiles(long seed, Options options) {
        this(seed, options, SimulatedNames.of(ROOT));
    }

    public SimulatedFiles(long seed) {
        this(seed, Options.HARSH);
    }

    private SimulatedFiles(long seed, Options options, SimulatedNames names) {
        this.random = new Random(seed);
        this.options = options;
        this.names = names;
    }

    // --- what a test does to the machine ---

    /** The machine after a power cut now. */
    public synchronized SimulatedFiles powerCut(Random choices) {
        off = true;
        SimulatedNames kept = names.afterPowerCut(options.orderedNames(), choices);
        return new SimulatedFiles(choices.nextLong(), options, kept);
    }

    /** The machine after the process was killed: nothing the kernel had is lost. */
    public synchronized SimulatedFiles processKill() {
        off = true;
        var next = new SimulatedFiles(random.nextLong(), options, names.copy());
        next.lying = lying;
        return next;
    }

    /**
     * As {@link #processKill}, without a copy: this instance is off and gives up what it has, so it has no second future. Cheap.
     */
    public synchronized SimulatedFiles goOnAfterKill() {
        off = true;
        names.forEachContent(SimulatedContent::forgetViews);
        var next = new SimulatedFiles(random.nextLong(), options, names);
        next.lying = lying;
        return next;
    }

    /** No call fails any more that did not fail yet. */
    public synchronized void forgetFailures() {
        failures.clear();
    }

    /** Bytes of all blocks in use. */
    public synchronized long usedBytes() {
        return options.spaceBytes() - freeBlocks() * SimulatedContent.PAGE;
    }

    /** From now on syncs answer "fine" and do nothing (or do their work again). */
    public synchronized void lie(boolean lie) {
        lying = lie;
    }

    /** The n-th call of this kind from now fails with EIO (1 = the next). A failed sync leaves pages that are clean and not on disk. */
    public synchronized void failNth(Call call, int n) {
        failures.put(call, n);
    }

    /** After this many further changing calls the machine stands still: the last write may be done in part, every later call fails. */
    public synchronized void stopAfter(long changingCalls) {
        operationsLeft = changingCalls;
    }

    public synchronized boolean stopped() {
        return off;
    }

    public synchronized void setSpace(long bytes) {
        options = options.withSpace(bytes);
    }

    /** Memory pressure: every clean page is read from disk when it is next used. */
    public synchronized void dropCleanPages() {
        names.forEachContent(SimulatedContent::dropCleanPages);
    }

    // --- for its files ---

    synchronized void mayChange() throws IOException {
        mayRead();
        if (operationsLeft-- <= 0) {
            off = true;
            mayRead();
        }
    }

    synchronized void mayRead() throws IOException {
        if (off) {
            throw new IOException("the simulated machine is off");
        }
    }

    /** Whether this call is the one to fail. */
    synchronized boolean fails(Call call) {
        Integer left = failures.computeIfPresent(call, (c, n) -> n - 1);
        if (left != null && left == 0) {
            failures.remove(call);
            return true;
        }
        return false;
    }

    synchronized boolean lying() {
        return lying;
    }

    Random random() {
        return random;
    }

    boolean writesBack() {
        return options.writesBack();
    }

    synchronized boolean stopsAtNextChange() {
        return !off && operationsLeft == 0;
    }

    synchronized void fileSynced() {
        if (options.syncCommitsNames()) {
            names.commitAll();
        }
    }

    /** Whether the disk has no room for so many more pages. */
    synchronized boolean lacks(int pages) {
        // Nothing is counted on a disk that nothing can fill.
        return pages > 0 && options.spaceBytes() < PLENTY_BYTES && pages > freeBlocks();
    }

    synchronized long freeBlocks() {
        var used = new long[1];
        names.forEachContent(c -> used[0] += c.blockCount());
        return options.spaceBytes() / SimulatedContent.PAGE - used[0];
    }

    // --- names ---

    @Override
    public synchronized StoreFile open(Path file, Mode mode) throws IOException {
        Directory parent = parent(file);
        String name = Errno.name(file);
        SimulatedNode node = parent.names.get(name);
        if (mode == Mode.CREATE_NEW) {
            mayChange();
            if (node != null) {
                throw new FileAlreadyExistsException(name);
            }
            node = new Content();
            names.change(new Step(parent, name, node));
        }
        if (node == null) {
            throw new NoSuchFileException(name);
        }
        if (!(node instanceof Content content)) {
            throw new IOException(name + " is a directory");
        }
        return new SimulatedFile(this, file, content, mode == Mode.READ);
    }

    @Override
    public synchronized boolean exists(Path path) {
        return names.find(path) != null;
    }

    @Override
    public synchronized boolean isDirectory(Path path) {
        return names.find(path) instanceof Directory;
    }

    @Override
    public synchronized List<Path> list(Path directory) throws IOException {
        mayRead();
        return names.directory(directory).names.keySet().stream()
                .map(directory::resolve)
                .toList();
    }

    @Override
    public synchronized void createDirectories(Path directory) throws IOException {
        Directory at = names.root();
        for (Path part : directory.toAbsolutePath()) {
            SimulatedNode next = at.names.get(part.toString());
            if (next == null) {
                mayChange();
                next = new Directory();
                names.change(new Step(at, part.toString(), next));
            }
            if (!(next instanceof Directory found)) {
                throw new FileAlreadyExistsException(part.toString());
            }
            at = found;
        }
    }

    @Override
    public synchronized void rename(Path from, Path to) throws IOException {
        mayChange();
        Directory source = parent(from);
        Directory target = parent(to);
        SimulatedNode node = source.names.get(Errno.name(from));
        if (node == null) {
            throw new NoSuchFileException(Errno.name(from));
        }
        if (target.names.get(Errno.name(to)) instanceof Directory) {
            throw new FileAlreadyExistsException(Errno.name(to));
        }
        names.change(new Step(source, Errno.name(from), null), new Step(target, Errno.name(to), node));
    }

    @Override
    public synchronized void delete(Path path) throws IOException {
        mayChange();
        Directory parent = parent(path);
        SimulatedNode node = parent.names.get(Errno.name(path));
        if (node == null) {
            throw new NoSuchFileException(Errno.name(path));
        }
        if (node instanceof Directory directory && !directory.names.isEmpty()) {
            throw new DirectoryNotEmptyException(Errno.name(path));
        }
        names.change(new Step(parent, Errno.name(path), null));
    }

    @Override
    public synchronized void syncDirectory(Path path) throws IOException {
        mayChange();
        Directory directory = names.directory(path);
        if (fails(Call.SYNC)) {
            throw new IOException("sync directory " + Errno.name(path) + ": " + Errno.text(Errno.EIO));
        }
        if (lying) {
            return;
        }
        if (options.orderedNames()) {
            names.commitAll();
        } else {
            names.sync(directory);
        }
    }

    @Override
    public synchronized long usableBytes(Path path) {
        return Math.max(0, freeBlocks() * SimulatedContent.PAGE);
    }

    @Override
    public synchronized java.io.Closeable lock(Path file) throws IOException {
        if (!exists(file)) {
            open(file, Mode.CREATE_NEW).close();
        }
        return locks.add(file) ? () -> unlock(file) : null;
    }

    private synchronized void unlock(Path file) {
        locks.remove(file);
    }

    private Directory parent(Path path) throws IOException {
        mayRead();
        return names.directory(path.toAbsolutePath().getParent());
    }
}
