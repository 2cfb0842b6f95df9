// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.truth;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.disk.DiskTruth;
import io.keptlog.domain.disk.DiskTruth.Verdict;
import io.keptlog.domain.disk.Doubt;
import io.keptlog.domain.disk.Doubt.Code;
import io.keptlog.domain.disk.SyncLatency;
import io.keptlog.storage.file.FileLayers;
import io.keptlog.storage.file.SimulatedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TruthTestTest {
    private static final List<String> MOUNTS = List.of(
            "22 27 0:21 / /proc rw,relatime - proc proc rw",
            "27 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw,errors=remount-ro",
            "30 27 254:2 /x /srv/my\\040data rw,noatime - xfs /dev/vdb rw,nobarrier",
            "31 27 0:40 / /srv/my\\040data/tmp rw - tmpfs tmpfs rw,size=1k",
            "a line of another kind");

    @TempDir
    Path directory;

    private static List<Code> codes(List<Doubt> doubts) {
        return doubts.stream().map(Doubt::code).toList();
    }

    private static List<Code> aboutFileSystem(String type, Mount mount) {
        List<Doubt> doubts = new ArrayList<>();
        TruthTest.aboutFileSystem(type, mount, doubts);
        return codes(doubts);
    }

    private static List<Code> aboutSync(long nanos) {
        List<Doubt> doubts = new ArrayList<>();
        TruthTest.aboutSync(new SyncLatency(10, nanos, nanos, nanos, nanos), doubts);
        return codes(doubts);
    }

    @Test
    void theMountIsTheLongestPointThatHoldsThePath() {
        assertThat(Mount.of("/srv/my data/keptlog", MOUNTS))
                .isEqualTo(new Mount("/srv/my data", "254:2", "xfs", Set.of("rw", "noatime", "nobarrier")));
        assertThat(Mount.of("/srv/my data/tmp", MOUNTS).fileSystem()).isEqualTo("tmpfs");
        assertThat(Mount.of("/srv/my datas", MOUNTS).fileSystem()).isEqualTo("ext4");
        assertThat(Mount.of("/procession", MOUNTS).device()).isEqualTo("254:1");
        assertThat(Mount.of("/x", List.of())).isNull();
    }

    @Test
    void whatCannotKeepAnythingIsSaid() {
        assertThat(aboutFileSystem("ext4", null)).isEmpty();
        assertThat(aboutFileSystem("tmpfs", null)).containsExactly(Code.VOLATILE_FILE_SYSTEM);
        assertThat(aboutFileSystem("overlay", null)).containsExactly(Code.CONTAINER_LAYER);
        assertThat(aboutFileSystem("nfs4", null)).containsExactly(Code.REMOTE_FILE_SYSTEM);
        assertThat(aboutFileSystem("fuse.sshfs", null)).containsExactly(Code.REMOTE_FILE_SYSTEM);
        assertThat(aboutFileSystem("xfs", Mount.of("/srv/my data/k", MOUNTS))).containsExactly(Code.BARRIERS_OFF);
    }

    @Test
    void aSyncThatIsTooFastOrTooSlowIsSaid() {
        assertThat(aboutSync(14_000)).containsExactly(Code.SYNC_TOO_FAST);
        assertThat(aboutSync(16_000)).isEmpty();
        assertThat(aboutSync(400_000_000)).isEmpty();
        assertThat(aboutSync(600_000_000)).containsExactly(Code.SYNC_SLOW);
    }

    @Test
    void theWorstDoubtIsTheVerdict() {
        var all = new ArrayList<Doubt>();
        for (Code code : Code.values()) {
            all.add(new Doubt(code, "r"));
        }
        assertThat(truth(all).verdict()).isEqualTo(Verdict.VOLATILE);
        assertThat(truth(List.of(new Doubt(Code.SYNC_TOO_FAST, "r"))).verdict()).isEqualTo(Verdict.DOUBTFUL);
        assertThat(truth(List.of(new Doubt(Code.LITTLE_SPACE, "r"))).verdict()).isEqualTo(Verdict.PLAUSIBLE);
        assertThat(truth(List.of()).verdict()).isEqualTo(Verdict.PLAUSIBLE);
    }

    private static DiskTruth truth(List<Doubt> doubts) {
        return new DiskTruth(Instant.EPOCH, 1, "ext4", null, null, true, 1, doubts);
    }

    @Test
    void percentilesAreOfTheSamples() {
        long[] nanos = new long[200];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = nanos.length - i;
        }
        assertThat(SyncLatency.of(nanos)).isEqualTo(new SyncLatency(200, 1, 101, 199, 200));
        assertThat(SyncLatency.of(new long[] {5})).isEqualTo(new SyncLatency(1, 5, 5, 5, 5));
    }

    @Test
    void aRealDiskIsTriedShortlyAndNothingIsLeftBehind() throws IOException {
        DiskTruth truth = new TruthTest(FileLayers.system(), directory, InstantSource.system()).run();
        assertThat(truth.fileSystem()).isNotBlank();
        assertThat(truth.sync()).isNotNull();
        assertThat(truth.sync().samples()).isGreaterThanOrEqualTo(3);
        assertThat(truth.sync().minNanos()).isPositive();
        assertThat(truth.directorySync()).isTrue();
        assertThat(truth.freeBytes()).isPositive();
        try (var files = Files.list(directory)) {
            assertThat(files.toList()).isEmpty();
        }
    }

    @Test
    void aDiskWithoutRoomIsNotTriedAndThatIsSaid() throws IOException {
        SimulatedFiles machine = new SimulatedFiles(1);
        machine.setSpace(0);
        DiskTruth truth = new TruthTest(machine, SimulatedFiles.ROOT, InstantSource.system()).run();
        assertThat(truth.sync()).isNull();
        assertThat(codes(truth.doubts())).contains(Code.NOT_TRIED, Code.LITTLE_SPACE);
        assertThat(machine.list(SimulatedFiles.ROOT)).isEmpty();
    }

    @Test
    void aSyncThatFailsIsADoubtAndNoFailure() throws IOException {
        SimulatedFiles machine = new SimulatedFiles(1);
        machine.failNth(SimulatedFiles.Call.SYNC, 2);
        DiskTruth truth = new TruthTest(machine, SimulatedFiles.ROOT, InstantSource.system()).run();
        assertThat(truth.verdict()).isEqualTo(Verdict.DOUBTFUL);
        assertThat(codes(truth.doubts())).contains(Code.NOT_TRIED);
    }
}
