// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.cluster.DepthRange;
import io.keptlog.storage.RecoveryReports;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LostCopiesReportTest {
    private static final PartitionSpec SPEC =
            new PartitionSpec(new PartitionRef(1, 2, 3), 77, LogOptions.defaults(Durability.PERSISTED));
    private static final DepthRange RANGE =
            new DepthRange(5, 8, 1, 2, 3, new QuorumPolicy(3, 2, 2), false, 0, 2, 0, 0, Map.of());

    private final Kept kept = new Kept();
    private final LostCopiesReport report = new LostCopiesReport(kept, InstantSource.system());

    @Test
    void aLossWhoseReportIsRefusedIsNotKeptAndTheNextTimeItIs() {
        kept.full = true;
        assertThat(report.found(SPEC, RANGE, false)).isFalse();
        kept.full = false;
        assertThat(report.found(SPEC, RANGE, true)).isTrue();
        assertThat(kept.all).singleElement().satisfies(one -> {
            assertThat(one.partition()).isEqualTo(SPEC.ref());
            assertThat(one.fromOffset()).isEqualTo(5);
            assertThat(one.toOffset()).isEqualTo(8);
            assertThat(one.acknowledgedPossible()).isTrue();
        });
    }

    @Test
    void whatAnEarlierOwnerHasReportedIsKeptAlready() {
        assertThat(report.found(SPEC, RANGE, false)).isTrue();
        assertThat(report.found(SPEC, RANGE, false)).isTrue();
        assertThat(kept.all).hasSize(1);
    }

    private static final class Kept implements RecoveryReports {
        final List<RecoveryReport> all = new ArrayList<>();
        boolean full;

        @Override
        public void add(RecoveryReport report) {
            if (full) {
                throw new KeptlogException(ErrorCode.NO_SPACE, "the disk is full");
            }
            all.add(report);
        }

        @Override
        public List<RecoveryReport> list() {
            return List.copyOf(all);
        }
    }
}
