// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.QuorumPolicy.Warning;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.storage.InMemoryCatalog;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A stream's quorums as Pulsar's admin path sets, reads and removes them (requirements B1, B7, B14). */
class ClusterServiceTest {
    private static final Identifier STREAM = new Identifier.Name("orders");

    private final InMemoryCatalog catalog = new InMemoryCatalog();
    private final ClusterService cluster = new ClusterService(catalog, Optional.of(new FakeReplication()));

    @BeforeEach
    void aStream() {
        catalog.change(s -> new CatalogChange.StreamCreated(0, 1, "orders", Map.of()));
    }

    @Test
    void aPolicyIsInheritedUntilItIsSetAndAgainWhenItIsRemoved() {
        assertThat(cluster.ownPolicy(STREAM)).isEmpty();
        cluster.setPolicy(STREAM, 5, 3, 2);
        assertThat(cluster.ownPolicy(STREAM)).contains(new QuorumPolicy(5, 3, 2));
        cluster.removePolicy(STREAM);
        assertThat(cluster.ownPolicy(STREAM)).isEmpty();
    }

    @Test
    void aBrokenPolicyIsRefusedWithItsNumbersAndTheFormerOneStays() {
        cluster.setPolicy(STREAM, 3, 2, 2);
        for (int[] broken : new int[][] {{2, 3, 2}, {3, 2, 3}, {3, 3, 0}, {0, 0, 0}}) {
            assertThatThrownBy(() -> cluster.setPolicy(STREAM, broken[0], broken[1], broken[2]))
                    .isInstanceOfSatisfying(KeptlogException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.PRECONDITION_FAILED);
                        assertThat(e.reason()).contains(broken[0] + ", " + broken[1] + ", " + broken[2]);
                    });
        }
        assertThat(cluster.ownPolicy(STREAM)).contains(new QuorumPolicy(3, 2, 2));
    }

    @Test
    void whatAPolicyCostsIsSaid() {
        assertThat(cluster.warnings(STREAM)).isEmpty();
        cluster.setPolicy(STREAM, 4, 3, 1);
        assertThat(cluster.warnings(STREAM))
                .extracting(Warning::code)
                .containsExactlyInAnyOrder("ack_quorum_one", "ack_below_write_quorum", "ensemble_above_write_quorum");
    }

    @Test
    void aSingleNodeHasNone() {
        var single = new ClusterService(catalog, Optional.empty());
        assertThat(single.brokers()).isEmpty();
        assertThat(single.warnings(STREAM)).isEmpty();
        refused(single, s -> s.ownPolicy(STREAM));
        refused(single, s -> s.setPolicy(STREAM, 1, 1, 1));
        refused(single, s -> s.removePolicy(STREAM));
        refused(single, ClusterService::bookies);
        refused(single, s -> s.setRack("10.0.0.1:3181", "a"));
    }

    private static void refused(ClusterService single, Consumer<ClusterService> call) {
        assertThatThrownBy(() -> call.accept(single)).isInstanceOfSatisfying(KeptlogException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.PRECONDITION_FAILED);
            assertThat(e.reason()).contains("keptlog.cluster.metadata-uri");
        });
    }
}
