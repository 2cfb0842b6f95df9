// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.truth;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a path is mounted, as Linux tells in {@code /proc/self/mountinfo}.
 *
 * @param device major and minor number, as in 8:1
 * @param options of the mount and of the file system, as written
 */
record Mount(String point, String device, String fileSystem, Set<String> options) {
    private static final int DEVICE = 2;
    private static final int POINT = 4;
    private static final int MOUNT_OPTIONS = 5;
    private static final String SEPARATOR = " - ";
    /** File system type, source, options of the file system. */
    private static final int AFTER_SEPARATOR = 3;

    Mount {
        options = Set.copyOf(options);
    }

    /**
     * The mount that holds the path: the longest point that it begins with, the last of equal ones.
     *
     * @param path absolute, without links
     */
    static @Nullable Mount of(String path, List<String> mountinfo) {
        Mount best = null;
        for (String line : mountinfo) {
            Mount mount = parse(line);
            if (mount != null
                    && holds(mount.point, path)
                    && (best == null || mount.point.length() >= best.point.length())) {
                best = mount;
            }
        }
        return best;
    }

    private static boolean holds(String point, String path) {
        return point.equals("/") || path.equals(point) || path.startsWith(point + "/");
    }

    private static @Nullable Mount parse(String line) {
        int separator = line.indexOf(SEPARATOR);
        if (separator < 0) {
            return null;
        }
        String[] before = line.substring(0, separator).split(" ");
        String[] after = line.substring(separator + SEPARATOR.length()).split(" ");
        if (before.length <= MOUNT_OPTIONS || after.length < 1) {
            return null;
        }
        String superOptions = after.length >= AFTER_SEPARATOR ? after[AFTER_SEPARATOR - 1] : "";
        Set<String> options = new java.util.HashSet<>(List.of((before[MOUNT_OPTIONS] + "," + superOptions).split(",")));
        return new Mount(unescaped(before[POINT]), before[DEVICE], after[0], options);
    }

    /** Space, tab, newline and backslash are written in octal. */
    private static String unescaped(String text) {
        return text.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}
