// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.cluster.dev.LocalZooKeeper;
import io.keptlog.domain.KeptReport;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterReportsTest {
    private static final Instant THEN = Instant.parse("2026-11-30T10:00:00Z");

    @TempDir
    Path directory;

    private static RecoveryReport report(String detail) {
        return new RecoveryReport(
                THEN, new PartitionRef(1, 2, 3), 7, Found.READ_ERROR, Action.REFUSED, 4, 5, -1, -1, true, null, detail);
    }

    @Test
    void whatOneBrokerResolvesEveryBrokerSeesResolved() throws Exception {
        try (LocalZooKeeper zooKeeper = new LocalZooKeeper(directory, 0);
                Metadata metadata = new Metadata("zk:127.0.0.1:" + zooKeeper.port(), 6_000)) {
            ClusterReports one = new ClusterReports(metadata);
            ClusterReports other = new ClusterReports(metadata);
            assertThat(one.kept()).isEmpty();
            one.add(report("a"));
            other.add(report("b"));
            assertThat(one.kept())
                    .containsExactly(new KeptReport(0, report("a"), null), new KeptReport(1, report("b"), null));
            assertThat(other.resolve(0, THEN)).isEqualTo(new KeptReport(0, report("a"), THEN));
            assertThat(one.resolve(0, THEN.plusSeconds(9)).resolved()).isEqualTo(THEN);
            assertThat(one.kept())
                    .filteredOn(KeptReport::isOpen)
                    .extracting(KeptReport::id)
                    .containsExactly(1L);
            assertThat(one.resolve(8, THEN)).isNull();
            one.add(report("c"));
            assertThat(other.kept().getLast().id()).isEqualTo(2);
        }
    }
}
