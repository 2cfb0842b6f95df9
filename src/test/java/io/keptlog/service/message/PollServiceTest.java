// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.message;

import static io.keptlog.service.ServiceFixture.batch;
import static io.keptlog.service.ServiceFixture.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PollStart;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.message.Partitioning;
import io.keptlog.domain.message.RecordReader;
import io.keptlog.domain.message.RecordRun;
import io.keptlog.service.Micros;
import io.keptlog.service.Refusal;
import io.keptlog.service.ServiceFixture;
import io.keptlog.service.offset.ConsumerIds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PollServiceTest {
    private final ServiceFixture server = new ServiceFixture();

    private static PollRequest request(PollStart.Kind kind, long value, int count, boolean autoCommit) {
        return new PollRequest(
                id(0),
                id(0),
                0,
                ConsumerIds.DEFAULT,
                new PollStart(kind, value),
                count,
                1 << 20,
                autoCommit,
                Visibility.TOPIC);
    }

    private List<Long> poll(PollStart.Kind kind, long value, int count) {
        return offsets(request(kind, value, count, false));
    }

    private List<Long> offsets(PollRequest request) {
        List<Long> offsets = new ArrayList<>();
        try (Polled polled = server.poll.poll(request)) {
            for (RecordRun run : polled.slice().runs()) {
                var reader = new RecordReader(run);
                while (reader.next()) {
                    offsets.add(reader.offset());
                }
            }
        }
        return offsets;
    }

    private void produce(String... payloads) {
        server.produce.produce(id(0), id(0), new Partitioning.PartitionId(0), batch(payloads), null);
    }

    @Test
    void everyStartFindsItsMessages() {
        server.aTopic(1, Map.of());
        produce("0", "1", "2");
        server.passes(Duration.ofSeconds(1));
        long second = Micros.now(server.clock);
        produce("3", "4");
        assertThat(poll(PollStart.Kind.OFFSET, 1, 2)).containsExactly(1L, 2L);
        assertThat(poll(PollStart.Kind.OFFSET, 2, 2)).containsExactly(2L, 3L);
        assertThat(poll(PollStart.Kind.FIRST, 0, 2)).containsExactly(0L, 1L);
        assertThat(poll(PollStart.Kind.LAST, 0, 2)).containsExactly(3L, 4L);
        assertThat(poll(PollStart.Kind.LAST, 0, 99)).hasSize(5);
        assertThat(poll(PollStart.Kind.TIMESTAMP, second, 9)).containsExactly(3L, 4L);
        assertThat(poll(PollStart.Kind.TIMESTAMP, second + 1, 9)).isEmpty();
        assertThat(poll(PollStart.Kind.NEXT, 0, 9)).hasSize(5);
    }

    @Test
    void aStartBeyondTheEndIsAnEmptyAnswer() {
        server.aTopic(1, Map.of());
        assertThat(poll(PollStart.Kind.OFFSET, 0, 9)).isEmpty();
        assertThat(poll(PollStart.Kind.LAST, 0, 9)).isEmpty();
        produce("0");
        assertThat(poll(PollStart.Kind.OFFSET, 1, 9)).isEmpty();
        assertThat(poll(PollStart.Kind.OFFSET, 1L << 53, 9)).isEmpty();
        assertThat(poll(PollStart.Kind.OFFSET, -1, 9)).isEmpty();
        try (Polled polled = server.poll.poll(request(PollStart.Kind.OFFSET, 7, 1, false))) {
            assertThat(polled.currentOffset()).isZero();
            assertThat(polled.gap()).isNull();
        }
    }

    @Test
    void nextGoesOnAfterWhatAutoCommitStored() {
        server.aTopic(1, Map.of());
        produce("0", "1", "2");
        assertThat(offsets(request(PollStart.Kind.NEXT, 0, 2, true))).containsExactly(0L, 1L);
        assertThat(offsets(request(PollStart.Kind.NEXT, 0, 2, true))).containsExactly(2L);
        assertThat(offsets(request(PollStart.Kind.NEXT, 0, 2, true))).isEmpty();
        assertThat(server.offsetStore.get(server.log(0).spec(), ConsumerIds.DEFAULT))
                .hasValue(2);
    }

    @Test
    void nextTellsAReaderWhoseOffsetARecoveryTookBackUntilItStoresAnother() {
        server.aTopic(1, Map.of());
        produce("0", "1", "2");
        server.offsetStore.store(server.log(0).spec(), ConsumerIds.DEFAULT, 9);
        server.offsetStore.clamp(server.log(0).spec(), 0, 2);
        for (int i = 0; i < 2; i++) {
            try (Polled polled = server.poll.poll(request(PollStart.Kind.NEXT, 0, 1, false))) {
                assertThat(polled.gap()).isEqualTo(new Gap(2, 10, Gap.Reason.RECOVERY));
                assertThat(polled.slice().startOffset()).isEqualTo(2);
            }
        }
        assertThat(offsets(request(PollStart.Kind.NEXT, 0, 1, true))).containsExactly(2L);
        try (Polled polled = server.poll.poll(request(PollStart.Kind.NEXT, 0, 1, false))) {
            assertThat(polled.gap()).isNull();
        }
    }

    @Test
    void anAutoCommitThatFailsNeverFailsThePoll() {
        server.aTopic(1, Map.of());
        produce("0");
        server.offsetStore.failStores(new KeptlogException(ErrorCode.OFFSETS_FENCED, "Fenced."));
        assertThat(offsets(request(PollStart.Kind.OFFSET, 0, 2, true))).containsExactly(0L);
    }

    @Test
    void anAutoCommitIsWaitedForByNobodyButItsSyncIsAskedFor() {
        server.aTopic(1, Map.of("consumer_offset_durability", "persisted"));
        produce("0");
        server.offsetStore.failSyncs(new KeptlogException(ErrorCode.SYNC_FAILED, "It may be stored."));
        assertThat(offsets(request(PollStart.Kind.OFFSET, 0, 2, true))).containsExactly(0L);
        assertThat(server.offsetStore.kicks()).isEqualTo(1);
    }

    @Test
    void onAPersistedTopicOnlyWhatIsSyncedIsSeen() {
        server.aTopic(1, Map.of("durability", "persisted"));
        server.produce.dispatch(id(0), id(0), Partitioning.BALANCED, batch("0"));
        assertThat(poll(PollStart.Kind.OFFSET, 0, 9)).isEmpty();
        server.barrier.flush(id(0), id(0), 0);
        assertThat(poll(PollStart.Kind.OFFSET, 0, 9)).containsExactly(0L);
    }

    @Test
    void visibilityPersistedHidesWhatAPowerCutCouldTakeBack() {
        server.aTopic(1, Map.of());
        produce("0");
        server.barrier.flush(id(0), id(0), 0);
        produce("1");
        var request = new PollRequest(
                id(0),
                id(0),
                0,
                ConsumerIds.DEFAULT,
                new PollStart(PollStart.Kind.LAST, 0),
                1,
                1 << 20,
                false,
                Visibility.PERSISTED);
        assertThat(offsets(request)).containsExactly(0L);
    }

    @Test
    void whoNamesAnOffsetThatIsGoneIsToldWhy() {
        server.aTopic(1, Map.of());
        produce("0", "1");
        server.log(0).roll();
        produce("2");
        server.log(0).deleteSegments(2, Gap.Reason.RETENTION);
        try (Polled polled = server.poll.poll(request(PollStart.Kind.OFFSET, 0, 9, false))) {
            assertThat(polled.gap()).isEqualTo(new Gap(0, 2, Gap.Reason.RETENTION));
            assertThat(polled.slice().startOffset()).isEqualTo(2);
        }
        try (Polled polled = server.poll.poll(request(PollStart.Kind.FIRST, 0, 9, false))) {
            assertThat(polled.gap()).isNull();
        }
    }

    @Test
    void absentPlacesAreAnswered() {
        Refusal.expect(ErrorCode.NOT_FOUND, () -> poll(PollStart.Kind.OFFSET, 0, 1));
        server.aTopic(0, Map.of());
        Refusal.expect(ErrorCode.PARTITION_NOT_FOUND, () -> poll(PollStart.Kind.OFFSET, 0, 1));
        Refusal.expect(ErrorCode.INVALID_MESSAGES_COUNT, () -> poll(PollStart.Kind.OFFSET, 0, 0));
    }

    @Test
    void everySliceIsGivenBack() {
        server.aTopic(1, Map.of());
        produce("0");
        for (PollStart.Kind kind : PollStart.Kind.values()) {
            poll(kind, 0, 1);
        }
        assertThat(server.log(0).openSlices()).isZero();
    }
}
