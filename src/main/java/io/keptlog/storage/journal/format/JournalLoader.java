// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal.format;

import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.journal.format.LoadedJournal.Condition;
import io.keptlog.storage.journal.format.ScannedFile.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads all generations in the directories of a journal and puts its copies together. Changes nothing. */
public final class JournalLoader {
    private static final Pattern NUMBERED = Pattern.compile("[0-9]{18,20}\\..*");

    private final FileLayer files;
    private final List<Path> directories;
    private final TreeMap<Long, List<ScannedFile>> generations = new TreeMap<>(Comparator.reverseOrder());
    private long highest = -1;

    private JournalLoader(FileLayer files, List<Path> directories) {
        this.files = files;
        this.directories = directories;
    }

    public static LoadedJournal load(FileLayer files, List<Path> directories) throws IOException {
        var loader = new JournalLoader(files, directories);
        for (Path directory : directories) {
            if (files.exists(directory)) {
                loader.scan(directory);
            }
        }
        return loader.result();
    }

    /** One file, whatever the others say. */
    public static ScannedFile read(FileLayer files, Path file) {
        return JournalScan.scan(files, file);
    }

    private void scan(Path directory) throws IOException {
        for (Path path : files.list(directory)) {
            String name = String.valueOf(path.getFileName());
            if (NUMBERED.matcher(name).matches()) {
                highest = Math.max(highest, numberOf(name));
            }
            long generation = JournalLayout.generation(path);
            if (generation >= 0) {
                generations.computeIfAbsent(generation, g -> new ArrayList<>()).add(JournalScan.scan(files, path));
            }
        }
    }

    private static long numberOf(String name) {
        return JournalLayout.generation(Path.of(name.substring(0, name.indexOf('.')) + ".journal"));
    }

    private LoadedJournal result() {
        List<Path> bad = generations.values().stream()
                .flatMap(List::stream)
                .filter(ScannedFile::bad)
                .map(ScannedFile::path)
                .toList();
        if (generations.isEmpty()) {
            return new LoadedJournal(
                    Condition.EMPTY, List.of(), List.of(), List.of(), highest, -1, List.of(), 0, 0, "no journal file");
        }
        Merged newest = new Merged(generations.firstEntry().getValue());
        Merged earlier = null;
        for (List<ScannedFile> older :
                generations.tailMap(newest.generation, false).values()) {
            Merged merged = new Merged(older);
            if (earlier == null && merged.snapshotWhole()) {
                earlier = merged;
            }
        }
        boolean useEarlier = !newest.snapshotWhole();
        Condition condition = condition(newest);
        long keep = newest.snapshotWhole() ? newest.generation : earlier == null ? -1 : earlier.generation;
        return new LoadedJournal(
                condition,
                useEarlier && earlier != null ? earlier.all() : List.of(),
                newest.prefix,
                newest.beyond,
                Math.max(highest, newest.generation),
                keep,
                bad,
                newest.end,
                newest.used,
                condition == Condition.CLEAN ? "" : detail(newest));
    }

    private Condition condition(Merged newest) {
        if (!newest.snapshotWhole() || newest.superseded() || newest.damaged()) {
            return Condition.DAMAGED;
        }
        if (newest.copies.stream().anyMatch(ScannedFile::bad) || copyLost(newest)) {
            return Condition.ONE_COPY_BAD;
        }
        return newest.copies.stream().anyMatch(c -> c.verdict() == Verdict.TORN) ? Condition.TORN : Condition.CLEAN;
    }

    /**
     * Whether a directory lacks the newest generation for another reason than crashes while its files got their names: then the newest one
     * that it has is there under its first name.
     */
    private boolean copyLost(Merged newest) {
        for (Path directory : directories) {
            if (newest.in(directory)) {
                continue;
            }
            boolean before = generations.tailMap(newest.generation, false).values().stream()
                    .flatMap(List::stream)
                    .filter(f -> directory.equals(f.path().getParent()))
                    .limit(1)
                    .anyMatch(f -> !JournalLayout.isPrevious(f.path()));
            boolean firstOfAll = generations.size() == 1 && newest.generation == 0;
            if (!before && !firstOfAll) {
                return true;
            }
        }
        return false;
    }

    private static String detail(Merged newest) {
        String found = newest.copies.stream()
                .map(ScannedFile::detail)
                .filter(d -> !d.isEmpty())
                .collect(Collectors.joining("; "));
        if (newest.superseded()) {
            return "the generation after " + newest.generation + " is missing";
        }
        return found.isEmpty() ? "a copy of generation " + newest.generation + " is missing" : found;
    }

    /** The copies of one generation as one. */
    private static final class Merged {
        final long generation;
        final List<ScannedFile> copies;
        final List<Frame> prefix = new ArrayList<>();
        final List<Frame> beyond = new ArrayList<>();
        final long evidence;
        final long end;
        final long used;

        Merged(List<ScannedFile> copies) {
            this.generation = copies.getFirst().generation();
            this.copies = copies;
            var byIndex = new TreeMap<Long, Frame>();
            for (ScannedFile copy : copies) {
                copy.frames().forEach(f -> byIndex.putIfAbsent(f.index(), f));
                copy.beyond().forEach(f -> byIndex.putIfAbsent(f.index(), f));
            }
            for (Frame frame : byIndex.values()) {
                (frame.index() == prefix.size() ? prefix : beyond).add(frame);
            }
            this.evidence =
                    copies.stream().mapToLong(ScannedFile::evidence).max().orElse(0);
            this.end = copies.stream().mapToLong(ScannedFile::endPosition).max().orElse(0);
            this.used =
                    copies.stream().mapToLong(ScannedFile::usedPosition).max().orElse(0);
        }

        boolean snapshotWhole() {
            return prefix.stream().anyMatch(f -> f.kind() == Frame.Kind.SNAPSHOT_END);
        }

        /** A newer generation was durable once. */
        boolean superseded() {
            return copies.stream().anyMatch(c -> JournalLayout.isPrevious(c.path()));
        }

        /** Less is there than was durable, or every copy is wrong where the merged frames end. */
        boolean damaged() {
            return evidence > prefix.size() || copies.stream().allMatch(this::wrongAtTheEnd);
        }

        private boolean wrongAtTheEnd(ScannedFile copy) {
            return copy.bad()
                    && (copy.verdict() == Verdict.UNREADABLE || copy.frames().size() == prefix.size());
        }

        boolean in(Path directory) {
            return copies.stream().anyMatch(c -> directory.equals(c.path().getParent()));
        }

        List<Frame> all() {
            var all = new ArrayList<>(prefix);
            all.addAll(beyond);
            return all;
        }
    }
}
