// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.format;

import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.OptionalLong;

/**
 * Names of the files of one partition's life; numbers only, so that no client's text becomes a path. Touches no disk.
 *
 * @param directory the partition's own directory, in place or aside
 */
public record PartitionPaths(Path directory) {
    private static final String LOG = ".log";
    private static final String INDEX = ".index";
    private static final int DIGITS = 20;
    private static final String LARGEST = digits(Long.MAX_VALUE);

    /** Where a partition lives: {@code streams/{s}/topics/{t}/partitions/{p}}. */
    public static PartitionPaths inPlace(Path dataDir, PartitionRef ref) {
        return new PartitionPaths(dataDir.resolve("streams")
                .resolve(Integer.toString(ref.streamId()))
                .resolve("topics")
                .resolve(Integer.toString(ref.topicId()))
                .resolve("partitions")
                .resolve(Integer.toString(ref.partitionId())));
    }

    /** Where a partition is prepared: {@code fresh/{s}-{t}-{p}-{incarnation}}. */
    public static PartitionPaths fresh(Path dataDir, PartitionSpec spec) {
        return new PartitionPaths(dataDir.resolve("fresh").resolve(lifeName(spec.ref(), spec.incarnation())));
    }

    /** A name for one life of a place, fit for a file: {@code {s}-{t}-{p}-{16 hex digits}}. */
    public static String lifeName(PartitionRef ref, long incarnation) {
        return ref.streamId() + "-" + ref.topicId() + "-" + ref.partitionId() + "-"
                + HexFormat.of().toHexDigits(incarnation);
    }

    /** Bytes that recovery cut, and whole files that it put aside. */
    public static Path quarantine(Path dataDir) {
        return dataDir.resolve("quarantine");
    }

    /** Files that were deleted and are on their way out. */
    public static Path trash(Path dataDir) {
        return dataDir.resolve("trash");
    }

    public Path log(long baseOffset) {
        return directory.resolve(digits(baseOffset) + LOG);
    }

    public Path index(long baseOffset) {
        return directory.resolve(digits(baseOffset) + INDEX);
    }

    public Path checkpoint() {
        return directory.resolve("checkpoint");
    }

    public Path epochs() {
        return directory.resolve("epochs");
    }

    /** What is remembered of idempotent producers. */
    public Path producers() {
        return directory.resolve("producers");
    }

    /** Why what came before the first offset is gone. */
    public Path removal() {
        return directory.resolve("removal");
    }

    /** The prepared next segment: allocated, no header, no base yet. */
    public Path next() {
        return directory.resolve("next.tmp");
    }

    /** Base offset in the name of a segment's file, or empty when it is not one. */
    public static OptionalLong logBase(Path file) {
        return base(file, LOG);
    }

    /** Base offset in the name of an index file, or empty when it is not one. */
    public static OptionalLong indexBase(Path file) {
        return base(file, INDEX);
    }

    private static OptionalLong base(Path file, String suffix) {
        String name = String.valueOf(file.getFileName());
        if (name.length() != DIGITS + suffix.length() || !name.endsWith(suffix)) {
            return OptionalLong.empty();
        }
        String number = name.substring(0, DIGITS);
        if (!number.chars().allMatch(c -> c >= '0' && c <= '9') || number.compareTo(LARGEST) > 0) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Long.parseLong(number));
    }

    private static String digits(long baseOffset) {
        String number = Long.toString(baseOffset);
        return "0".repeat(DIGITS - number.length()) + number;
    }
}
