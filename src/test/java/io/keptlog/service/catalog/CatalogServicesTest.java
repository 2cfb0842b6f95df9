// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.catalog;

import static io.keptlog.service.ServiceFixture.batch;
import static io.keptlog.service.ServiceFixture.id;
import static io.keptlog.service.ServiceFixture.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.domain.message.Partitioning;
import io.keptlog.service.Refusal;
import io.keptlog.service.ServiceFixture;
import io.keptlog.storage.PartitionLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogServicesTest {
    private final ServiceFixture server = new ServiceFixture();

    @Test
    void idsBeginAtZeroAndAreNeverUsedAgain() {
        assertThat(server.streams.create("a", Map.of()).entry().id()).isZero();
        assertThat(server.streams.create("b", Map.of()).entry().id()).isEqualTo(1);
        server.streams.delete(new Identifier.Name("b"));
        assertThat(server.streams.create("b", Map.of()).entry().id()).isEqualTo(2);
    }

    @Test
    void aNameIsTakenOncePerKindAndPlace() {
        server.streams.create("a", Map.of());
        server.streams.create("b", Map.of());
        KeptlogException refusal =
                Refusal.expect(ErrorCode.STREAM_NAME_ALREADY_EXISTS, () -> server.streams.create("a", Map.of()));
        assertThat(refusal.field()).isEqualTo("name");
        assertThat(refusal.reason()).contains("\"a\"");
        Refusal.expect(ErrorCode.STREAM_NAME_ALREADY_EXISTS, () -> server.streams.update(id(1), "a", Map.of()));
        server.streams.update(id(1), "b", Map.of());
        server.topics.create(id(0), "t", 1, settings(Map.of()));
        server.topics.create(id(1), "t", 1, settings(Map.of()));
        Refusal.expect(
                ErrorCode.TOPIC_NAME_ALREADY_EXISTS, () -> server.topics.create(id(0), "t", 1, settings(Map.of())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tab\there", "nul\0", "\u0085", "\ud800"})
    void badNamesAreRefused(String name) {
        Refusal.expect(ErrorCode.INVALID_STREAM_NAME, () -> server.streams.create(name, Map.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "a/b", "%2F", ";x", " trailing ", "7", "\u00e9", "e\u0301", "\ud83d\ude00"})
    void namesAreAnyUnicodeAndReachableUnchanged(String name) {
        server.streams.create(name, Map.of());
        assertThat(server.streams.get(new Identifier.Name(name)).entry().name()).isEqualTo(name);
    }

    @Test
    void namesEndAt255Bytes() {
        server.streams.create("é".repeat(127), Map.of());
        Refusal.expect(ErrorCode.INVALID_STREAM_NAME, () -> server.streams.create("é".repeat(128), Map.of()));
    }

    @Test
    void optionsOfAClusterAreRefusedOnOneNodeWithTheReason() {
        KeptlogException refusal = Refusal.expect(
                ErrorCode.UNSUPPORTED_OPTION_KEY, () -> server.streams.create("a", Map.of("ack_quorum", "2")));
        assertThat(refusal.reason()).contains("ack_quorum").contains("keptlog.cluster.metadata-uri");
        assertThat(server.streams.list()).isEmpty();
    }

    @Test
    void absentThingsAreNamedInChangesAndPlainInReads() {
        assertThat(Refusal.expect(ErrorCode.STREAM_ID_NOT_FOUND, () -> server.streams.delete(id(9)))
                        .field())
                .isEqualTo("stream_id");
        Refusal.expect(ErrorCode.NOT_FOUND, () -> server.streams.get(id(9)));
        assertThat(server.topics.list(id(9))).isEmpty();
        server.streams.create("a", Map.of());
        assertThat(Refusal.expect(ErrorCode.TOPIC_ID_NOT_FOUND, () -> server.topics.delete(id(0), id(9)))
                        .field())
                .isEqualTo("topic_id");
        Refusal.expect(ErrorCode.NOT_FOUND, () -> server.topics.get(id(0), id(9)));
    }

    @Test
    void aRefusedUpdateChangesNothingAtAll() {
        server.aTopic(1, Map.of());
        CatalogState before = server.catalog.state();
        Refusal.expect(
                ErrorCode.UNSUPPORTED_OPTION_KEY,
                () -> server.topics.update(
                        id(0),
                        id(0),
                        "renamed",
                        settings(Map.of("message_expiry", "7 days", "durability", "replicated"))));
        assertThat(server.catalog.state()).isSameAs(before);
    }

    @Test
    void aNewTopicIsUsableAtOnceAndItsPartitionsHaveLivesOfTheirOwn() {
        TopicView topic = server.aTopic(3, Map.of());
        assertThat(topic.entry().specs())
                .extracting(PartitionSpec::incarnation)
                .doesNotContain(0L)
                .doesNotHaveDuplicates();
        assertThat(topic.partitions()).extracting(PartitionView::segments).containsExactly(1, 1, 1);
        for (int p = 0; p < 3; p++) {
            assertThat(server.log(p)).isNotNull();
        }
    }

    @Test
    void whoSeesATopicBeforeItsLogIsOpenWaitsForIt() throws ExecutionException, InterruptedException, TimeoutException {
        server.streams.create("orders", Map.of());
        var seen = new AtomicReference<CompletableFuture<PartitionLog>>();
        server.logs.beforeOpen(() -> {
            PartitionSpec spec = server.catalog.state().findTopic(0, 0).specs().getFirst();
            assertThat(server.openLogs.findNow(spec)).isNull();
            seen.set(CompletableFuture.supplyAsync(() ->
                    server.openLogs.find(spec, Deadline.in(Duration.ofSeconds(10)), ErrorCode.PARTITION_READ_TIMEOUT)));
        });
        server.topics.create(id(0), "events", 1, settings(Map.of()));
        assertThat(seen.get().get(10, TimeUnit.SECONDS)).isSameAs(server.log(0));
    }

    @Test
    void whatTheCatalogRefusedIsThrownAway() {
        server.streams.create("orders", Map.of());
        server.topics.create(id(0), "events", 1, settings(Map.of()));
        Refusal.expect(
                ErrorCode.TOPIC_NAME_ALREADY_EXISTS,
                () -> server.topics.create(id(0), "events", 1, settings(Map.of())));
        assertThat(server.topics.list(id(0))).hasSize(1);
        assertThat(server.logs.all()).hasSize(1);
    }

    @Test
    void countsOfPartitionsAreBounded() {
        server.streams.create("orders", Map.of());
        Refusal.expect(ErrorCode.TOO_MANY_PARTITIONS, () -> server.topics.create(id(0), "t", 1001, settings(Map.of())));
        server.topics.create(id(0), "t", 0, settings(Map.of()));
        Refusal.expect(ErrorCode.TOO_MANY_PARTITIONS, () -> server.partitions.add(id(0), id(0), 0));
        Refusal.expect(ErrorCode.TOO_MANY_PARTITIONS, () -> server.partitions.add(id(0), id(0), 1001));
        server.partitions.add(id(0), id(0), 2);
        Refusal.expect(ErrorCode.INVALID_PARTITIONS_COUNT, () -> server.partitions.remove(id(0), id(0), 3));
        server.partitions.remove(id(0), id(0), 1);
        assertThat(server.topics.get(id(0), id(0)).partitions()).hasSize(1);
    }

    @Test
    void aPartitionThatIsAddedAgainInheritsNothing() {
        server.aTopic(2, Map.of());
        server.produce.produce(id(0), id(0), new Partitioning.PartitionId(1), batch("old"), null);
        PartitionSpec old = server.log(1).spec();
        server.offsetStore.store(old, new ConsumerKey(ConsumerKey.Kind.CONSUMER, 1), 0);
        server.partitions.remove(id(0), id(0), 1);
        server.partitions.add(id(0), id(0), 1);
        assertThat(server.log(1).spec().incarnation()).isNotEqualTo(old.incarnation());
        assertThat(server.log(1).status().endOffset()).isZero();
        server.removals.sweep();
        assertThat(server.log(1)).isNotNull();
        assertThat(server.offsetStore.list(old)).isEmpty();
        assertThat(server.catalog.state().removals()).isEmpty();
    }

    @Test
    void purgingATopicBeginsNewLivesAndForgetsOffsets() {
        server.aTopic(1, Map.of());
        server.produce.produce(id(0), id(0), Partitioning.BALANCED, batch("a", "b"), null);
        var consumer = new ConsumerKey(ConsumerKey.Kind.CONSUMER, 1);
        server.offsetStore.store(server.log(0).spec(), consumer, 1);
        server.partitions.purgeTopic(id(0), id(0));
        assertThat(server.topics.get(id(0), id(0)).messages()).isZero();
        assertThat(server.offsetStore.get(server.log(0).spec(), consumer)).isEmpty();
        server.produce.produce(id(0), id(0), Partitioning.BALANCED, batch("c"), null);
        assertThat(server.log(0).status().endOffset()).isEqualTo(1);
    }

    @Test
    void purgingAStreamEmptiesEveryTopicInOneStep() {
        server.aTopic(2, Map.of());
        server.topics.create(id(0), "other", 1, settings(Map.of()));
        int changes = server.catalog.changes().size();
        server.partitions.purgeStream(id(0));
        assertThat(server.catalog.changes()).hasSize(changes + 1);
        assertThat(server.catalog.state().removals()).hasSize(3);
    }

    @Test
    void deletingIsATombstoneFirstAndARemovalLater() {
        server.aTopic(2, Map.of());
        List<PartitionSpec> specs = server.catalog.state().findTopic(0, 0).specs();
        server.topics.delete(id(0), id(0));
        assertThat(server.catalog.state().removals()).hasSize(2);
        assertThat(server.logs.all()).hasSize(2);
        server.removals.sweep();
        assertThat(server.logs.all()).isEmpty();
        assertThat(server.catalog.state().removals()).isEmpty();
        assertThat(server.logs.removed())
                .extracting(r -> r.incarnation())
                .containsExactlyInAnyOrderElementsOf(
                        specs.stream().map(PartitionSpec::incarnation).toList());
    }

    @Test
    void theBackgroundTakesAwayWhatIsDeleted() throws InterruptedException {
        server.aTopic(1, Map.of());
        server.removals.start();
        server.streams.delete(id(0));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!server.catalog.state().removals().isEmpty()) {
            assertThat(System.nanoTime()).as("removed in time").isLessThan(end);
            Thread.onSpinWait();
        }
        server.removals.close();
        assertThat(server.logs.all()).isEmpty();
    }
}
