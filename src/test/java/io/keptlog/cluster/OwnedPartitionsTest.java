// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.cluster.ledger.LedgerFixture;
import io.keptlog.cluster.ledger.LedgerLog;
import io.keptlog.domain.Durability;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnedPartitionsTest {
    private static final String NAME = "a partition";

    @TempDir
    Path directory;

    private final OwnedPartitions owned = new OwnedPartitions();
    private final ArrayList<Runnable> later = new ArrayList<>();

    private static Owned held(LedgerLog log) {
        return new Owned(log.spec(), log, () -> {
            throw new AssertionError("no offsets are asked for");
        });
    }

    private void assertLeaving() {
        CompletableFuture<Owned> now = owned.get(NAME);
        assertThat(now).isNotNull();
        assertThatThrownBy(now::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(KeptlogException.class)
                .hasMessageContaining("Another broker");
        assertThat(owned.putIfAbsent(NAME, new CompletableFuture<>()))
                .as("nobody takes it before it has left")
                .isSameAs(now);
        assertThat(owned.open()).isEmpty();
    }

    @Test
    void nobodyTakesAPartitionBeforeItHasLeft() throws Exception {
        withLog(log -> {
            Owned held = held(log);
            owned.putIfAbsent(NAME, CompletableFuture.completedFuture(held));
            var done = new ArrayList<String>();
            owned.leave(NAME, held, () -> done.add("lock given up"), later::add);
            assertLeaving();
            owned.leave(NAME, held, () -> done.add("a second time"), later::add);
            assertThat(later).hasSize(1);
            later.removeFirst().run();
            assertThat(done).containsExactly("lock given up");
            assertThat(owned.holds(NAME)).isFalse();
        });
    }

    @Test
    void whatIsBeingOpenedWhenASessionEndsIsClosedAndNeverServed() throws Exception {
        withLog(log -> {
            var opening = new CompletableFuture<Owned>();
            owned.putIfAbsent(NAME, opening);
            owned.leaveAll(later::add);
            assertLeaving();
            opening.complete(held(log));
            assertLeaving();
            later.removeFirst().run();
            assertThat(owned.holds(NAME)).isFalse();
            assertThatThrownBy(() -> LedgerFixture.append(log, "refused"))
                    .isInstanceOf(KeptlogException.class)
                    .hasMessageContaining("closed on this broker");
        });
    }

    /** With a log. */
    private interface Body {
        void accept(LedgerLog log);
    }

    private void withLog(Body body) throws Exception {
        try (var cluster = new LocalCluster(directory, 1);
                var broker = new LedgerFixture(cluster)) {
            PartitionSpec spec = LedgerFixture.newSpec(Durability.REPLICATED);
            try (LedgerLog log = broker.create(spec, new QuorumPolicy(1, 1, 1))) {
                body.accept(log);
            }
        }
    }
}
