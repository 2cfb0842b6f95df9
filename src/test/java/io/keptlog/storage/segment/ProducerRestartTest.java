// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.ProducerStamp;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.Appended;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.TestBatches;
import io.keptlog.storage.TestBatches.Read;
import io.keptlog.storage.file.FaultyFiles;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.segment.format.CheckpointFile;
import io.keptlog.storage.segment.format.ProducersFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Idempotent producers over kills, power cuts and lost snapshots: the log alone says what is stored. */
class ProducerRestartTest {
    private static final Path DATA = SimulatedFiles.ROOT.resolve("data");
    private static final int PRODUCERS = 3;

    private static Deadline soon() {
        return Deadline.in(Duration.ofSeconds(30));
    }

    private static LogOptions small(Durability durability) {
        return new LogOptions(4096, durability, 1024, 1 << 20, false);
    }

    private static byte[] record(long producer, long sequence) {
        String text = "producer " + producer + " message " + sequence + " ";
        return TestBatches.record(
                sequence + 1, text.repeat(1 + (int) (sequence % 9)).getBytes(StandardCharsets.UTF_8));
    }

    private static MessageBatch sent(long producer, long sequence, int count) {
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(record(producer, sequence + i));
        }
        return TestBatches.batch(records).by(new ProducerStamp(producer, 1, sequence));
    }

    private static List<String> readAll(PartitionLog log) {
        List<String> all = new ArrayList<>();
        long from = log.status().firstOffset();
        while (true) {
            try (Slice slice = log.read(from, 100, 1 << 20, Visibility.TOPIC)) {
                if (slice.count() == 0) {
                    return all;
                }
                TestBatches.messages(slice).stream().map(Read::record).forEach(all::add);
                from = slice.nextOffset();
            }
        }
    }

    private static StoreFixture on(FileLayer files, StoreFixture before) {
        StoreFixture after = new StoreFixture(files, before.dataDir);
        after.settings = before.settings;
        after.catalog.addAll(before.catalog);
        after.epoch.set(before.epoch.get());
        return after;
    }

    private static void until(String what, BooleanSupplier condition) {
        Deadline deadline = soon();
        while (!condition.getAsBoolean()) {
            assertThat(deadline.passed()).as(what).isFalse();
            Thread.onSpinWait();
        }
    }

    /** What a sender knows: the log as it must be, message by message. */
    private static final class Senders {
        private final List<String> stored = new ArrayList<>();
        private final List<Long> sequences = new ArrayList<>();
        private final List<Long> producers = new ArrayList<>();

        long next(long producer) {
            return producers.stream().filter(one -> one == producer).count();
        }

        long offset(long producer, long sequence) {
            for (int i = 0; i < stored.size(); i++) {
                if (producers.get(i) == producer && sequences.get(i) == sequence) {
                    return i;
                }
            }
            return -1;
        }

        void send(PartitionLog log, Random random) {
            long producer = 1 + random.nextInt(PRODUCERS);
            long next = next(producer);
            long from = Math.max(0, next - random.nextInt(12));
            int count = 1 + random.nextInt(6);
            Appended appended = log.append(sent(producer, from, count), soon());
            if (from + count <= next) {
                assertThat(appended.duplicate()).isTrue();
                assertThat(appended.baseOffset()).isLessThanOrEqualTo(offset(producer, from));
                assertThat(appended.endOffset()).isGreaterThan(offset(producer, from + count - 1));
                if (appended.endOffset() - appended.baseOffset() == count) {
                    assertThat(appended.baseOffset()).isEqualTo(offset(producer, from));
                }
                return;
            }
            assertThat(appended.duplicate()).isFalse();
            assertThat(appended.baseOffset()).isEqualTo(stored.size());
            assertThat(appended.endOffset() - appended.baseOffset()).isEqualTo(from + count - next);
            for (long sequence = next; sequence < from + count; sequence++) {
                stored.add(TestBatches.text(record(producer, sequence)));
                sequences.add(sequence);
                producers.add(producer);
            }
        }

        void cutTo(int size) {
            stored.subList(size, stored.size()).clear();
            sequences.subList(size, sequences.size()).clear();
            producers.subList(size, producers.size()).clear();
        }
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void eachMessageIsStoredOnceOverKillsPowerCutsAndLostSnapshots(Durability durability) throws Exception {
        long seed = System.nanoTime();
        System.out.println("eachMessageIsStoredOnceOverKillsPowerCutsAndLostSnapshots seed " + seed);
        Random random = new Random(seed);
        for (int run = 0; run < Integer.getInteger("keptlog.runs", 10); run++) {
            SimulatedFiles machine = new SimulatedFiles(random.nextLong());
            StoreFixture fixture = new StoreFixture(machine, DATA);
            fixture.settings = SegmentStoreSettings.defaults().withFlushAgeMillis(60_000);
            PartitionSpec spec = fixture.create(small(durability)).spec();
            Path snapshot = DATA.resolve(
                            "streams/0/topics/0/partitions/" + spec.ref().partitionId())
                    .resolve("producers");
            Senders senders = new Senders();
            byte[] stale = null;
            for (int life = 0; life < 6; life++) {
                PartitionLog log = fixture.store().find(spec.ref());
                int sends = random.nextInt(40);
                for (int i = 0; i < sends; i++) {
                    senders.send(log, random);
                    if (random.nextInt(8) == 0) {
                        log.tail().awaitPersisted(log.status().endOffset(), soon());
                    }
                }
                SimulatedFiles after = random.nextBoolean() ? machine.powerCut(random) : machine.processKill();
                fixture.close();
                stale = spoil(after, snapshot, random, stale);
                fixture = on(after, fixture);
                machine = after;
                List<String> found = readAll(fixture.store().find(spec.ref()));
                assertThat(found).as("seed " + seed).isEqualTo(senders.stored.subList(0, found.size()));
                senders.cutTo(found.size());
            }
            fixture.close();
        }
    }

    /** @return a snapshot to put back in a later life */
    private static byte[] spoil(SimulatedFiles machine, Path snapshot, Random random, byte[] stale) throws IOException {
        byte[] now = null;
        if (machine.exists(snapshot)) {
            try (StoreFile file = machine.open(snapshot, FileLayer.Mode.READ)) {
                now = new byte[(int) file.size()];
                file.read(MemorySegment.ofArray(now), 0);
            }
        }
        switch (random.nextInt(4)) {
            case 0 -> {
                if (now != null) {
                    machine.delete(snapshot);
                }
            }
            case 1 -> {
                if (now != null) {
                    byte[] bad = now.clone();
                    bad[random.nextInt(bad.length)] ^= 1;
                    put(machine, snapshot, bad);
                }
            }
            case 2 -> {
                if (stale != null) {
                    put(machine, snapshot, stale);
                }
            }
            default -> {}
        }
        return now == null || (stale != null && random.nextBoolean()) ? stale : now;
    }

    private static void put(SimulatedFiles machine, Path path, byte[] content) throws IOException {
        if (machine.exists(path)) {
            machine.delete(path);
        }
        try (StoreFile file = machine.open(path, FileLayer.Mode.CREATE_NEW)) {
            file.write(MemorySegment.ofArray(content), 0);
            file.syncData();
        }
        machine.syncDirectory(path.getParent());
    }

    @Test
    void whatRetentionDeletedIsStillConfirmedAfterARestart() {
        SimulatedFiles machine = new SimulatedFiles(1);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        fixture.settings = SegmentStoreSettings.defaults().withFlushAgeMillis(60_000);
        PartitionLog log = fixture.create(small(Durability.REPLICATED));
        Appended first = log.append(sent(9, 0, 2), soon());
        deletedFramesOf(fixture, machine, log);
        SimulatedFiles after = machine.powerCut(new Random(2));
        fixture.close();
        StoreFixture again = on(after, fixture);
        PartitionLog reopened = again.store().find(log.spec().ref());
        assertThat(reopened.append(sent(9, 0, 2), soon()))
                .isEqualTo(new Appended(first.baseOffset(), first.endOffset(), first.epoch(), true));
        assertThat(reopened.append(sent(9, 2, 1), soon()).duplicate()).isFalse();
        assertThat(again.reports).isEmpty();
        again.close();
    }

    @Test
    void whatOnlyAGarbledSnapshotKnewIsForgottenAndTold() throws IOException {
        SimulatedFiles machine = new SimulatedFiles(1);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        fixture.settings = SegmentStoreSettings.defaults().withFlushAgeMillis(60_000);
        PartitionLog log = fixture.create(small(Durability.REPLICATED));
        log.append(sent(9, 0, 2), soon());
        deletedFramesOf(fixture, machine, log);
        long firstOffset = log.status().firstOffset();
        SimulatedFiles after = machine.powerCut(new Random(2));
        fixture.close();
        put(after, fixture.directory(log).resolve("producers"), new byte[] {1, 2, 3});
        StoreFixture again = on(after, fixture);
        PartitionLog reopened = again.store().find(log.spec().ref());
        assertThat(again.reports).singleElement().satisfies(report -> {
            assertThat(report.partition()).isEqualTo(log.spec().ref());
            assertThat(report.found()).isEqualTo(RecoveryReport.Found.FORGOTTEN_PRODUCERS);
            assertThat(report.fromOffset()).isEqualTo(firstOffset);
        });
        assertThat(reopened.append(sent(9, 0, 2), soon()).duplicate()).isFalse();
        again.close();
    }

    /** A roll's snapshot was kept, the new segment was not, and the one before it went on. */
    @Test
    void aSnapshotOfTheBeginningOfASegmentThatWasPutAsideIsStillBelieved() throws IOException {
        SimulatedFiles machine = new SimulatedFiles(1);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        fixture.settings = SegmentStoreSettings.defaults().withFlushAgeMillis(60_000);
        PartitionLog log = fixture.create(small(Durability.REPLICATED));
        log.append(sent(9, 0, 2), soon());
        deletedFramesOf(fixture, machine, log);
        assertThat(fixture.store().drain(soon())).isEmpty();
        fixture.close();
        SimulatedFiles after = machine.powerCut(new Random(2));
        StoreFixture again = on(after, fixture);
        PartitionLog goesOn = again.store().find(log.spec().ref());
        long incarnation = log.spec().incarnation();
        FrameChain end = CheckpointFile.read(after, fixture.directory(log).resolve("checkpoint"), incarnation)
                .newest()
                .end();
        goesOn.tail()
                .awaitPersisted(goesOn.append(TestBatches.batch(1, 10), soon()).endOffset(), soon());
        SimulatedFiles cut = after.powerCut(new Random(3));
        again.close();
        Path snapshot = fixture.directory(log).resolve("producers");
        var states = ProducersFile.read(cut, snapshot, incarnation).states().list();
        cut.delete(snapshot);
        ProducersFile.write(cut, snapshot, incarnation, new ProducersFile.Point(end.endOffset(), 4096, end), states);
        StoreFixture third = on(cut, again);
        PartitionLog reopened = third.store().find(log.spec().ref());
        assertThat(third.reports).isEmpty();
        assertThat(reopened.append(sent(9, 0, 2), soon()).duplicate()).isTrue();
        third.close();
    }

    /** Retention takes the first frames, which a durable snapshot knows by then. */
    private static void deletedFramesOf(StoreFixture fixture, SimulatedFiles machine, PartitionLog log) {
        for (int i = 0; i < 40; i++) {
            log.append(TestBatches.batch(1, 500), soon());
        }
        log.tail().awaitPersisted(log.status().endOffset(), soon());
        Path snapshot = fixture.directory(log).resolve("producers");
        until("the snapshot is written", () -> machine.exists(snapshot));
        until("the snapshot is durable, so that what it knows may go", () -> {
            log.deleteSegments(30, Gap.Reason.RETENTION);
            return log.status().firstOffset() > 2;
        });
    }

    @Test
    void anIdleLogIsSnapshottedAndALogWithoutProducersHasNoSnapshot() {
        SimulatedFiles machine = new SimulatedFiles(1);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        PartitionLog log = fixture.create(LogOptions.defaults(Durability.REPLICATED));
        PartitionLog plain = fixture.create(LogOptions.defaults(Durability.REPLICATED));
        plain.append(TestBatches.batch(3, 10), soon());
        log.append(sent(9, 0, 2), soon());
        Path snapshot = fixture.directory(log).resolve("producers");
        until("the snapshot is written", () -> machine.exists(snapshot));
        assertThat(machine.exists(fixture.directory(plain).resolve("producers")))
                .isFalse();
        fixture.close();
    }

    @Test
    void aNewLifeOfThePlaceKnowsNobody() {
        SimulatedFiles machine = new SimulatedFiles(1);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        PartitionLog log = fixture.create(LogOptions.defaults(Durability.REPLICATED));
        log.append(sent(9, 0, 2), soon());
        PartitionSpec purged = new PartitionSpec(
                log.spec().ref(), log.spec().incarnation() + 1, log.spec().options());
        fixture.catalog.remove(log.spec());
        PartitionLog next = fixture.create(purged);
        assertThat(next.append(sent(9, 0, 2), soon()).duplicate()).isFalse();
        assertThat(next.append(sent(9, 0, 2), soon()).duplicate()).isTrue();
        fixture.close();
    }

    @Test
    void aFailedFirstTryDoesNotSwallowItsRetry() {
        FaultyFiles files = new FaultyFiles(new SimulatedFiles(1));
        StoreFixture fixture = new StoreFixture(files, DATA);
        PartitionLog log = fixture.create(LogOptions.defaults(Durability.REPLICATED));
        log.append(sent(9, 0, 2), soon());
        files.fail(
                FaultyFiles.Call.WRITE,
                path -> path.toString().endsWith(".log"),
                1,
                () -> new NoSpaceException("full"));
        assertThatThrownBy(() -> log.append(sent(9, 2, 3), soon()))
                .isInstanceOfSatisfying(
                        KeptlogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE));
        files.heal();
        Appended retry = log.append(sent(9, 2, 3), soon());
        assertThat(retry.duplicate()).isFalse();
        assertThat(retry.baseOffset()).isEqualTo(2);
        assertThat(log.append(sent(9, 2, 3), soon()).duplicate()).isTrue();
        fixture.close();
    }

    @Test
    void aWriteThatFencedTheLogIsTriedAgainAfterTheRestart() {
        SimulatedFiles machine = new SimulatedFiles(1);
        FaultyFiles files = new FaultyFiles(machine);
        StoreFixture fixture = new StoreFixture(files, DATA);
        PartitionLog log = fixture.create(LogOptions.defaults(Durability.REPLICATED));
        log.append(sent(9, 0, 2), soon());
        files.fail(
                FaultyFiles.Call.WRITE, path -> path.toString().endsWith(".log"), 1, () -> new IOException("broken"));
        assertThatThrownBy(() -> log.append(sent(9, 2, 3), soon())).isInstanceOf(KeptlogException.class);
        files.heal();
        fixture.close();
        StoreFixture again = on(machine.processKill(), fixture);
        PartitionLog reopened = again.store().find(log.spec().ref());
        assertThat(reopened.append(sent(9, 0, 2), soon()).duplicate()).isTrue();
        assertThat(reopened.append(sent(9, 2, 3), soon()).baseOffset()).isEqualTo(2);
        again.close();
    }
}
