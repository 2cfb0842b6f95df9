// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.depth;

import io.keptlog.cluster.depth.DepthAudit.EntryDepth;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.cluster.CopyState;
import io.keptlog.domain.cluster.DepthRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Puts entries whose copies are in the same state into ranges. An entry without a good copy lies between its neighbours' offsets. */
final class DepthRanges {
    private DepthRanges() {}

    /**
     * @param begin offset at which the first entry begins, when it cannot say so itself; −1 = not known
     * @param end offset at which the last entry ends, likewise
     */
    static List<DepthRange> of(List<EntryDepth> entries, long begin, long end) {
        var ranges = new ArrayList<DepthRange>();
        long[] ends = ends(entries, end);
        long next = begin >= 0 ? begin : firstOffset(entries);
        for (int i = 0; i < entries.size(); i++) {
            EntryDepth entry = entries.get(i);
            // A frame may have been added again after a recovery: its messages are where they were first.
            long from = entry.header() == null
                    ? next
                    : Math.max(next, entry.header().baseOffset());
            DepthRange one = range(entry, from, Math.max(from, ends[i]));
            next = one.toOffset();
            if (!ranges.isEmpty() && continues(ranges.getLast(), one)) {
                ranges.set(ranges.size() - 1, joined(ranges.getLast(), one));
            } else {
                ranges.add(one);
            }
        }
        return List.copyOf(ranges);
    }

    private static long firstOffset(List<EntryDepth> entries) {
        for (EntryDepth entry : entries) {
            if (entry.header() != null) {
                return entry.header().baseOffset();
            }
        }
        return 0;
    }

    /** Where each entry's messages end: its own word, else the next one's beginning, else −1. */
    private static long[] ends(List<EntryDepth> entries, long end) {
        var ends = new long[entries.size()];
        long nextBase = end;
        for (int i = entries.size() - 1; i >= 0; i--) {
            var header = entries.get(i).header();
            ends[i] = header == null ? nextBase : header.endOffset();
            nextBase = header == null ? nextBase : header.baseOffset();
        }
        return ends;
    }

    private static DepthRange range(EntryDepth entry, long from, long to) {
        var lacking = new TreeMap<>(entry.states());
        lacking.values().removeIf(s -> s == CopyState.PRESENT);
        QuorumPolicy policy = Objects.requireNonNull(entry.ledger().policy());
        return new DepthRange(
                from,
                to,
                entry.ledger().ledgerId(),
                entry.entryId(),
                entry.entryId(),
                policy,
                entry.ledger().open(),
                count(entry, CopyState.PRESENT),
                count(entry, CopyState.ABSENT),
                count(entry, CopyState.UNREACHABLE),
                count(entry, CopyState.CORRUPT),
                Collections.unmodifiableMap(lacking));
    }

    private static int count(EntryDepth entry, CopyState state) {
        return Collections.frequency(entry.states().values(), state);
    }

    private static boolean continues(DepthRange a, DepthRange b) {
        return a.ledgerId() == b.ledgerId()
                && a.present() == b.present()
                && a.absent() == b.absent()
                && a.unreachable() == b.unreachable()
                && a.corrupt() == b.corrupt();
    }

    private static DepthRange joined(DepthRange a, DepthRange b) {
        Map<String, CopyState> lacking = new TreeMap<>(a.lacking());
        b.lacking().forEach((bookie, state) -> lacking.merge(bookie, state, (x, y) -> x.compareTo(y) > 0 ? x : y));
        return new DepthRange(
                a.fromOffset(),
                b.toOffset(),
                a.ledgerId(),
                a.firstEntry(),
                b.lastEntry(),
                a.policy(),
                a.open(),
                a.present(),
                a.absent(),
                a.unreachable(),
                a.corrupt(),
                Collections.unmodifiableMap(lacking));
    }
}
