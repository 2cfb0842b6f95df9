// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.TestBatches;
import io.keptlog.storage.TestBatches.Read;
import io.keptlog.storage.file.FileLayers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A child process is killed at each named point; whatever it had answered is there afterwards. */
@Tag("long")
class CrashPointTest {
    private static final int KILLED = 128 + 9;

    @TempDir
    Path directory;

    private final List<String> answered = new ArrayList<>();

    private void run(CrashPoint point) throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashChild.class.getName(),
                        directory.resolve("data").toString(),
                        point.name())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var out = child.inputReader()) {
            out.lines()
                    .filter(line -> line.matches("(append|offset|deleted|gone|END).*"))
                    .forEach(answered::add);
        }
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(answered).as("the point was reached").doesNotContain("END");
        assertThat(child.exitValue()).isEqualTo(KILLED);
    }

    @ParameterizedTest
    @EnumSource(CrashPoint.class)
    void whatWasAnsweredIsThere(CrashPoint point) throws Exception {
        if (point.isInRecovery()) {
            run(CrashPoint.AFTER_A_FRAME_WAS_WRITTEN);
            tear();
        }
        run(point);
        Node node = Node.open(FileLayers.system(), directory.resolve("data"));
        try {
            for (int topic = 0; topic < 2; topic++) {
                check(node, topic);
            }
            if (answered.contains("gone 2")) {
                assertThat(node.catalog.state().findTopic(0, 2)).isNull();
                assertThat(node.logs.find(new PartitionRef(0, 2, 0))).isNull();
            }
        } finally {
            assertThat(node.stop()).isTrue();
        }
    }

    /** Bytes that look like the beginning of a frame behind the last one. */
    private void tear() throws IOException {
        Path log = directory.resolve("data/streams/0/topics/0/partitions/0/00000000000000000000.log");
        byte[] bytes = Files.readAllBytes(log);
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        byte[] junk = new byte[64];
        java.util.Arrays.fill(junk, (byte) 0x5A);
        try (var channel = Files.newByteChannel(log, StandardOpenOption.WRITE)) {
            channel.position((end + 15) / 8 * 8);
            channel.write(java.nio.ByteBuffer.wrap(junk));
        }
    }

    private List<long[]> lines(String kind, int topic) {
        return answered.stream()
                .map(line -> line.split(" "))
                .filter(words -> words[0].equals(kind) && words[1].equals(Integer.toString(topic)))
                .map(words -> new long[] {Long.parseLong(words[2]), words.length > 3 ? Long.parseLong(words[3]) : 0})
                .toList();
    }

    private void check(Node node, int topic) {
        PartitionLog log = node.logs.find(new PartitionRef(0, topic, 0));
        List<long[]> appends = lines("append", topic);
        if (log == null) {
            assertThat(appends).isEmpty();
            return;
        }
        assertThat(log.status().state()).isEqualTo(LogStatus.State.OPEN);
        List<Read> found = new ArrayList<>();
        long first = log.status().firstOffset();
        for (long from = first; from < log.status().endOffset(); from += found.size() - (from - first)) {
            try (Slice slice = log.read(from, 1000, 1 << 20, Visibility.TOPIC)) {
                found.addAll(TestBatches.messages(slice));
            }
        }
        for (long[] append : appends) {
            if (append[1] >= first) {
                assertThat(found).contains(new Read(append[1], TestBatches.text(CrashChild.record(append[0]))));
            }
        }
        List<long[]> deleted = lines("deleted", topic);
        assertThat(first).isGreaterThanOrEqualTo(deleted.isEmpty() ? 0 : deleted.getLast()[0]);
        List<long[]> offsets = lines("offset", topic);
        if (!offsets.isEmpty()) {
            assertThat(node.offsets.get(log.spec(), Model.consumer(1)))
                    .matches(v -> v.orElse(-1) >= offsets.getLast()[0]);
        }
    }
}
