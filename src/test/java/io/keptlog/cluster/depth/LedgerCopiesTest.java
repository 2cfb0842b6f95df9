// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.depth;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.cluster.client.LedgerView;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.cluster.CopyState;
import io.keptlog.domain.cluster.DepthCounts;
import io.keptlog.domain.cluster.DepthRange;
import io.keptlog.domain.cluster.DepthReport;
import io.keptlog.domain.cluster.EntryPlace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What was found whole is not asked for again without a reason: an audit reads every copy. */
class LedgerCopiesTest {
    private static final QuorumPolicy POLICY = new QuorumPolicy(2, 2, 1);
    private static final Set<String> ALL = Set.of("a", "b");
    private static final long ENTRIES = 10;

    private final LedgerCopies copies = new LedgerCopies();
    private final List<Long> asked = new ArrayList<>();
    /** Entries from here on are absent on the second bookie. */
    private long holesFrom = ENTRIES;

    private static LedgerView view(long entries, boolean open) {
        return new LedgerView(7, POLICY, entries, open, Map.of(0L, List.of("a", "b")));
    }

    /** Four entries at once, one message each. */
    private DepthReport look(EntryPlace from, long entries) {
        asked.add(from.entryId());
        long end = Math.min(entries, from.entryId() + 4);
        var ranges = new ArrayList<DepthRange>();
        for (long e = from.entryId(); e < end; e++) {
            boolean hole = e >= holesFrom;
            ranges.add(new DepthRange(
                    e,
                    e + 1,
                    7,
                    e,
                    e,
                    POLICY,
                    false,
                    hole ? 1 : 2,
                    hole ? 1 : 0,
                    0,
                    0,
                    hole ? Map.of("b", CopyState.ABSENT) : Map.of()));
        }
        return new DepthReport(end - from.entryId(), ranges, null);
    }

    private boolean look(long entries, boolean open, Deadline turn) {
        return copies.look(view(entries, open), from -> look(from, entries), turn);
    }

    private boolean look(long entries, boolean open) {
        return look(entries, open, Deadline.in(Duration.ofMinutes(1)));
    }

    @Test
    void aClosedLedgerThatWasWholeIsAskedForAgainOnlyWhileABookieIsAway() {
        copies.bookiesNow(ALL);
        assertThat(copies.due(ENTRIES, false)).isTrue();
        assertThat(look(ENTRIES, false)).isTrue();
        assertThat(asked).containsExactly(0L, 4L, 8L);
        assertThat(copies.counts()).isEqualTo(DepthCounts.full(10));
        copies.bookiesNow(ALL);
        assertThat(copies.due(ENTRIES, false)).isFalse();

        copies.bookiesNow(Set.of("a"));
        assertThat(copies.due(ENTRIES, false)).as("a bookie is away").isTrue();
        copies.bookiesNow(ALL);
        assertThat(copies.due(ENTRIES, false))
                .as("and is back before it was looked at")
                .isFalse();
        assertThat(copies.counts()).isEqualTo(DepthCounts.full(10));
    }

    @Test
    void anOpenLedgerIsAskedForWhatIsNewAndOnceMoreWhenItHasEnded() {
        copies.bookiesNow(ALL);
        assertThat(look(4, true)).isTrue();
        assertThat(copies.due(4, true)).isFalse();
        assertThat(copies.due(6, true)).isTrue();
        assertThat(look(6, true)).isTrue();
        assertThat(asked).containsExactly(0L, 4L);
        assertThat(copies.due(6, false)).as("it has ended").isTrue();
        assertThat(look(6, false)).isTrue();
        assertThat(asked).hasSize(2);
        assertThat(copies.due(6, false)).isFalse();
        assertThat(copies.counts()).isEqualTo(DepthCounts.full(6));
    }

    @Test
    void aHoleIsCountedWaitedWithAndLookedAtAgainFromWhereItBeginsOrAtOnceWhenBookiesChange() {
        holesFrom = 6;
        copies.bookiesNow(ALL);
        look(ENTRIES, false);
        assertThat(copies.counts()).isEqualTo(new DepthCounts(10, 4, 4, 0, 0));
        assertThat(copies.bad()).hasSize(4);
        assertThat(copies.due(ENTRIES, false)).as("not again at once").isFalse();
        copies.bookiesNow(Set.of("a", "b", "c"));
        assertThat(copies.due(ENTRIES, false))
                .as("a bookie that has nothing of it")
                .isFalse();

        copies.bookiesNow(Set.of("a"));
        assertThat(copies.due(ENTRIES, false)).isTrue();
        asked.clear();
        look(ENTRIES, false);
        assertThat(asked).as("what was full may not be any more").startsWith(0L);
        copies.bookiesNow(ALL);
        assertThat(copies.due(ENTRIES, false)).isTrue();
        holesFrom = ENTRIES;
        asked.clear();
        look(ENTRIES, false);
        assertThat(asked).as("full as far as it was").startsWith(6L);
        assertThat(copies.counts()).isEqualTo(DepthCounts.full(10));
        assertThat(copies.bad()).isEmpty();
    }

    @Test
    void aLookGoesOnOverSeveralTurnsAndWhatWasMissingStaysTillItsEnd() {
        holesFrom = 1;
        copies.bookiesNow(ALL);
        look(ENTRIES, false);
        assertThat(copies.counts().belowWriteQuorum()).isEqualTo(9);
        holesFrom = ENTRIES;
        copies.bookiesNow(Set.of("a"));
        copies.bookiesNow(ALL);
        assertThat(look(ENTRIES, false, Deadline.inMillis(0))).isFalse();
        assertThat(copies.due(ENTRIES, false)).isTrue();
        assertThat(copies.counts().belowWriteQuorum())
                .as("half a look says nothing yet")
                .isEqualTo(9);
        assertThat(look(ENTRIES, false)).isTrue();
        assertThat(copies.counts()).isEqualTo(DepthCounts.full(10));
    }

    @Test
    void aBookieIsGoneWhenItWasAwayForLongEnoughAndNotWhenItIsBack() {
        var never = new AwayBookies(Duration.ofMinutes(1));
        never.now(ALL);
        assertThat(never.gone("a")).isFalse();
        never.now(Set.of("b"));
        assertThat(never.gone("a")).as("a rolling restart copies nothing").isFalse();
        var atOnce = new AwayBookies(Duration.ZERO);
        atOnce.now(Set.of("b"));
        assertThat(atOnce.gone("a")).isTrue();
        atOnce.now(ALL);
        assertThat(atOnce.gone("a")).isFalse();
    }
}
