// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.domain.StoreObserver;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.FileLayers;
import io.keptlog.storage.segment.format.CleanMarker;
import io.keptlog.storage.segment.recovery.RecoveredPartition.State;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The main kinds of trouble on the real file system. */
class RealFilesRecoveryTest {
    @TempDir
    Path dataDir;

    private final FileLayer files = FileLayers.system();

    private LogFixture log(int partition) throws IOException {
        LogFixture log = new LogFixture(files, dataDir, partition, new PartitionRef(0, 0, partition)).create();
        for (int i = 0; i < 20; i++) {
            log.append();
        }
        log.seal();
        log.append();
        log.sync();
        log.checkpoint(true);
        log.append();
        return log;
    }

    @Test
    void tornTailIsCutOnceAndForAll() throws IOException {
        LogFixture log = log(1);
        LogFixture.Written torn = log.append(new byte[3000], new byte[] {1});
        log.truncate(log.activeFile(), torn.position() + 1000);
        log.truncate(log.activeFile(), log.allocatedBytes + (4 << 20));
        Recovered found = Recovered.from(log)
                .serves(log)
                .endsAt(torn.header().baseOffset())
                .finds(log);
        assertThat(found.reports()).singleElement().satisfies(r -> {
            assertThat(r.action()).isEqualTo(Action.CUT);
            byte[] kept = log.read(dataDir.resolve(r.quarantineFile()));
            assertThat(torn.bytes()).startsWith(kept);
        });
        Recovered.from(log).serves(log).endsAt(torn.header().baseOffset()).reportsNothing();
    }

    @Test
    void damageIsRefusedAndNothingIsTouched() throws IOException {
        LogFixture log = log(2);
        LogFixture.Written first = log.frames.get(20);
        log.flip(log.activeFile(), first.position() + 120, 3);
        byte[] before = log.read(log.activeFile());
        Recovered.from(log).isRefused().reads(files, log).endsAt(first.header().baseOffset());
        assertThat(log.read(log.activeFile())).isEqualTo(before);
    }

    @Test
    void aGarbledIndexIsMadeAgain() throws IOException {
        LogFixture log = log(3);
        byte[] good = log.read(log.paths.index(0));
        log.write(log.paths.index(0), 3, new byte[50]);
        Recovered found =
                Recovered.from(log).serves(log).endsAt(log.endOffset()).finds(log);
        assertThat(found.reports()).singleElement().matches(r -> r.found() == Found.DAMAGED_INDEX);
        assertThat(log.read(log.paths.index(0))).isEqualTo(good);
    }

    @Test
    void manyPartitionsAtOnceEachByItself() throws Exception {
        var logs = new ArrayList<LogFixture>();
        for (int i = 10; i < 40; i++) {
            logs.add(log(i));
            if (i % 3 == 0) {
                files.delete(logs.getLast().activeFile());
            }
        }
        var reports = new ReportList();
        var recovery = new PartitionRecovery(
                files, dataDir, reports, CutListener.NONE, StoreObserver.NONE, InstantSource.system());
        try (var pool = Executors.newFixedThreadPool(8)) {
            List<Callable<RecoveredPartition>> tasks = logs.stream()
                    .<Callable<RecoveredPartition>>map(l -> () -> recovery.recover(l.spec, CleanMarker.NONE))
                    .toList();
            var results = pool.invokeAll(tasks);
            for (int i = 0; i < results.size(); i++) {
                assertThat(results.get(i).get().state())
                        .isEqualTo((i + 10) % 3 == 0 ? State.REFUSED : State.APPENDABLE);
            }
        }
        assertThat(reports.list()).hasSize(10);
    }
}
