// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.Durability;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.UserEntry;
import io.keptlog.storage.DamagedLog;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.StoreNode;
import io.keptlog.storage.TestBatches.Read;
import io.keptlog.storage.file.SimulatedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FileDumpTest {
    private static final Path DATA = SimulatedFiles.ROOT.resolve("data");
    private static final DumpRange ALL = new DumpRange(0, 1_000_000, false, 0);

    private final Random random = new Random(9);
    private SimulatedFiles machine = new SimulatedFiles(9);
    private DamagedLog files;
    private List<Read> appended;

    @BeforeEach
    void aStoppedServer() {
        try (StoreNode node = new StoreNode(machine, DATA)) {
            node.catalog.change(s -> new CatalogChange.UserCreated(
                    new UserEntry(0, 2, "root", "the-secret-hash", true, 0, null, null, new TreeMap<>())));
            PartitionLog log = node.create(Durability.PERSISTED, random);
            appended = StoreNode.append(log, 40, random);
            files = new DamagedLog(machine, DATA, log.spec());
            node.stop();
        }
        machine = machine.processKill();
        files = new DamagedLog(
                machine,
                DATA,
                new io.keptlog.domain.PartitionSpec(
                        new io.keptlog.domain.PartitionRef(0, 0, 0),
                        0,
                        io.keptlog.domain.LogOptions.defaults(Durability.PERSISTED)));
    }

    private List<Map<String, Object>> dump(Path file, DumpRange range) throws IOException {
        List<Map<String, Object>> lines = new ArrayList<>();
        FileDump.dump(machine, file, range, lines::add);
        return lines;
    }

    private static List<Map<String, Object>> of(String what, List<Map<String, Object>> lines) {
        return lines.stream().filter(line -> what.equals(line.get("what"))).toList();
    }

    @Test
    void framesAndMessagesOfEverySegmentAreShown() throws IOException {
        long messages = 0;
        long frames = 0;
        for (Path segment : files.segments()) {
            List<Map<String, Object>> lines = dump(segment, new DumpRange(0, 1_000, true, 8));
            assertThat(lines.getFirst()).containsEntry("what", "segment").containsEntry("partition", "0/0/0");
            assertThat(lines.getLast()).containsEntry("what", "end");
            assertThat(of("hole", lines)).isEmpty();
            frames += of("frame", lines).size();
            messages += of("message", lines).size();
        }
        assertThat(frames).isEqualTo(40);
        assertThat(messages).isEqualTo(appended.size());
    }

    @Test
    void aRangeBeginsAtItsOffsetAndEndsAfterItsCount() throws IOException {
        Path first = files.segments().getFirst();
        List<Map<String, Object>> all = of("frame", dump(first, ALL));
        long from = (long) all.get(2).get("base_offset");
        assertThat(of("frame", dump(first, new DumpRange(from, 2, false, 0)))).isEqualTo(all.subList(2, 4));
    }

    @Test
    void damageIsALineAndWhatIsBeyondIsShown() throws IOException {
        Path segment = files.segments().get(1);
        int sound = of("frame", dump(segment, ALL)).size();
        files.flip(segment, random);
        List<Map<String, Object>> lines = dump(segment, ALL);
        assertThat(of("hole", lines)).hasSize(1);
        assertThat(of("frame", lines)).hasSize(sound - 1);
    }

    @Test
    void theOtherFilesAreShown() throws IOException {
        long base = Long.parseLong(
                files.segments().getFirst().getFileName().toString().substring(0, 20));
        List<Map<String, Object>> index = dump(files.paths.index(base), ALL);
        assertThat(index.getFirst()).containsEntry("base_offset", base);
        assertThat(of("entry", index)).isNotEmpty();
        assertThat(dump(files.paths.checkpoint(), ALL)).hasSize(2);
        assertThat(dump(files.paths.epochs(), ALL)).hasSize(1);
        assertThat(of("clean_end", dump(DATA.resolve("clean"), ALL))).hasSize(1);
        assertThatThrownBy(() -> dump(DATA.resolve("format"), ALL)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void journalsAreShownWithoutHashes() throws IOException {
        List<Path> journals = machine.list(DATA.resolve("catalog/a"));
        String shown = "";
        for (Path journal : journals) {
            shown += dump(journal, ALL);
        }
        assertThat(shown)
                .contains("user_created", "topic_created", "(left out)")
                .doesNotContain("the-secret-hash");
        assertThat(dump(machine.list(DATA.resolve("offsets")).getFirst(), ALL).getFirst())
                .containsEntry("verdict", "clean");
    }
}
