// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any index leads to a place at or before what is looked for, and near it. */
class SparseIndexTest {
    private record Frame(long base, long position, long time) {}

    private static List<Frame> frames(Random random, long base) {
        var frames = new ArrayList<Frame>();
        long offset = base;
        long position = 4096;
        long time = 1000;
        for (int i = 0; i < 500; i++) {
            frames.add(new Frame(offset, position, time));
            offset += 1 + random.nextInt(20);
            position += 8L * (20 + random.nextInt(random.nextInt(10) == 0 ? 4000 : 100));
            time += random.nextInt(3);
        }
        return frames;
    }

    private static SparseIndex index(List<Frame> frames, long base) {
        var index = new SparseIndex(base);
        frames.forEach(f -> index.note(f.base, f.position, f.time));
        return index;
    }

    private static void answers(SparseIndex index, List<Frame> frames) throws IOException {
        for (int i = 0; i < frames.size(); i++) {
            Frame frame = frames.get(i);
            long floor = index.floorPosition(frame.base);
            assertThat(floor).isLessThanOrEqualTo(frame.position);
            assertThat(frame.position - floor).isLessThan(SparseIndex.INTERVAL_BYTES + 40_000L);
            long from = index.positionBefore(frame.time);
            Frame firstAtOrAfter = frames.stream()
                    .filter(f -> f.time >= frame.time)
                    .findFirst()
                    .orElseThrow();
            assertThat(from).isLessThanOrEqualTo(firstAtOrAfter.position);
        }
        assertThat(index.floorPosition(frames.getFirst().base)).isEqualTo(4096);
        assertThat(index.positionBefore(0)).isEqualTo(4096);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void leadsToEachFrame(long seed) throws IOException {
        List<Frame> frames = frames(new Random(seed), seed * 1_000_000_000_000L);
        answers(index(frames, seed * 1_000_000_000_000L), frames);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void fetchesItsHeadOnceAndOnlyWhenItIsNeeded(long seed) throws IOException {
        List<Frame> frames = frames(new Random(seed), 7);
        Frame middle = frames.get(200);
        var fetched = new AtomicInteger();
        var index = new SparseIndex(7, middle.position, () -> {
            fetched.incrementAndGet();
            return index(frames, 7); // More than asked for: the rest is ignored.
        });
        frames.subList(200, frames.size()).forEach(f -> index.note(f.base, f.position, f.time));
        assertThat(index.floorPosition(frames.getLast().base)).isGreaterThan(middle.position);
        assertThat(fetched).hasValue(0);
        answers(index, frames);
        assertThat(fetched).hasValue(1);
    }

    @Test
    void asksAgainWhenTheHeadCouldNotBeRead() throws IOException {
        List<Frame> frames = frames(new Random(1), 0);
        var calls = new AtomicInteger();
        var index = new SparseIndex(0, 1 << 20, () -> {
            if (calls.getAndIncrement() == 0) {
                throw new IOException("EIO");
            }
            return index(frames, 0);
        });
        assertThatThrownBy(() -> index.floorPosition(5)).isInstanceOf(IOException.class);
        assertThat(index.floorPosition(0)).isEqualTo(4096);
    }

    @Test
    void readersSeeOnlyWholeEntriesWhileTheWriterGoesOn() throws Exception {
        var index = new SparseIndex(0);
        var failure = new AtomicReference<Throwable>();
        var done = new CountDownLatch(1);
        int last = 200_000;
        Thread reader = Thread.ofPlatform().start(() -> {
            var random = new Random(1);
            try {
                while (done.getCount() > 0) {
                    long offset = random.nextInt(last);
                    long position = index.floorPosition(offset);
                    // Frame n lies at 4096 + 8192 n.
                    if (position % 8192 != 4096 || (position - 4096) / 8192 > offset) {
                        throw new AssertionError("offset " + offset + " at " + position);
                    }
                }
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        for (int i = 0; i < last; i++) {
            index.note(i, 4096 + 8192L * i, i);
        }
        done.countDown();
        reader.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(reader.isAlive()).isFalse();
        assertThat(failure.get()).isNull();
        assertThat(index.entries()).isEqualTo(last);
    }
}
