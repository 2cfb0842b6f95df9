// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void atARateTheRowOfDueTimesIsEvenWhateverBecameOfTheRequestsBefore() throws InterruptedException {
        long begin = System.nanoTime() - Duration.ofSeconds(30).toNanos();
        var pace = new Pace(begin, 1000, 0, MINUTE);
        for (int i = 0; i < 100; i++) {
            assertThat(pace.await()).as("the server stalled, the row did not").isEqualTo(begin + i * 1_000_000L);
        }
    }

    @Test
    void aRequestIsNotSentBeforeItIsDue() throws InterruptedException {
        long begin = System.nanoTime();
        var pace = new Pace(begin, 20, 0, MINUTE);
        pace.await();
        assertThat(pace.await()).isEqualTo(begin + 50_000_000L);
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(50_000_000L);
    }

    @Test
    void withoutARateARequestIsDueWhenItIsAskedFor() throws InterruptedException {
        long begin = System.nanoTime();
        long due = new Pace(begin, 0, 0, MINUTE).await();
        assertThat(due).isBetween(begin, System.nanoTime());
    }

    @Test
    void itEndsWithTheTimeOrTheCountWhicheverComesFirst() throws InterruptedException {
        long past = System.nanoTime() - Duration.ofSeconds(2).toNanos();
        assertThat(new Pace(past, 0, 0, Duration.ofSeconds(1)).await()).isEqualTo(Pace.OVER);
        var two = new Pace(System.nanoTime(), 0, 2, Duration.ZERO);
        assertThat(two.await()).isNotEqualTo(Pace.OVER);
        assertThat(two.await()).isNotEqualTo(Pace.OVER);
        assertThat(two.await()).isEqualTo(Pace.OVER);
        var short10 = new Pace(past, 10, 0, Duration.ofMillis(150));
        assertThat(short10.await()).isEqualTo(past);
        assertThat(short10.await()).isEqualTo(past + 100_000_000L);
        assertThat(short10.await()).isEqualTo(Pace.OVER);
    }
}
