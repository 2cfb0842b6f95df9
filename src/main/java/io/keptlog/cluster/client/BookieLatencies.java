// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.client;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.bookkeeper.client.BookKeeperClientStats;
import org.apache.bookkeeper.stats.NullStatsLogger;
import org.apache.bookkeeper.stats.OpStatsLogger;
import org.apache.bookkeeper.stats.StatsLogger;

/**
 * How long each bookie takes to answer an add, as the BookKeeper client counts it: from sending to the answer, or to giving up. Everything
 * else that the client would count is dropped. Thread-safe; two additions per add and bookie.
 */
public final class BookieLatencies extends NullStatsLogger {
    private final Map<String, Adds> byBookie = new ConcurrentHashMap<>();

    private static final class Adds {
        final LongAdder nanos = new LongAdder();
        final LongAdder count = new LongAdder();
        volatile OptionalDouble meanMillis = OptionalDouble.empty();
    }

    /** Begins a new window: the means are those of the adds since the last call; a bookie without adds keeps none. */
    public void nextWindow() {
        byBookie.values().forEach(adds -> {
            long nanos = adds.nanos.sumThenReset();
            long count = adds.count.sumThenReset();
            adds.meanMillis = count == 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of((double) nanos / count / TimeUnit.MILLISECONDS.toNanos(1));
        });
    }

    /** Mean of the last window, in milliseconds; empty without adds. */
    public OptionalDouble meanMillis(String bookie) {
        return Optional.ofNullable(byBookie.get(bookie)).map(a -> a.meanMillis).orElse(OptionalDouble.empty());
    }

    @Override
    public StatsLogger scope(String name) {
        return this;
    }

    @Override
    public StatsLogger scopeLabel(String label, String value) {
        return label.equals(BookKeeperClientStats.BOOKIE_LABEL) ? new OfBookie(value) : this;
    }

    /** What is counted of one bookie. */
    private final class OfBookie extends NullStatsLogger {
        private final String bookie;

        OfBookie(String bookie) {
            this.bookie = bookie;
        }

        @Override
        public StatsLogger scope(String name) {
            return this;
        }

        @Override
        public OpStatsLogger getOpStatsLogger(String name) {
            return name.equals(BookKeeperClientStats.CHANNEL_ADD_OP)
                    ? new AddLogger(byBookie.computeIfAbsent(bookie, b -> new Adds()), super.getOpStatsLogger(name))
                    : super.getOpStatsLogger(name);
        }
    }

    private record AddLogger(Adds adds, OpStatsLogger none) implements OpStatsLogger {
        private void add(long time, TimeUnit unit) {
            adds.nanos.add(unit.toNanos(time));
            adds.count.increment();
        }

        @Override
        public void registerFailedEvent(long time, TimeUnit unit) {
            add(time, unit);
        }

        @Override
        public void registerSuccessfulEvent(long time, TimeUnit unit) {
            add(time, unit);
        }

        @Override
        public void registerSuccessfulValue(long value) {}

        @Override
        public void registerFailedValue(long value) {}

        @Override
        public org.apache.bookkeeper.stats.OpStatsData toOpStatsData() {
            return none.toOpStatsData();
        }

        @Override
        public void clear() {}
    }
}
