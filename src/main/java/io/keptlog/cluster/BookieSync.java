// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.SyncCheck;
import io.keptlog.cluster.client.Waits;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Limits;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks each bookie's admin port ({@code /api/v1/config/server_config}) whether it syncs its journal before it answers. A bookie that does not say is
 * unknown, not trusted. Answers are kept for a while; the first question about a bookie waits for its answer. Thread-safe.
 */
final class BookieSync implements SyncCheck, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BookieSync.class);
    private static final Duration ANSWER = Duration.ofSeconds(2);
    private static final long KNOWN_FRESH_NANOS = Duration.ofSeconds(60).toNanos();
    private static final long UNKNOWN_FRESH_NANOS = Duration.ofSeconds(5).toNanos();
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final LedgerClient client;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER).build();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    private record Answer(Verdict verdict, long atNanos) {
        boolean fresh() {
            return System.nanoTime() - atNanos < (verdict == Verdict.UNKNOWN ? UNKNOWN_FRESH_NANOS : KNOWN_FRESH_NANOS);
        }
    }

    BookieSync(LedgerClient client) {
        this.client = client;
    }

    @Override
    public Verdict verdict(String bookie) {
        Answer known = answers.get(bookie);
        if (known != null && known.fresh()) {
            return known.verdict();
        }
        // One question at a time per bookie; the others wait for its answer.
        return answers.compute(
                        bookie,
                        (b, other) ->
                                other != null && other.fresh() ? other : new Answer(ask(b, other), System.nanoTime()))
                .verdict();
    }

    /** What is known without asking; empty when it was not asked yet. */
    Optional<Verdict> known(String bookie) {
        return Optional.ofNullable(answers.get(bookie)).map(Answer::verdict);
    }

    private Verdict ask(String bookie, @org.jspecify.annotations.Nullable Answer before) {
        try {
            Optional<String> address = client.bookies().adminAddress(bookie, Deadline.in(ANSWER));
            if (address.isEmpty()) {
                return Verdict.UNKNOWN;
            }
            var request = HttpRequest.newBuilder(URI.create("http://" + address.get() + "/api/v1/config/server_config"))
                    .timeout(ANSWER)
                    .build();
            HttpResponse<String> reply = Waits.result(
                    http.sendAsync(
                            request,
                            HttpResponse.BodyHandlers.limiting(
                                    HttpResponse.BodyHandlers.ofString(), Limits.BOOKIE_METRICS_MAX_BYTES)),
                    Deadline.in(ANSWER.plusSeconds(1)));
            return reply.statusCode() == 200 ? verdict(JSON.readTree(reply.body())) : Verdict.UNKNOWN;
        } catch (ExecutionException | TimeoutException | JacksonException e) {
            LOG.debug(
                    "bookie {} does not say how it syncs: {}",
                    bookie,
                    Waits.unwrap(e).toString());
            // A configuration changes only with a restart: a bookie that is slow to answer is what it was.
            return before == null ? Verdict.UNKNOWN : before.verdict();
        }
    }

    /** Both are true unless the configuration says otherwise (BookKeeper server configuration). */
    private static Verdict verdict(JsonNode configuration) {
        boolean syncs = !configuration.path("journalSyncData").asString("true").equalsIgnoreCase("false");
        boolean writes =
                !configuration.path("journalWriteData").asString("true").equalsIgnoreCase("false");
        return syncs && writes ? Verdict.SYNCED : Verdict.NOT_SYNCED;
    }

    @Override
    public void close() {
        http.close();
    }
}
