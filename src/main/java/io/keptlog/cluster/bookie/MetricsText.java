// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.bookie;

import io.keptlog.domain.cluster.BookieSignals;
import io.keptlog.domain.cluster.BookieSignals.Status;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds a bookie's signals (requirements B13) in what its metrics port answers, line by line, in Prometheus' text format. Numbers of several
 * journals are added up, of their sync times the longest counts. What cannot be read is left out. One reply, one thread.
 */
final class MetricsText {
    private static final String STATUS = "bookie_SERVER_STATUS";
    private static final String SYNC = "bookie_journal_JOURNAL_SYNC";
    private static final String FORCE_QUEUE = "bookie_journal_JOURNAL_FORCE_WRITE_QUEUE_SIZE";
    private static final String IN_PROGRESS = "bookkeeper_server_ADD_ENTRY_IN_PROGRESS";
    private static final String UNDER_REPLICATED = "auditor_NUM_UNDER_REPLICATED_LEDGERS";
    private static final String REPLICATION = "replication_";
    private static final Pattern SAMPLE = Pattern.compile("([A-Za-z_:][A-Za-z0-9_:]*)(?:\\{([^}]*)})?\\s+(\\S+).*");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]+)=\"([^\"]*)\"");
    /** Of the quantiles of a distribution, the one that stands for it. */
    private static final String HIGHEST = "1.0";

    private final Map<String, Double> syncMillis = new HashMap<>();
    private @Nullable Double status;
    private @Nullable Double forceQueue;
    private @Nullable Double inProgress;
    private @Nullable Double underReplicated;

    private MetricsText() {}

    static BookieSignals read(Stream<String> lines) {
        var text = new MetricsText();
        lines.filter(line -> !line.startsWith("#")).forEach(text::line);
        return new BookieSignals(
                status(text.status),
                text.syncMillis,
                whole(text.forceQueue),
                whole(text.inProgress),
                whole(text.underReplicated));
    }

    private static Status status(@Nullable Double value) {
        if (value == null) {
            return Status.UNKNOWN;
        }
        return value >= 1 ? Status.UP : value == 0 ? Status.READ_ONLY : Status.DOWN;
    }

    private static @Nullable Long whole(@Nullable Double value) {
        return value == null ? null : Math.round(value);
    }

    private void line(String line) {
        String wanted = line.startsWith(REPLICATION) ? line.substring(REPLICATION.length()) : line;
        if (!wanted.startsWith("bookie_") && !wanted.startsWith("bookkeeper_") && !wanted.startsWith("auditor_")) {
            return;
        }
        Matcher sample = SAMPLE.matcher(wanted);
        if (!sample.matches()) {
            return;
        }
        Double value = number(sample.group(3));
        if (value == null) {
            return;
        }
        Map<String, String> labels = labels(sample.group(2));
        switch (sample.group(1)) {
            case STATUS -> status = value;
            case FORCE_QUEUE -> forceQueue = value + (forceQueue == null ? 0 : forceQueue);
            case IN_PROGRESS -> inProgress = value + (inProgress == null ? 0 : inProgress);
            case SYNC -> sync(labels, value);
            case UNDER_REPLICATED -> {
                if (labels.getOrDefault("quantile", HIGHEST).equals(HIGHEST)
                        && !labels.getOrDefault("success", "true").equals("false")) {
                    underReplicated = value;
                }
            }
            default -> {}
        }
    }

    private void sync(Map<String, String> labels, double value) {
        String quantile = labels.get("quantile");
        if (quantile != null && !labels.getOrDefault("success", "true").equals("false")) {
            syncMillis.merge(quantile, value, Math::max);
        }
    }

    private static @Nullable Double number(String text) {
        try {
            double value = Double.parseDouble(text);
            return Double.isFinite(value) ? value : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static Map<String, String> labels(@Nullable String text) {
        var labels = new HashMap<String, String>();
        if (text != null) {
            LABEL.matcher(text).results().forEach(l -> labels.put(l.group(1), l.group(2)));
        }
        return labels;
    }
}
