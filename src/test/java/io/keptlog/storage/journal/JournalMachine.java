// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.StoreObserver;
import io.keptlog.storage.file.DataDirectory;
import io.keptlog.storage.file.FaultyFiles;
import io.keptlog.storage.file.SimulatedFiles;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/** A simulated machine with a data directory and the three journals, which can be stopped, cut off and started again. */
final class JournalMachine implements AutoCloseable {
    static final Path ROOT = SimulatedFiles.ROOT.resolve("data");
    private static final ThreadFactory THREADS =
            Thread.ofPlatform().daemon().name("journal-test-", 0).factory();
    static final JournalEnvironment ENVIRONMENT =
            new JournalEnvironment(THREADS, InstantSource.system(), StoreObserver.NONE);

    /** Small, so that rewriting happens all the time. */
    long compactBytes = 1L << 30;

    long flushAgeMillis = 60_000;
    SimulatedFiles disk;
    FaultyFiles files;
    DataDirectory data;
    JournalReports reports;
    JournalCatalog catalog;
    JournalOffsetStore offsets;

    JournalMachine(long seed, SimulatedFiles.Options options) {
        disk = new SimulatedFiles(seed, options);
    }

    void start() {
        start(faults -> {});
    }

    /** @param prepare what goes wrong while it starts */
    void start(Consumer<FaultyFiles> prepare) {
        files = new FaultyFiles(disk);
        prepare.accept(files);
        data = DataDirectory.open(files, ROOT, InstantSource.system());
        reports = JournalReports.open(data, ENVIRONMENT);
        catalog = JournalCatalog.open(
                data, reports, ENVIRONMENT, JournalCatalog.settings(data).withCompactBytes(compactBytes));
        offsets = JournalOffsetStore.open(
                data,
                reports,
                ENVIRONMENT,
                JournalOffsetStore.settings(data).withCompactBytes(compactBytes).withFlushAgeMillis(flushAgeMillis));
    }

    void stop() {
        offsets.close();
        catalog.close();
        reports.close();
        data.close();
    }

    void restart() {
        stop();
        start();
    }

    /** SIGKILL: what the kernel has stays. */
    void kill() {
        disk = disk.processKill();
        abandon();
    }

    void cutPower(Random random) {
        disk = disk.powerCut(random);
        abandon();
    }

    /** The threads of the dead process end by themselves: their disk is off. */
    private void abandon() {
        for (AutoCloseable journal : new AutoCloseable[] {offsets, catalog, reports}) {
            try {
                if (journal != null) {
                    journal.close();
                }
            } catch (KeptlogException expected) {
                continue; // Its disk is off, so it cannot end well.
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
        offsets = null;
        catalog = null;
        reports = null;
    }

    @Override
    public void close() {
        abandon();
    }
}
