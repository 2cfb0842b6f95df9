// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads strace's lines: calls that were interrupted by other threads' lines are put together again. */
public final class SystemCalls {
    private static final Pattern BEGUN = Pattern.compile("^(\\d+) +(\\w+)\\((.*)$");
    private static final Pattern RESUMED = Pattern.compile("^(\\d+) +<\\.\\.\\. (\\w+) resumed>(.*)$");

    private SystemCalls() {}

    /**
     * One call.
     *
     * @param begin line on which it began
     * @param end line on which it returned; the largest int while it has not
     */
    public record Call(String thread, String name, String text, int begin, int end) {
        public boolean isSync() {
            return name.equals("fdatasync") || name.equals("fsync") || name.equals("msync");
        }

        /** Whether the file's path, as strace's -y shows it, ends so. */
        public boolean isOn(String pathEnd) {
            return text.contains(pathEnd + ">");
        }
    }

    /** Calls in the order in which they began. */
    public static List<Call> of(List<String> lines) {
        List<Call> calls = new ArrayList<>();
        Map<String, Integer> open = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher resumed = RESUMED.matcher(lines.get(i));
            if (resumed.matches()) {
                Integer index = open.remove(resumed.group(1));
                if (index != null) {
                    Call call = calls.get(index);
                    calls.set(
                            index,
                            new Call(call.thread(), call.name(), call.text() + resumed.group(3), call.begin(), i));
                }
                continue;
            }
            Matcher begun = BEGUN.matcher(lines.get(i));
            if (begun.matches()) {
                boolean unfinished = lines.get(i).endsWith("<unfinished ...>");
                if (unfinished) {
                    open.put(begun.group(1), calls.size());
                }
                calls.add(new Call(
                        begun.group(1), begun.group(2), begun.group(3), i, unfinished ? Integer.MAX_VALUE : i));
            }
        }
        return calls;
    }
}
