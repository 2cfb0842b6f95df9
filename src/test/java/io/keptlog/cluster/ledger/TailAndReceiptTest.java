// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import static io.keptlog.cluster.ledger.LedgerFixture.append;
import static io.keptlog.cluster.ledger.LedgerFixture.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.cluster.LocalCluster;
import io.keptlog.cluster.client.SyncCheck;
import io.keptlog.cluster.dev.LocalBookie;
import io.keptlog.cluster.ledger.append.PendingBytes;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.Visibility;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TailAndReceiptTest {
    private static final QuorumPolicy POLICY = new QuorumPolicy(2, 2, 2);

    @TempDir
    Path directory;

    @Test
    void aReaderOfTheTailAsksNoBookie() throws Exception {
        try (var cluster = new LocalCluster(directory, 2);
                var broker = new LedgerFixture(cluster)) {
            PartitionSpec spec = LedgerFixture.newSpec(Durability.REPLICATED);
            String big = "x".repeat(20_000);
            var opener = new LogOpener(
                    broker.client,
                    b -> SyncCheck.Verdict.SYNCED,
                    new PendingBytes(64 << 20),
                    // Ten frames or so are kept, the others are with the bookies.
                    new LedgerSettings(
                            10 * 20_000, 3_600_000, Duration.ofSeconds(2), Duration.ofSeconds(20), Clock.systemUTC()));
            try (var log = (LedgerLog)
                    opener.open(spec, POLICY, true, new AtomicLong()::incrementAndGet, broker.copies(spec, POLICY))) {
                for (int i = 0; i < 30; i++) {
                    append(log, i + big);
                }
                assertThat(readAll(log, 0)).hasSize(30);
                cluster.bookies().forEach(LocalBookie::close);
                // Nobody is there who could be asked.
                assertThat(readAll(log, 25))
                        .isEqualTo(List.of("25" + big, "26" + big, "27" + big, "28" + big, "29" + big));
                assertThatThrownBy(() -> {
                            try (var slice = log.read(0, 1, 1 << 20, Visibility.TOPIC)) {
                                throw new AssertionError("read " + slice.count() + " without bookies");
                            }
                        })
                        .as("what is not in memory needs the bookies: the first assertion can fail")
                        .isInstanceOf(KeptlogException.class);
            }
        }
    }

    @Test
    void whatFailsAfterAnAppendIsUnknownAndNeverSaidToBeNotStored() throws Exception {
        try (var cluster = new LocalCluster(directory, 2);
                var broker = new LedgerFixture(cluster)) {
            PartitionSpec spec = LedgerFixture.newSpec(Durability.REPLICATED);
            try (LedgerLog log = broker.create(spec, POLICY)) {
                long end = append(log, "stored").endOffset();
                // The receipt names the copies, which the ledger's description tells: it cannot be read any more.
                broker.client.deleteLedger(log.ledgers().getLast().ledgerId()).get();
                assertThatThrownBy(() -> log.tail().awaitReplicated(end, Deadline.inMillis(2_000)))
                        .isInstanceOfSatisfying(KeptlogException.class, e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.PRODUCE_TIMEOUT);
                            assertThat(e.reason()).contains("may be stored");
                        });
            }
        }
    }

    /** As by an opening that was given up and came late: the library knows one instance of a name. */
    @Test
    void aLogWhoseLedgerWasClosedUnderItIsLostAndNotStuckForEver() throws Exception {
        try (var cluster = new LocalCluster(directory, 2);
                var broker = new LedgerFixture(cluster)) {
            PartitionSpec spec = LedgerFixture.newSpec(Durability.REPLICATED);
            try (LedgerLog log = broker.create(spec, POLICY)) {
                append(log, "stored");
                var same = broker.client.open(
                        LogOpener.name(spec), ManagedLedgers.config(POLICY, false), Deadline.inMillis(5_000));
                ManagedLedgers.close(same, Deadline.inMillis(5_000));
                log.maintain(POLICY);
                assertThat(log.lost()).isTrue();
                assertThatThrownBy(() -> append(log, "refused"))
                        .isInstanceOfSatisfying(KeptlogException.class, e -> assertThat(e.code())
                                .isEqualTo(ErrorCode.NOT_PRIMARY));
            }
            try (LedgerLog log = (LedgerLog) broker.reopen(spec, POLICY)) {
                append(log, "next");
                assertThat(readAll(log, 0)).containsExactly("stored", "next");
            }
        }
    }
}
