// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.CatalogContract;
import io.keptlog.storage.file.FaultyFiles.Call;
import io.keptlog.storage.file.FileLayer.Mode;
import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.file.SimulatedFiles.Options;
import io.keptlog.storage.file.StoreFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JournalCatalogTest extends CatalogContract {
    private static final Path CATALOG = JournalMachine.ROOT.resolve("catalog");

    private final long seed = new Random().nextLong();
    private JournalMachine machine;

    @BeforeEach
    void start() {
        machine = new JournalMachine(seed, Options.HARSH);
        machine.start();
    }

    @AfterEach
    void stop() {
        machine.close();
    }

    @Override
    protected Catalog catalog() {
        return machine.catalog;
    }

    @Override
    protected Catalog reopened() {
        machine.restart();
        return machine.catalog;
    }

    private void make(String name) {
        catalog().change(s -> stream(s, name));
    }

    private Path newest(String copy) throws IOException {
        return machine.disk.list(CATALOG.resolve(copy)).stream()
                .filter(p -> p.toString().endsWith(".journal"))
                .toList()
                .getLast();
    }

    /** Overwrites bytes of a file on disk and in the cache. */
    private void damage(Path file, long position, byte[] bytes) throws IOException {
        try (StoreFile f = machine.disk.open(file, Mode.READ_WRITE)) {
            f.write(MemorySegment.ofArray(bytes), position);
            f.syncData();
        }
    }

    private void flipBit(Path file, long position) throws IOException {
        byte[] one = new byte[1];
        try (StoreFile f = machine.disk.open(file, Mode.READ)) {
            f.read(MemorySegment.ofArray(one), position);
        }
        damage(file, position, new byte[] {(byte) (one[0] ^ 4)});
    }

    private void truncate(Path file, long size) throws IOException {
        try (StoreFile f = machine.disk.open(file, Mode.READ_WRITE)) {
            f.truncate(size);
            f.syncData();
        }
    }

    private List<RecoveryReport> reports() {
        return machine.reports.list();
    }

    private void refused(ErrorCode code, Runnable change) {
        assertThatThrownBy(change::run).isInstanceOfSatisfying(KeptlogException.class, e -> assertThat(e.code())
                .isEqualTo(code));
    }

    /** A stopped catalog with streams a and b, b being the last record of the newest generation. */
    private void stoppedWithAAndB() {
        make("a");
        make("b");
        machine.stop();
    }

    @Test
    void oneDamagedCopyCostsNothingIsReportedAndRebuilt() throws IOException {
        for (String copy : List.of("a", "b")) {
            for (boolean emptied : new boolean[] {true, false}) {
                stop();
                start();
                stoppedWithAAndB();
                if (emptied) {
                    truncate(newest(copy), 0);
                } else {
                    flipBit(newest(copy), 12288 + 40);
                }
                machine.start();
                assertThat(names(catalog().state())).containsExactly("a", "b");
                assertThat(catalog().faults()).isEmpty();
                assertThat(reports()).hasSize(1);
                assertThat(reports().getFirst().found()).isEqualTo(Found.JOURNAL_DAMAGE);
                assertThat(reports().getFirst().action()).isEqualTo(Action.REBUILT);
                make("c");
                machine.restart();
                assertThat(names(catalog().state())).containsExactly("a", "b", "c");
                assertThat(reports()).hasSize(1);
            }
        }
    }

    @Test
    void eachRecordIsTakenFromWhicheverCopyIsValid() throws IOException {
        stoppedWithAAndB();
        long second = position("b");
        flipBit(newest("a"), second + 50);
        flipBit(newest("b"), position("a") + 50);
        machine.start();
        assertThat(names(catalog().state())).containsExactly("a", "b");
        assertThat(catalog().faults()).isEmpty();
    }

    /** Where the record that makes this stream begins. */
    private long position(String name) throws IOException {
        byte[] bytes = new byte[100_000];
        try (StoreFile f = machine.disk.open(newest("a"), Mode.READ)) {
            f.read(MemorySegment.ofArray(bytes), 0);
        }
        String text = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
        return text.lastIndexOf("JFRM", text.indexOf("\"name\":\"" + name + "\""));
    }

    @Test
    void whenBothCopiesAreDamagedChangesAreRefusedAndNothingIsTouched() throws IOException {
        stoppedWithAAndB();
        flipBit(newest("a"), position("b") + 50);
        flipBit(newest("b"), position("b") + 50);
        List<Path> before = machine.disk.list(CATALOG.resolve("a"));
        machine.start();
        assertThat(names(catalog().state())).containsExactly("a");
        assertThat(catalog().faults()).hasSize(1);
        refused(ErrorCode.CATALOG_FENCED, () -> make("c"));
        assertThat(reports()).hasSize(1);
        assertThat(reports().getFirst().action()).isEqualTo(Action.REFUSED);
        assertThat(machine.disk.list(CATALOG.resolve("a"))).isEqualTo(before);
        machine.restart();
        assertThat(names(catalog().state())).containsExactly("a");
        refused(ErrorCode.CATALOG_FENCED, () -> make("c"));
    }

    @Test
    void bothCopiesCutAtARecordBorderAreDamageNotAnOlderCatalog() throws IOException {
        make("a");
        make("b");
        machine.stop();
        machine.start(); // The snapshot has both; evidence of later records comes with the next ones.
        make("c");
        make("d");
        machine.stop();
        long third = position("c");
        for (String copy : List.of("a", "b")) {
            damage(newest(copy), third, new byte[4096]);
        }
        machine.start();
        assertThat(catalog().faults()).as("seed " + seed).hasSize(1);
        assertThat(names(catalog().state())).containsExactly("a", "b");
    }

    @Test
    void emptiedNewestFilesFallBackToThePreviousGenerationForReadingOnly() throws IOException {
        make("a");
        machine.restart();
        make("b");
        machine.stop();
        truncate(newest("a"), 0);
        truncate(newest("b"), 0);
        machine.start();
        assertThat(names(catalog().state())).containsExactly("a");
        refused(ErrorCode.CATALOG_FENCED, () -> make("c"));
        assertThat(reports()).hasSize(1);
    }

    @Test
    void missingNewestFilesAreNoticed() throws IOException {
        make("a");
        machine.restart();
        make("b");
        machine.stop();
        for (String copy : List.of("a", "b")) {
            machine.disk.delete(newest(copy));
        }
        machine.start();
        refused(ErrorCode.CATALOG_FENCED, () -> make("c"));
        assertThat(names(catalog().state())).containsExactly("a");
        assertThat(reports()).hasSize(1);
    }

    @Test
    void aLostCatalogIsNotAnEmptyOne() throws IOException {
        make("a");
        machine.stop();
        for (String copy : List.of("a", "b")) {
            for (Path file : machine.disk.list(CATALOG.resolve(copy))) {
                machine.disk.delete(file);
            }
            machine.disk.delete(CATALOG.resolve(copy));
        }
        machine.disk.delete(CATALOG);
        machine.start();
        assertThat(catalog().state().streams()).isEmpty();
        assertThat(catalog().faults()).hasSize(1);
        refused(ErrorCode.CATALOG_FENCED, () -> make("c"));
        assertThat(reports()).hasSize(1);
        assertThat(machine.disk.exists(CATALOG)).isFalse();
    }

    @Test
    void aFailedSyncMakesTheOutcomeUnknownAndFencesTheCatalog() {
        make("a");
        machine.files.fail(Call.SYNC, p -> p.startsWith(CATALOG), 1, () -> new IOException("EIO"));
        refused(ErrorCode.SYNC_FAILED, () -> make("b"));
        assertThat(names(catalog().state())).containsExactly("a");
        machine.files.heal();
        refused(ErrorCode.CATALOG_FENCED, () -> make("c"));
        assertThat(catalog().faults()).hasSize(1);
        machine.kill();
        machine.start();
        assertThat(catalog().faults()).isEmpty();
        assertThat(names(catalog().state())).startsWith("a").doesNotContain("c");
        make("d");
        assertThat(names(catalog().state())).contains("d");
    }

    @Test
    void anErrorInASyncCountsAsAFailure() {
        machine.files.fail(Call.SYNC, p -> p.startsWith(CATALOG), 1, () -> new InternalError("mapped page"));
        refused(ErrorCode.SYNC_FAILED, () -> make("b"));
        refused(ErrorCode.CATALOG_FENCED, () -> make("c"));
    }

    @Test
    void afterAFailedSyncTheRestartWritesEverythingAnew() {
        make("a");
        machine.disk.failNth(SimulatedFiles.Call.SYNC, 1);
        refused(ErrorCode.SYNC_FAILED, () -> make("b"));
        machine.kill();
        machine.start();
        List<String> shown = names(catalog().state());
        machine.cutPower(new Random(seed));
        machine.start();
        assertThat(names(catalog().state())).as("seed " + seed).isEqualTo(shown);
    }

    @Test
    void aFullDiskRefusesNewThingsAndTakesDeletes() {
        make("a");
        machine.files.failFrom(
                Call.WRITE, p -> p.startsWith(CATALOG), 1, () -> new NoSpaceException("no space left on device"));
        refused(ErrorCode.NO_SPACE, () -> make("b"));
        assertThat(catalog().faults()).isEmpty();
        machine.files.heal();
        // The first try finds no space, the second one has the reserve.
        machine.files.fail(
                Call.WRITE, p -> p.startsWith(CATALOG), 1, () -> new NoSpaceException("no space left on device"));
        catalog().change(s -> new CatalogChange.StreamDeleted(0));
        make("c");
        assertThat(names(reopened().state())).containsExactly("c");
    }

    @Test
    void aRestartOnAFullDiskShowsEverythingAndWritesAgainWhenThereIsSpace() {
        make("a");
        machine.stop();
        machine.disk.setSpace(0);
        machine.start();
        assertThat(names(catalog().state())).containsExactly("a");
        refused(ErrorCode.NO_SPACE, () -> make("b"));
        machine.disk.setSpace(1L << 40);
        make("c");
        assertThat(names(reopened().state())).containsExactly("a", "c");
    }

    @Test
    void readingNeverWaitsForAChangeThatIsBeingSynced() throws Exception {
        make("a");
        var hold = machine.files.hold(Call.SYNC, p -> p.startsWith(CATALOG));
        var change = CompletableFuture.runAsync(() -> make("b"));
        hold.awaitArrival();
        assertThat(names(catalog().state())).containsExactly("a");
        hold.release();
        change.get(30, TimeUnit.SECONDS);
        assertThat(names(catalog().state())).containsExactly("a", "b");
    }

    @Test
    void bothCopiesAreSyncedBeforeTheChangeIsSeen() {
        make("a");
        machine.files.clearEvents();
        make("b");
        var order = machine.files.events().stream()
                .filter(e -> e.path().startsWith(CATALOG) && (e.call() == Call.WRITE || e.call() == Call.SYNC))
                .map(e -> e.call() + " " + e.path().getParent().getFileName())
                .toList();
        assertThat(order).startsWith("WRITE a", "WRITE b", "SYNC a", "SYNC b");
    }

    @Test
    void aCopyThatIsCutAtAnyByteOfItsLastRecordCostsNothing() throws IOException {
        for (int cut = 0; cut < 130; cut += 5) {
            stop();
            start();
            stoppedWithAAndB();
            damage(newest("a"), position("b") + cut, new byte[4096]);
            machine.start();
            assertThat(names(catalog().state())).as("cut at " + cut).containsExactly("a", "b");
            assertThat(catalog().faults()).isEmpty();
        }
    }
}
