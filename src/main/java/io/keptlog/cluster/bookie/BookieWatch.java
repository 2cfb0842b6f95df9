// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.bookie;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.Waits;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.cluster.BookieSignals;
import io.keptlog.domain.cluster.BookieSignals.Status;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads every bookie's own metrics ({@code /metrics} on its admin port) and BookKeeper's list of under-replicated ledgers every few seconds,
 * in the background, and keeps what they said. Asking it waits for nobody; a bookie that does not answer in time is shown as such and
 * holds up no other. Replies are bounded. Throws nothing.
 */
public final class BookieWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BookieWatch.class);
    private static final Duration ANSWER = Duration.ofSeconds(2);
    private static final int WAIT_MILLIS = 5_000;
    /** Asked at once; the replies of so many are in memory. */
    private static final int AT_ONCE = 8;

    private final LedgerClient client;
    private final Executor executor;
    private final Consumer<String> alsoAsked;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER).build();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Semaphore asked = new Semaphore(AT_ONCE);
    private final Map<String, BookieSignals> signals = new ConcurrentHashMap<>();
    private volatile Map<String, Long> underReplicated = Map.of();
    private @Nullable Thread thread;

    /**
     * @param alsoAsked what else is to be asked of each bookie in the same turn; it may wait
     */
    public BookieWatch(LedgerClient client, Executor executor, Consumer<String> alsoAsked) {
        this.client = client;
        this.executor = executor;
        this.alsoAsked = alsoAsked;
    }

    public void start() {
        thread = Thread.ofPlatform().daemon().name("bookie-watch").start(this::work);
    }

    private void work() {
        do {
            try {
                round();
            } catch (KeptlogException e) {
                LOG.debug("the bookies were not looked at: {}", e.reason());
            } catch (RuntimeException e) {
                LOG.warn("a look at the bookies failed", e);
            }
        } while (!pause());
    }

    private boolean pause() {
        try {
            return stopped.await(Limits.BOOKIES_WATCHED_EVERY_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            // Only the stop ends this thread.
            return stopped.getCount() == 0;
        }
    }

    private void round() {
        client.latencies().nextWindow();
        Set<String> live = client.bookies().live(Deadline.inMillis(WAIT_MILLIS));
        signals.keySet().retainAll(live);
        var all = live.stream()
                .map(bookie -> CompletableFuture.runAsync(() -> ask(bookie), executor))
                .toArray(CompletableFuture[]::new);
        underReplicated = client.bookies().underReplicated(Limits.UNDER_REPLICATED_COUNTED_MAX);
        try {
            // Each answer has its own deadline; this one bounds the queue for them.
            Waits.result(
                    CompletableFuture.allOf(all),
                    Deadline.in(ANSWER.plusSeconds(1).multipliedBy(2L + live.size() / AT_ONCE)));
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("some bookies are still being asked: {}", Waits.unwrap(e).toString());
        }
    }

    private void ask(String bookie) {
        asked.acquireUninterruptibly();
        try {
            signals.put(bookie, read(bookie));
            alsoAsked.accept(bookie);
        } finally {
            asked.release();
        }
    }

    private BookieSignals read(String bookie) {
        try {
            Optional<String> address = client.bookies().adminAddress(bookie, Deadline.in(ANSWER));
            if (address.isEmpty()) {
                return BookieSignals.of(Status.NO_ANSWER);
            }
            var request = HttpRequest.newBuilder(URI.create("http://" + address.get() + "/metrics"))
                    .timeout(ANSWER)
                    .build();
            CompletableFuture<HttpResponse<String>> sent = http.sendAsync(
                    request,
                    BodyHandlers.limiting(
                            BodyHandlers.ofString(StandardCharsets.UTF_8), Limits.BOOKIE_METRICS_MAX_BYTES));
            try {
                HttpResponse<String> reply = Waits.result(sent, Deadline.in(ANSWER));
                return reply.statusCode() == 200
                        ? MetricsText.read(reply.body().lines())
                        : BookieSignals.of(Status.NO_ANSWER);
            } finally {
                // A reply that only trickles in is not waited for either.
                sent.cancel(true);
            }
        } catch (ExecutionException | TimeoutException | IllegalArgumentException e) {
            LOG.debug(
                    "bookie {} does not show its metrics: {}",
                    bookie,
                    Waits.unwrap(e).toString());
            return BookieSignals.of(Status.NO_ANSWER);
        }
    }

    /** What a registered bookie said last. */
    public BookieSignals of(String bookie) {
        return signals.getOrDefault(bookie, BookieSignals.of(Status.UNKNOWN));
    }

    /** Bookie → ledgers that are marked because its copies are missing. */
    public Map<String, Long> underReplicated() {
        return underReplicated;
    }

    @Override
    public void close() {
        stopped.countDown();
        http.shutdownNow();
        if (thread != null) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(2));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
