// SPDX-License-Identifier: Apache-2.0
package io.keptlog.metrics;

import io.keptlog.domain.Limits;
import io.keptlog.domain.cluster.BookieSignals.Status;
import io.keptlog.domain.cluster.BookieView;
import io.keptlog.domain.cluster.DepthCounts;
import io.keptlog.domain.cluster.StreamDepth;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gauges of a cluster: copies by stream, and bookies; ours and, of what bookies say of themselves, under the names that BookKeeper gives it.
 * Shows what it was told last. One thread tells.
 */
public final class ClusterMeters {
    private static final double MILLIS_PER_SECOND = 1000;

    private final MeterRegistry registry;
    private final Map<String, MultiGauge> gauges = new LinkedHashMap<>();
    private volatile long underReplicated;

    public ClusterMeters(MeterRegistry registry) {
        this.registry = registry;
        Gauge.builder(MeterNames.UNDER_REPLICATED, () -> underReplicated)
                .description("Ledgers' copies that BookKeeper has marked as missing, over all bookies")
                .register(registry);
        Gauge.builder(MeterNames.BOOKKEEPER_UNDER_REPLICATED, () -> underReplicated)
                .description("The same, under BookKeeper's name")
                .register(registry);
    }

    /** Bytes of entries that some bookie still has to answer: writes are refused when the budget is used up. */
    public void watchPending(LongSupplier bytes) {
        Gauge.builder(MeterNames.PENDING, bytes::getAsLong)
                .baseUnit("bytes")
                .description("Entries that some bookie still has to answer, of this broker's budget")
                .register(registry);
    }

    private void show(String name, String unit, String description, List<Row<?>> rows) {
        gauges.computeIfAbsent(name, n -> {
                    MultiGauge.Builder builder = MultiGauge.builder(n).description(description);
                    return (unit.isEmpty() ? builder : builder.baseUnit(unit)).register(registry);
                })
                .register(rows, true);
    }

    /** From now on these, of the partitions that this broker owns; the first {@link Limits#AT_RISK_GAUGES_MAX} streams. */
    public void showStreams(Collection<StreamDepth> streams) {
        List<StreamDepth> shown = streams.stream()
                .sorted(Comparator.comparingInt(StreamDepth::streamId))
                .limit(Limits.AT_RISK_GAUGES_MAX)
                .toList();
        stream(
                shown,
                MeterNames.BELOW_WRITE_QUORUM,
                "Messages with fewer than Qw copies",
                DepthCounts::belowWriteQuorum);
        stream(shown, MeterNames.AT_ACK_QUORUM, "Messages with Qa copies, fewer than Qw", DepthCounts::atAckQuorum);
        stream(
                shown,
                MeterNames.BELOW_ACK_QUORUM,
                "Messages with fewer than Qa proven copies",
                DepthCounts::belowAckQuorum);
        stream(shown, MeterNames.LOST, "Messages that no bookie has a good copy of", DepthCounts::lost);
        show(
                MeterNames.UNAUDITED,
                "",
                "Messages whose copies were not looked at yet",
                rows(shown, s -> tags(s.streamId()), s -> s.unaudited()));
    }

    private void stream(List<StreamDepth> streams, String name, String description, ToLongFunction<DepthCounts> value) {
        show(name, "", description, rows(streams, s -> tags(s.streamId()), s -> value.applyAsLong(s.counts())));
    }

    private static Tags tags(int streamId) {
        return Tags.of(MeterNames.TAG_STREAM, Integer.toString(streamId));
    }

    private static Tags tags(BookieView bookie) {
        return Tags.of(MeterNames.TAG_BOOKIE, bookie.id());
    }

    private interface Tagged<T> {
        Tags of(T one);
    }

    private static <T> List<Row<?>> rows(Collection<T> of, Tagged<T> tags, ToDoubleFunction<T> value) {
        List<Row<?>> rows = new ArrayList<>(of.size());
        of.forEach(one -> rows.add(Row.of(tags.of(one), value.applyAsDouble(one))));
        return rows;
    }

    /** From now on these. */
    public void showBookies(Collection<BookieView> bookies) {
        List<BookieView> shown = bookies.stream()
                .sorted(Comparator.comparing(BookieView::id))
                .limit(Limits.AT_RISK_GAUGES_MAX)
                .toList();
        underReplicated =
                shown.stream().mapToLong(BookieView::underReplicatedLedgers).sum();
        bookie(shown, MeterNames.BOOKIE_UP, "", "1: takes entries, 0: only reads, -1: neither", ClusterMeters::status);
        bookie(shown, MeterNames.BOOKIE_ANSWERS, "", "Whether its metrics could be read", b -> answers(b) ? 1 : 0);
        bookie(
                shown,
                MeterNames.BOOKIE_FORCE_QUEUE,
                "",
                "Groups that wait for a sync of its journal",
                b -> number(b.signals().forceWriteQueue()));
        bookie(
                shown,
                MeterNames.BOOKIE_ADDS,
                "",
                "Entries that it works on",
                b -> number(b.signals().addsInProgress()));
        bookie(
                shown,
                MeterNames.BOOKIE_ADD_TIME,
                MeterNames.UNIT_SECONDS,
                "Mean time from sending it an entry to its answer, from this broker",
                b -> b.addMillis() == null ? Double.NaN : b.addMillis() / MILLIS_PER_SECOND);
        bookie(
                shown,
                MeterNames.BOOKIE_UNDER_REPLICATED,
                "",
                "Ledgers marked because copies on it are missing",
                BookieView::underReplicatedLedgers);
        show(
                MeterNames.BOOKIE_JOURNAL_SYNC,
                MeterNames.UNIT_SECONDS,
                "Syncs of its journal",
                syncs(shown, Tags.empty(), MILLIS_PER_SECOND));
        show(MeterNames.BOOKIE_DECIDES, "", "1: the stream's acknowledgements wait for it", deciding(shown));
        underBookKeepersNames(shown);
    }

    private void underBookKeepersNames(List<BookieView> shown) {
        bookie(shown, MeterNames.BOOKKEEPER_STATUS, "", "As the bookie names it", ClusterMeters::status);
        bookie(
                shown,
                MeterNames.BOOKKEEPER_FORCE_QUEUE,
                "",
                "As the bookie names it",
                b -> number(b.signals().forceWriteQueue()));
        bookie(
                shown,
                MeterNames.BOOKKEEPER_ADDS,
                "",
                "As the bookie names it",
                b -> number(b.signals().addsInProgress()));
        show(
                MeterNames.BOOKKEEPER_JOURNAL_SYNC,
                "",
                "As the bookie names it, in milliseconds",
                syncs(shown, Tags.of("success", "true"), 1));
    }

    private void bookie(
            List<BookieView> bookies,
            String name,
            String unit,
            String description,
            ToDoubleFunction<BookieView> value) {
        show(name, unit, description, rows(bookies, ClusterMeters::tags, value));
    }

    private static List<Row<?>> syncs(List<BookieView> bookies, Tags more, double divisor) {
        List<Row<?>> rows = new ArrayList<>();
        for (BookieView bookie : bookies) {
            bookie.signals()
                    .journalSyncMillis()
                    .forEach((quantile, millis) ->
                            rows.add(Row.of(tags(bookie).and(more).and("quantile", quantile), millis / divisor)));
        }
        return rows;
    }

    private static List<Row<?>> deciding(List<BookieView> bookies) {
        List<Row<?>> rows = new ArrayList<>();
        for (BookieView bookie : bookies) {
            for (int stream : bookie.decidesFor()) {
                if (rows.size() < Limits.AT_RISK_GAUGES_MAX) {
                    rows.add(Row.of(tags(bookie).and(tags(stream)), 1));
                }
            }
        }
        return rows;
    }

    private static double status(BookieView bookie) {
        return switch (bookie.signals().status()) {
            case UP -> 1;
            case READ_ONLY -> 0;
            case DOWN, AWAY -> -1;
            case NO_ANSWER, UNKNOWN -> Double.NaN;
        };
    }

    private static boolean answers(BookieView bookie) {
        Status status = bookie.signals().status();
        return status != Status.NO_ANSWER && status != Status.AWAY && status != Status.UNKNOWN;
    }

    private static double number(@Nullable Long value) {
        return value == null ? Double.NaN : value;
    }
}
