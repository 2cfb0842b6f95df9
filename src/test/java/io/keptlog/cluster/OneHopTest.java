// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.cluster.ledger.LedgerFixture;
import io.keptlog.cluster.metadata.Broker;
import io.keptlog.cluster.metadata.ClusterSecrets;
import io.keptlog.cluster.metadata.Metadata;
import io.keptlog.cluster.peer.PeerCalls;
import io.keptlog.cluster.peer.PeerConnections;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionRef;
import io.keptlog.storage.PartitionLog;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class OneHopTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    Path directory;

    @Test
    void aBrokerThatIsAskedByAnotherAnswersOnlyWhatItOwnsAndNeverAsksAThird() throws Exception {
        try (var cluster = new LocalCluster(directory, 2);
                ClusterStore first = ClusterStoreTest.open(cluster, "first");
                ClusterStore second = ClusterStoreTest.open(cluster, "second");
                var metadata = new Metadata(cluster.metadataUri(), 10_000);
                var connections = new PeerConnections(new ClusterSecrets(metadata).get("peer"))) {
            PartitionRef topic = ClusterStoreTest.createTopic(first, 4, Map.of());
            var peers = new PeerCalls(connections);
            List<String> addresses = addresses(metadata);
            assertThat(addresses).hasSize(2);
            for (int p = 0; p < 4; p++) {
                PartitionLog log = ClusterStoreTest.log(second, new PartitionRef(topic.streamId(), topic.topicId(), p));
                LedgerFixture.append(log, "makes it owned");
                var ends = new ArrayList<Long>();
                var refused = new ArrayList<ErrorCode>();
                for (String address : addresses) {
                    try {
                        ends.add(peers.status(address, log.spec(), Deadline.inMillis(5_000))
                                .endOffset());
                    } catch (KeptlogException e) {
                        refused.add(e.code());
                    }
                }
                assertThat(ends).as("the owner's answer").containsExactly(1L);
                assertThat(refused).as("the other's").containsExactly(ErrorCode.NOT_PRIMARY);
            }
        }
    }

    private static List<String> addresses(Metadata metadata) {
        return metadata.children("/keptlog/brokers").stream()
                .map(id -> metadata.get("/keptlog/brokers/" + id))
                .map(v -> JSON.readValue(new String(v.bytes(), StandardCharsets.UTF_8), Broker.class))
                .map(Broker::peerAddress)
                .toList();
    }
}
