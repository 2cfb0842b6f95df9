// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.Limits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BufferPoolTest {
    private static final int LARGEST = 4 << 20;

    private final BufferPool pool = new BufferPool();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16_384, 16_385, 24_576, 24_577, 32_768, 366_014, 393_216, 393_217, LARGEST, LARGEST + 1})
    void anArrayIsAsLongAsItWasSaidToBeAndNoMoreThanAHalfTooLong(int length) {
        byte[] taken = pool.take(length);
        assertThat(taken).hasSize((int) BufferPool.lengthFor(length)).hasSizeGreaterThanOrEqualTo(length);
        if (length > 16_384) {
            assertThat(taken.length).isLessThanOrEqualTo(length + length / 2);
        }
    }

    @Test
    void whatIsGivenBackIsTakenAgain() {
        byte[] first = pool.take(20_000);
        pool.give(first);
        assertThat(pool.take(17_000)).isSameAs(first);
        assertThat(pool.take(17_000)).isNotSameAs(first);
    }

    @Test
    void aClassKeepsNoMoreThanItsBytesAndAlwaysOne() {
        var small = new BufferPool(100_000);
        assertThat(kept(small, 24_000)).isEqualTo(100_000 / 24_576);
        assertThat(kept(small, 200_000)).isEqualTo(1);
        assertThat(kept(pool, 1_000)).isEqualTo(Limits.POOLED_BUFFERS_PER_CLASS);
        assertThat(kept(pool, LARGEST)).isEqualTo(Limits.POOLED_CLASS_BYTES / LARGEST);
    }

    private static int kept(BufferPool of, int length) {
        List<byte[]> given = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            given.add(of.take(length));
        }
        given.forEach(of::give);
        int again = 0;
        for (int i = 0; i < 100; i++) {
            byte[] taken = of.take(length);
            again += given.stream().anyMatch(one -> one == taken) ? 1 : 0;
        }
        return again;
    }

    @Test
    void whatIsNoSizeOfThePoolIsLeftToTheCollector() {
        byte[] odd = new byte[20_000];
        pool.give(odd);
        assertThat(pool.take(20_000)).isNotSameAs(odd);
    }
}
