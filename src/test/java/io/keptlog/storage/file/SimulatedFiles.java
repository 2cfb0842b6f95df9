// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import io.keptlog.storage.file.SimulatedNode.Content;
import io.keptlog.storage.file.SimulatedNode.Directory;
import io.keptlog.storage.file.SimulatedNode.Entry;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
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
        public static final Options HARSH = new Options(false, false, 1L << 40, true);

        public static final Options EXT4_LIKE = new Options(true, true, 1L << 40, true);

        public Options withSpace(long bytes) {
            return new Options(orderedNames, syncCommitsNames, bytes, writesBack);
        }
    }

    /** One change of names that the disk may not have. A rename takes a name away and gives one, both or none. */
    private record NameChange(List<NameStep> steps, Set<Directory> unsynced, long sequence) {}

    private record NameStep(Directory directory, String name, SimulatedNode node) {}

    private final Random random;
    private volatile Options options;
    private final Directory root;
    private final List<NameChange> pending = new ArrayList<>();
    private final Set<Path> locks = new HashSet<>();
    private long sequence;
    private boolean lying;
    private boolean off;
    private long operationsLeft = Long.MAX_VALUE;
    private final Map<Call, Integer> failures = new java.util.EnumMap<>(Call.class);

    public SimulatedFiles(long seed, Options options) {
        this(seed, options, new Directory());
        Directory at = root;
        for (Path name : ROOT) {
            var next = new Directory();
            at.names.put(name.toString(), next);
            at.disk.put(name.toString(), new Entry(next, 0));
            at = next;
        }
    }

    public SimulatedFiles(long seed) {
        this(seed, Options.HARSH);
    }

    private SimulatedFiles(long seed, Options options, Directory root) {
        this.random = new Random(seed);
        this.options = options;
        this.root = root;
    }

    // --- what a test does to the machine ---

    /** The machine after a power cut now. */
    public synchronized SimulatedFiles powerCut(Random choices) {
        off = true;
        boolean ordered = options.orderedNames();
        int prefix = choices.nextInt(pending.size() + 1);
        for (int i = 0; i < pending.size(); i++) {
            if (ordered ? i < prefix : choices.nextBoolean()) {
                commit(pending.get(i));
            }
        }
        var next = new SimulatedFiles(choices.nextLong(), options, new Directory());
        copyFromDisk(root, next.root, choices, new IdentityHashMap<>());
        return next;
    }

    /** The machine after the process was killed: nothing the kernel had is lost. */
    public synchronized SimulatedFiles processKill() {
        off = true;
        var next = new SimulatedFiles(random.nextLong(), options, new Directory());
        var copies = new IdentityHashMap<SimulatedNode, SimulatedNode>();
        copies.put(root, next.root);
        copyAll(root, next.root, copies);
        next.sequence = sequence;
        next.lying = lying;
        for (NameChange change : pending) {
            var steps = change.steps.stream()
                    .map(s -> new NameStep((Directory) copyOf(s.directory, copies), s.name, copyOf(s.node, copies)))
                    .toList();
            var unsynced = new HashSet<Directory>();
            change.unsynced.forEach(d -> unsynced.add((Directory) copyOf(d, copies)));
            next.pending.add(new NameChange(steps, unsynced, change.sequence));
        }
        return next;
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
        forEachContent(root, new HashSet<>(), SimulatedContent::dropCleanPages);
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
            pending.forEach(this::commit);
            pending.clear();
        }
    }

    synchronized long freeBlocks() {
        var used = new long[1];
        forEachContent(root, new HashSet<>(), c -> used[0] += c.blockCount());
        return options.spaceBytes() / SimulatedContent.PAGE - used[0];
    }

    // --- names ---

    @Override
    public synchronized StoreFile open(Path file, Mode mode) throws IOException {
        Directory parent = parent(file);
        String name = name(file);
        SimulatedNode node = parent.names.get(name);
        if (mode == Mode.CREATE_NEW) {
            mayChange();
            if (node != null) {
                throw new FileAlreadyExistsException(name);
            }
            node = new Content();
            change(List.of(new NameStep(parent, name, node)));
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
        return find(path) != null;
    }

    @Override
    public synchronized boolean isDirectory(Path path) {
        return find(path) instanceof Directory;
    }

    @Override
    public synchronized List<Path> list(Path directory) throws IOException {
        mayRead();
        return directory(directory).names.keySet().stream()
                .map(directory::resolve)
                .toList();
    }

    @Override
    public synchronized void createDirectories(Path directory) throws IOException {
        Directory at = root;
        for (Path part : directory.toAbsolutePath()) {
            SimulatedNode next = at.names.get(part.toString());
            if (next == null) {
                mayChange();
                next = new Directory();
                change(List.of(new NameStep(at, part.toString(), next)));
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
        SimulatedNode node = source.names.get(name(from));
        if (node == null) {
            throw new NoSuchFileException(name(from));
        }
        if (target.names.get(name(to)) instanceof Directory) {
            throw new FileAlreadyExistsException(name(to));
        }
        change(List.of(new NameStep(source, name(from), null), new NameStep(target, name(to), node)));
    }

    @Override
    public synchronized void delete(Path path) throws IOException {
        mayChange();
        Directory parent = parent(path);
        SimulatedNode node = parent.names.get(name(path));
        if (node == null) {
            throw new NoSuchFileException(name(path));
        }
        if (node instanceof Directory directory && !directory.names.isEmpty()) {
            throw new DirectoryNotEmptyException(name(path));
        }
        change(List.of(new NameStep(parent, name(path), null)));
    }

    @Override
    public synchronized void syncDirectory(Path path) throws IOException {
        mayChange();
        Directory directory = directory(path);
        if (fails(Call.SYNC)) {
            throw new IOException("sync directory " + name(path) + ": " + Errno.text(Errno.EIO));
        }
        if (lying) {
            return;
        }
        pending.removeIf(change -> {
            change.unsynced.remove(directory);
            boolean durable = change.unsynced.isEmpty();
            if (durable) {
                commit(change);
            }
            return durable;
        });
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

    private void change(List<NameStep> steps) {
        var directories = new HashSet<Directory>();
        for (NameStep step : steps) {
            directories.add(step.directory);
            if (step.node == null) {
                step.directory.names.remove(step.name);
            } else {
                step.directory.names.put(step.name, step.node);
            }
        }
        pending.add(new NameChange(steps, directories, ++sequence));
    }

    private void commit(NameChange change) {
        for (NameStep step : change.steps) {
            step.directory.disk.merge(
                    step.name,
                    new Entry(step.node, change.sequence),
                    (old, now) -> now.sequence() > old.sequence() ? now : old);
        }
    }

    private SimulatedNode find(Path path) {
        SimulatedNode at = root;
        for (Path part : path.toAbsolutePath()) {
            if (!(at instanceof Directory directory)) {
                return null;
            }
            at = directory.names.get(part.toString());
        }
        return at;
    }

    private Directory directory(Path path) throws IOException {
        SimulatedNode node = find(path);
        if (node == null) {
            throw new NoSuchFileException(name(path));
        }
        if (!(node instanceof Directory directory)) {
            throw new NotDirectoryException(name(path));
        }
        return directory;
    }

    private Directory parent(Path path) throws IOException {
        mayRead();
        return directory(path.toAbsolutePath().getParent());
    }

    private static String name(Path path) {
        return Errno.name(path);
    }

    // --- copies ---

    private static void forEachContent(
            Directory directory, Set<SimulatedNode> seen, java.util.function.Consumer<Content> visit) {
        for (SimulatedNode node : directory.names.values()) {
            if (!seen.add(node)) {
                continue;
            }
            switch (node) {
                case Directory below -> forEachContent(below, seen, visit);
                case Content content -> visit.accept(content);
            }
        }
    }

    private static void copyFromDisk(
            Directory from, Directory to, Random choices, Map<SimulatedNode, SimulatedNode> copies) {
        for (String name : new java.util.TreeSet<>(from.disk.keySet())) {
            SimulatedNode node = from.disk.get(name).node();
            if (node == null) {
                continue;
            }
            SimulatedNode copy = copies.get(node);
            if (copy == null) {
                copy = node instanceof Content content ? content.afterPowerCut(choices) : new Directory();
                copies.put(node, copy);
                if (node instanceof Directory below) {
                    copyFromDisk(below, (Directory) copy, choices, copies);
                }
            }
            to.names.put(name, copy);
            to.disk.put(name, new Entry(copy, 0));
        }
    }

    private static SimulatedNode copyOf(SimulatedNode node, Map<SimulatedNode, SimulatedNode> copies) {
        if (node == null) {
            return null;
        }
        SimulatedNode copy = copies.get(node);
        if (copy == null) {
            copy = node instanceof Content content ? content.copy() : new Directory();
            copies.put(node, copy);
            if (node instanceof Directory directory) {
                copyAll(directory, (Directory) copy, copies);
            }
        }
        return copy;
    }

    private static void copyAll(Directory from, Directory to, Map<SimulatedNode, SimulatedNode> copies) {
        from.names.forEach((name, node) -> to.names.put(name, copyOf(node, copies)));
        from.disk.forEach(
                (name, entry) -> to.disk.put(name, new Entry(copyOf(entry.node(), copies), entry.sequence())));
    }
}
