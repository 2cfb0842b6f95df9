// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.cluster.LocalCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokersTest {
    private static final String BROKERS = Metadata.ROOT + "/brokers/";

    @TempDir
    Path directory;

    @Test
    void aLostSessionIsToldUntilWhatItHeldIsLetGoAlsoWhenSomethingFailsInBetween() throws Exception {
        try (var cluster = new LocalCluster(directory, 0);
                var own = new Metadata(cluster.metadataUri(), 10_000);
                var other = new Metadata(cluster.metadataUri(), 10_000)) {
            var self = new Broker("id-1", "broker", "127.0.0.1:1", "127.0.0.1:2");
            var brokers = new Brokers(own, self, 10_000);
            assertThat(brokers.keepAlive()).isFalse();
            brokers.letGo();
            assertThat(brokers.keepAlive()).isTrue();
            assertThat(brokers.leaseHolds()).isTrue();

            // As the end of a session does it; and the first look at the others after it fails.
            other.delete(BROKERS + self.id());
            other.create(BROKERS + "broken", "no broker".getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(brokers::keepAlive).isInstanceOf(RuntimeException.class);
            assertThat(brokers.leaseHolds()).isFalse();

            other.delete(BROKERS + "broken");
            assertThat(brokers.keepAlive())
                    .as("registered again, and nobody has let go yet")
                    .isFalse();
            assertThat(brokers.leaseHolds()).isFalse();
            brokers.letGo();
            assertThat(brokers.keepAlive()).isTrue();
            assertThat(brokers.leaseHolds()).isTrue();
        }
    }
}
