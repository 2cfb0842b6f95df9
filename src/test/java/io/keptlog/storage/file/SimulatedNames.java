// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import io.keptlog.storage.file.SimulatedNode.Content;
import io.keptlog.storage.file.SimulatedNode.Directory;
import io.keptlog.storage.file.SimulatedNode.Entry;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The names of a simulated machine: as the process sees them, as the disk has them, and the changes in between. For each name the newest
 * change that the disk has counts, so that changes may reach it in any order. Guarded by the machine.
 */
final class SimulatedNames {
    /** One change of names that the disk may not have. A rename takes a name away and gives one, both or none. */
    private record Change(List<Step> steps, Set<Directory> unsynced, long sequence) {}

    /** A name gets this node; null = the name goes. */
    record Step(Directory directory, String name, SimulatedNode node) {}

    private final Directory root = new Directory();
    private final List<Change> pending = new ArrayList<>();
    /** Directories by path, as they were found; forgotten when one loses its name. */
    private final Map<Path, Directory> found = new HashMap<>();

    private long sequence;

    /** Only this directory, durable. */
    static SimulatedNames of(Path directory) {
        var names = new SimulatedNames();
        Directory at = names.root;
        for (Path name : directory) {
            var next = new Directory();
            at.names.put(name.toString(), next);
            at.disk.put(name.toString(), new Entry(next, 0));
            at = next;
        }
        return names;
    }

    Directory root() {
        return root;
    }

    SimulatedNode find(Path path) {
        Path parent = path.getParent();
        if (parent == null) {
            return walk(path);
        }
        Directory above = found.get(parent);
        if (above == null) {
            if (!(walk(parent) instanceof Directory directory)) {
                return null;
            }
            above = directory;
            found.put(parent, directory);
        }
        return above.names.get(Errno.name(path));
    }

    private SimulatedNode walk(Path path) {
        SimulatedNode at = root;
        for (Path part : path.toAbsolutePath()) {
            if (!(at instanceof Directory directory)) {
                return null;
            }
            at = directory.names.get(part.toString());
        }
        return at;
    }

    Directory directory(Path path) throws IOException {
        SimulatedNode node = find(path);
        if (node == null) {
            throw new NoSuchFileException(Errno.name(path));
        }
        if (!(node instanceof Directory directory)) {
            throw new NotDirectoryException(Errno.name(path));
        }
        return directory;
    }

    void change(Step... steps) {
        var directories = new HashSet<Directory>();
        for (Step step : steps) {
            directories.add(step.directory);
            SimulatedNode before = step.node == null
                    ? step.directory.names.remove(step.name)
                    : step.directory.names.put(step.name, step.node);
            if (before instanceof Directory) {
                found.clear();
            }
        }
        pending.add(new Change(List.of(steps), directories, ++sequence));
    }

    /** The disk has every change so far. */
    void commitAll() {
        pending.forEach(this::commit);
        pending.clear();
    }

    /** The disk has each change whose directories were all synced by now. */
    void sync(Directory directory) {
        pending.removeIf(change -> {
            change.unsynced.remove(directory);
            boolean durable = change.unsynced.isEmpty();
            if (durable) {
                commit(change);
            }
            return durable;
        });
    }

    private void commit(Change change) {
        for (Step step : change.steps) {
            step.directory.disk.merge(
                    step.name,
                    new Entry(step.node, change.sequence),
                    (old, now) -> now.sequence() > old.sequence() ? now : old);
        }
    }

    /**
     * @param ordered the pending changes that survive are the first ones, else any
     */
    SimulatedNames afterPowerCut(boolean ordered, Random choices) {
        int prefix = choices.nextInt(pending.size() + 1);
        for (int i = 0; i < pending.size(); i++) {
            if (ordered ? i < prefix : choices.nextBoolean()) {
                commit(pending.get(i));
            }
        }
        var next = new SimulatedNames();
        copyFromDisk(root, next.root, choices, new IdentityHashMap<>());
        return next;
    }

    SimulatedNames copy() {
        var next = new SimulatedNames();
        var copies = new IdentityHashMap<SimulatedNode, SimulatedNode>();
        copies.put(root, next.root);
        copyAll(root, next.root, copies);
        next.sequence = sequence;
        for (Change change : pending) {
            var steps = change.steps.stream()
                    .map(s -> new Step((Directory) copyOf(s.directory, copies), s.name, copyOf(s.node, copies)))
                    .toList();
            var unsynced = new HashSet<Directory>();
            change.unsynced.forEach(d -> unsynced.add((Directory) copyOf(d, copies)));
            next.pending.add(new Change(steps, unsynced, change.sequence));
        }
        return next;
    }

    void forEachContent(Consumer<Content> visit) {
        forEachContent(root, new HashSet<>(), visit);
    }

    private static void forEachContent(Directory directory, Set<SimulatedNode> seen, Consumer<Content> visit) {
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
