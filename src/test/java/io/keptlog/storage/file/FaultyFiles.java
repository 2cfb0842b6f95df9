// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Wraps any file layer: fails chosen calls, holds chosen calls until a test lets them go, and writes down every call in order.
 *
 * <p>{@code files.fail(Call.SYNC, path -> true, 2, () -> new IOException("EIO"))} fails the second sync from now;
 * {@code Hold hold = files.hold(Call.SYNC, path -> true)} stops syncs until {@code hold.release()}.
 */
public final class FaultyFiles implements FileLayer {
    /** Kinds of calls. SYNC is syncData of a file. */
    public enum Call {
        OPEN,
        CREATE,
        LIST,
        CREATE_DIRECTORIES,
        RENAME,
        DELETE,
        SYNC_DIRECTORY,
        WRITE,
        READ,
        ALLOCATE,
        TRUNCATE,
        SYNC,
        MAP,
        CLOSE
    }

    /** One call that was made, whether it failed or not; position and length are −1 where they do not apply. */
    public record Event(Call call, Path path, long position, long length) {}

    private final FileLayer below;
    private final List<FaultRule> rules = new CopyOnWriteArrayList<>();
    private final List<Hold> holds = new CopyOnWriteArrayList<>();
    private final List<Event> events = Collections.synchronizedList(new ArrayList<>());

    public FaultyFiles(FileLayer below) {
        this.below = below;
    }

    /** Fails only the n-th matching call from now on (1 = the next one). */
    public void fail(Call call, Predicate<Path> path, int nth, Supplier<? extends Throwable> failure) {
        rules.add(new FaultRule(call, path, nth, nth, failure, 0));
    }

    /** Fails the next matching call, whatever its file. */
    public void failNext(Call call, Supplier<? extends Throwable> failure) {
        fail(call, path -> true, 1, failure);
    }

    /** Fails the n-th matching call and all after it, until {@link #heal}. */
    public void failFrom(Call call, Predicate<Path> path, int nth, Supplier<? extends Throwable> failure) {
        rules.add(new FaultRule(call, path, nth, Integer.MAX_VALUE, failure, 0));
    }

    /** Fails the n-th matching write after its first {@code bytes} bytes were written. */
    public void failWriteAfter(long bytes, Predicate<Path> path, int nth, Supplier<? extends Throwable> failure) {
        rules.add(new FaultRule(Call.WRITE, path, nth, nth, failure, bytes));
    }

    /** Forgets all rules; what is held stays held. */
    public void heal() {
        rules.clear();
    }

    /** Stops matching calls before they reach the layer below, until released. */
    public Hold hold(Call call, Predicate<Path> path) {
        var hold = new Hold(call, path);
        holds.add(hold);
        return hold;
    }

    public List<Event> events() {
        return List.copyOf(events);
    }

    public void clearEvents() {
        events.clear();
    }

    public int count(Call call) {
        return count(call, path -> true);
    }

    public int count(Call call, Predicate<Path> path) {
        return (int) events().stream()
                .filter(e -> e.call() == call && path.test(e.path()))
                .count();
    }

    private void before(Call call, Path path, long position, long length) throws IOException {
        FaultRule rule = arrive(call, path, position, length);
        if (rule != null) {
            throw FaultyFiles.<IOException>sneaky(rule.failure().get());
        }
    }

    /** Writes the call down, waits while it is held, and gives the rule that fails it, or null. */
    private FaultRule arrive(Call call, Path path, long position, long length) {
        events.add(new Event(call, path, position, length));
        for (Hold hold : holds) {
            if (hold.call == call && hold.path.test(path)) {
                hold.pass();
            }
        }
        FaultRule fails = null;
        for (FaultRule rule : rules) {
            if (rule.hits(call, path) && fails == null) {
                fails = rule;
            }
        }
        return fails;
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T sneaky(Throwable failure) throws T {
        throw (T) failure;
    }

    @Override
    public StoreFile open(Path file, Mode mode) throws IOException {
        before(mode == Mode.CREATE_NEW ? Call.CREATE : Call.OPEN, file, -1, -1);
        return new FaultyFile(below.open(file, mode));
    }

    @Override
    public boolean exists(Path path) {
        return below.exists(path);
    }

    @Override
    public boolean isDirectory(Path path) {
        return below.isDirectory(path);
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        before(Call.LIST, directory, -1, -1);
        return below.list(directory);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        before(Call.CREATE_DIRECTORIES, directory, -1, -1);
        below.createDirectories(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        before(Call.RENAME, to, -1, -1);
        below.rename(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
        before(Call.DELETE, path, -1, -1);
        below.delete(path);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        before(Call.SYNC_DIRECTORY, directory, -1, -1);
        below.syncDirectory(directory);
    }

    @Override
    public long usableBytes(Path path) throws IOException {
        return below.usableBytes(path);
    }

    @Override
    public java.io.Closeable lock(Path file) throws IOException {
        return below.lock(file);
    }

    /** Calls that are being held. Not interruptible, as the calls themselves; gives up after a minute so that no test hangs. */
    public final class Hold {
        private final Call call;
        private final Predicate<Path> path;
        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        private Hold(Call call, Predicate<Path> path) {
            this.call = call;
            this.path = path;
        }

        /** Waits until at least one call has come. */
        public void awaitArrival() throws InterruptedException {
            if (!arrived.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("no " + call + " came within 30 s");
            }
        }

        /** Lets held and later calls go. */
        public void release() {
            holds.remove(this);
            released.countDown();
        }

        private void pass() {
            arrived.countDown();
            boolean interrupted = false;
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            try {
                while (true) {
                    try {
                        if (!released.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                            throw new AssertionError("a held " + call + " was never released");
                        }
                        return;
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private final class FaultyFile implements StoreFile {
        private final StoreFile file;

        FaultyFile(StoreFile file) {
            this.file = file;
        }

        @Override
        public Path path() {
            return file.path();
        }

        @Override
        public void write(MemorySegment bytes, long position) throws IOException {
            FaultRule rule = arrive(Call.WRITE, path(), position, bytes.byteSize());
            if (rule != null) {
                file.write(bytes.asSlice(0, Math.min(rule.writtenBytes(), bytes.byteSize())), position);
                throw FaultyFiles.<IOException>sneaky(rule.failure().get());
            }
            file.write(bytes, position);
        }

        @Override
        public int read(MemorySegment into, long position) throws IOException {
            before(Call.READ, path(), position, into.byteSize());
            return file.read(into, position);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void readNothingAhead() throws IOException {
            file.readNothingAhead();
        }

        @Override
        public long dataFrom(long position) throws IOException {
            return file.dataFrom(position);
        }

        @Override
        public void allocate(long position, long length) throws IOException {
            before(Call.ALLOCATE, path(), position, length);
            file.allocate(position, length);
        }

        @Override
        public void truncate(long size) throws IOException {
            before(Call.TRUNCATE, path(), size, -1);
            file.truncate(size);
        }

        @Override
        public void syncData() throws IOException {
            before(Call.SYNC, path(), -1, -1);
            file.syncData();
        }

        @Override
        public MemorySegment map(long position, long length, Arena arena) throws IOException {
            before(Call.MAP, path(), position, length);
            return file.map(position, length, arena);
        }

        @Override
        public void close() throws IOException {
            before(Call.CLOSE, path(), -1, -1);
            file.close();
        }
    }
}
