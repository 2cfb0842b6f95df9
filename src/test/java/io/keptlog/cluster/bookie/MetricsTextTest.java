// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.cluster.BookieSignals;
import io.keptlog.domain.cluster.BookieSignals.Status;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsTextTest {
    @Test
    void theSignalsAreFoundOverAllJournalsAndTheRestIsLeftOut() {
        BookieSignals found = MetricsText.read(
                """
                # TYPE bookie_SERVER_STATUS gauge
                bookie_SERVER_STATUS 1
                bookie_SERVER_STATUS_OF_ANOTHER 0
                bookie_journal_JOURNAL_FORCE_WRITE_QUEUE_SIZE{journalIndex="0"} 2
                bookie_journal_JOURNAL_FORCE_WRITE_QUEUE_SIZE{journalIndex="1"} 3
                bookkeeper_server_ADD_ENTRY_IN_PROGRESS 7.0
                bookie_journal_JOURNAL_SYNC{success="false",quantile="0.99", journalIndex="0"} 999
                bookie_journal_JOURNAL_SYNC{success="true",quantile="0.5", journalIndex="0"} 0.389
                bookie_journal_JOURNAL_SYNC{success="true",quantile="0.99", journalIndex="0"} 24.938
                bookie_journal_JOURNAL_SYNC{success="true",quantile="0.99", journalIndex="1"} 31.5
                bookie_journal_JOURNAL_SYNC{success="true",quantile="0.999", journalIndex="1"} NaN
                bookie_journal_JOURNAL_SYNC_count{success="true", journalIndex="0"} 200
                jvm_memory_bytes_used 12345
                """
                        .lines());
        assertThat(found).isEqualTo(new BookieSignals(Status.UP, Map.of("0.5", 0.389, "0.99", 31.5), 5L, 7L, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "auditor_NUM_UNDER_REPLICATED_LEDGERS 4",
                "replication_auditor_NUM_UNDER_REPLICATED_LEDGERS 4",
                "replication_auditor_NUM_UNDER_REPLICATED_LEDGERS{success=\"true\",quantile=\"1.0\"} 4.0"
            })
    void underReplicatedLedgersAreFoundWithAndWithoutThePrefix(String line) {
        assertThat(MetricsText.read(line.lines()).underReplicated()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({"1, UP", "0, READ_ONLY", "-1, DOWN", "NaN, UNKNOWN", "x, UNKNOWN"})
    void aStatusIsWhatTheNumberSays(String number, Status status) {
        assertThat(MetricsText.read(("bookie_SERVER_STATUS " + number).lines()).status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "bookie_SERVER_STATUS", "bookie_SERVER_STATUS{ 1", "{}{}{}", "\u0000"})
    void garbageSaysNothing(String text) {
        assertThat(MetricsText.read(text.lines())).isEqualTo(BookieSignals.of(Status.UNKNOWN));
    }
}
