// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Some histories in each build: some that are always the same, and some that nobody has seen. */
class HistoryTest {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("io.keptlog");

    private final LongFunction<String> runner = Histories.runner();

    @BeforeEach
    void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void loud() {
        LOG.setLevel(null);
    }

    private void run(long first, int count) {
        System.out.println("histories from the seed " + first + " on, " + count);
        List<String> failures = new ArrayList<>();
        for (long seed = first; seed < first + count && failures.size() < 3; seed++) {
            String outcome = runner.apply(seed);
            if (!outcome.startsWith(HistoryRunner.KEPT)) {
                failures.add(outcome);
            }
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void whatAnyHistoryPromisedIsKept() {
        run(1, 800);
    }

    /**
     * A start on a disk that is full, with a directory that nothing names; stops and barriers while syncs gather; a snapshot of producers
     * that ends where a deleted segment ended; a stop while a partition is purged; memory that runs short only in the life after the one
     * whose sync failed, while it starts; a purge whose catalog could not be begun anew by the next start.
     */
    @Test
    void whatOnceWasBrokenIsKept() {
        for (long seed : new long[] {
            20144649088778L,
            20144649087106L,
            20144649090839L,
            22346L,
            21012109752278L,
            30000103L,
            30009987L,
            30019588L,
            60001836L,
            50006727L,
            50028211L,
            50030435L,
            50035787L
        }) {
            run(seed, 1);
        }
    }

    @Test
    void theSameSeedIsTheSameHistory() {
        for (long seed = 1; seed <= 30; seed++) {
            assertThat(runner.apply(seed)).isEqualTo(runner.apply(seed));
        }
    }

    /** The same ones each time, so that a build says something about the change it builds; new ones are tried by bench/histories.sh. */
    @Tag("long")
    @Test
    void whatVeryManyHistoriesPromisedIsKept() {
        run(1_000_000, 3_000);
    }
}
