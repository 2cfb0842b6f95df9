// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One node pays nothing for what a cluster needs: without keptlog.cluster.metadata-uri none of its classes is loaded. */
class SingleNodeIT {
    private static final Pattern LOADED = Pattern.compile("\\[class,load\\] (\\S+) ");
    private static final List<String> OF_A_CLUSTER = List.of(
            "io.keptlog.cluster.",
            "org.apache.bookkeeper.",
            "org.apache.pulsar.",
            "org.apache.zookeeper.",
            "io.netty.",
            "com.google.protobuf.",
            "io.opentelemetry.");

    @TempDir
    Path directory;

    @Test
    void aServerWithoutAClusterLoadsNoneOfItsClasses() throws Exception {
        Path classes = directory.resolve("classes");
        try (ServerProcess server =
                ServerProcess.start(directory.resolve("data"), "-Xlog:class+load:file=" + classes)) {
            server.client().createStream("stream");
            server.client().get("/streams/stream").expect(200);
            server.client().get("/cluster/metadata").expect(200);
            server.client().get("/bookies").expect(412);
            server.client()
                    .get("/admin/v2/namespaces/public/stream/persistence")
                    .expect(412);
            server.terminate(Duration.ofSeconds(20));
        }
        List<String> loaded = Files.readAllLines(classes).stream()
                .map(LOADED::matcher)
                .filter(Matcher::find)
                .map(m -> m.group(1))
                .toList();
        assertThat(loaded).contains("io.keptlog.Keptlog", "io.keptlog.storage.segment.SegmentStore");
        assertThat(loaded).noneMatch(name -> OF_A_CLUSTER.stream().anyMatch(name::startsWith));
    }
}
