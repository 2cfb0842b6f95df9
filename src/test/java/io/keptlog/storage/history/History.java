// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.file.DataDirectoryException;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.file.SimulatedFiles.Call;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One machine from its first start on: some lives of the process, each of which ends by a kill, a power cut or in order, with faults of the
 * disk in between. After each start everything is compared with the {@link Model}.
 */
final class History {
    static final boolean TRACE = Boolean.getBoolean("keptlog.trace");
    private static final long PLENTY_BYTES = 1L << 40;

    private static final int SYNC_THREADS = 4;
    /** Longer than any sync lasts. */
    private static final int REST_MILLIS = 100;

    private final Random random;
    /** One history in five has as few threads for syncs as can be: some are always waiting, also when everything is closed. */
    private final boolean syncsWait;

    private final Model model = new Model();
    private SimulatedFiles machine;
    private long nanos = 1;

    History(long seed) {
        this.random = new Random(seed);
        this.syncsWait = seed % 5 == 0;
        this.machine = new SimulatedFiles(
                random.nextLong(),
                random.nextInt(3) == 0 ? SimulatedFiles.Options.EXT4_LIKE : SimulatedFiles.Options.HARSH);
    }

    /** @return a number that another run of the same seed has as well */
    long run() {
        int lives = 2 + random.nextInt(3);
        for (int life = 0; life < lives && !model.dishonest; life++) {
            live(Faults.random(random, life == 0));
        }
        live(Faults.none(random));
        return nanos;
    }

    private void live(Faults faults) {
        var process = new Scheduler(new Random(random.nextLong()), nanos);
        var clients = new Random(random.nextLong());
        if (TRACE) {
            System.out.println("LIFE " + faults);
        }
        boolean ended = process.run(() -> {
            try {
                live(process, faults, clients);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        if (TRACE) {
            System.out.println("ENDED " + ended + " power cut " + faults.powerCut);
        }
        nanos = process.nanos();
        model.readFailed = false;
        machine.forgetFailures();
        crash(faults);
    }

    private void crash(Faults faults) {
        machine.setSpace(PLENTY_BYTES);
        model.syncFailed |= faults.io();
        if (faults.dropsPages) {
            machine.dropCleanPages();
            if (model.syncFailed) {
                model.powerCut();
            }
        }
        if (faults.powerCut) {
            machine = machine.powerCut(random);
            model.powerCut();
        } else {
            machine = machine.goOnAfterKill();
        }
        model.dishonest |= faults.kind == Faults.Kind.DISK_LIES;
    }

    private void live(Scheduler process, Faults faults, Random clients) throws InterruptedException {
        var files = new ProcessFiles(machine, process);
        boolean first = model.checks == 0;
        machine.stopAfter(faults.killedAfter);
        boolean disturbed = disturbStart(faults, first);
        Node node;
        try {
            node = Node.open(
                    files,
                    process,
                    new Node.Load(clients.nextBoolean() ? 1_000 : 60_000, syncsWait ? 2 : SYNC_THREADS));
        } catch (DataDirectoryException | KeptlogException | IOException | java.io.UncheckedIOException e) {
            if (!disturbed && !model.dishonest) {
                throw new AssertionError("no start in " + faults.kind, e);
            }
            return;
        }
        machine.forgetFailures();
        model.check(node, faults.full);
        if (model.readFailed || model.dishonest) {
            return;
        }
        List<Client> all = new ArrayList<>();
        for (int i = 0; i < Model.CLIENTS; i++) {
            all.add(new Client(i, node, model, faults, new Random(clients.nextLong())));
        }
        if (Node.specs(node.catalog.state()).isEmpty()) {
            all.getFirst().control().setUp();
        }
        disturb(faults, clients);
        work(process, node, faults, all);
        if (faults.full) {
            spaceReturns(node, faults, all.getFirst());
        }
    }

    /** A stop is none of the reasons for which a log may be fenced. */
    private static void requireNoFence(Node node, Faults faults) {
        if (!faults.io() && !node.fences.isEmpty()) {
            throw new AssertionError("fenced in " + faults.kind + ": " + node.fences);
        }
    }

    private void work(Scheduler process, Node node, Faults faults, List<Client> clients) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (Client client : clients) {
            Thread thread = process.thread(() -> client.run(faults.operations));
            threads.add(thread);
            thread.start();
        }
        boolean stopsAtWork = faults.stopsInOrder && random.nextBoolean();
        if (stopsAtWork) {
            SimulatedTime.sleepMillis(1 + random.nextInt(30));
        } else {
            for (Thread thread : threads) {
                thread.join();
            }
        }
        if (faults.stopsInOrder && syncsWait && random.nextBoolean()) {
            faults.abrupt = true;
            faults.stopping = true;
            node.close();
            for (Thread thread : threads) {
                thread.join();
            }
            SimulatedTime.sleepMillis(REST_MILLIS);
            requireNoFence(node, faults);
        } else if (faults.stopsInOrder) {
            faults.stopping = true;
            boolean clean = node.stop();
            for (Thread thread : threads) {
                thread.join();
            }
            if (!clean && !faults.io() && !faults.full) {
                throw new AssertionError("a stop that was not clean in " + faults.kind);
            }
            if (clean) {
                model.allPersisted();
            }
            if (syncsWait) {
                // What was left behind runs on; a thread that ends with an exception ends the history.
                SimulatedTime.sleepMillis(REST_MILLIS);
            }
            requireNoFence(node, faults);
        }
    }

    /** @return whether the start may fail */
    private boolean disturbStart(Faults faults, boolean first) {
        switch (faults.kind) {
            case READ_FAILS -> machine.failNth(Call.READ, 1 + random.nextInt(40));
            case START_FAILS -> machine.failNth(random.nextBoolean() ? Call.SYNC : Call.WRITE, 1 + random.nextInt(40));
            case FULL_AT_START -> {
                if (!first) {
                    faults.full = true;
                    machine.setSpace(machine.usedBytes() + 4096L * random.nextInt(20));
                }
                return false;
            }
            default -> {
                return false;
            }
        }
        model.readFailed = true;
        model.mayReportDamage = true;
        return true;
    }

    private void disturb(Faults faults, Random clients) {
        switch (faults.kind) {
            case SYNC_FAILS -> machine.failNth(Call.SYNC, 1 + clients.nextInt(40));
            case WRITE_FAILS -> machine.failNth(Call.WRITE, 1 + clients.nextInt(100));
            case FULL_DISK -> {
                faults.full = true;
                machine.setSpace(machine.usedBytes() + 4096L * clients.nextInt(60));
            }
            case DISK_LIES -> machine.lie(true);
            default -> {}
        }
    }

    /** Writes are taken again, without a restart. */
    private void spaceReturns(Node node, Faults faults, Client client) {
        if (faults.stopping) {
            return;
        }
        machine.setSpace(PLENTY_BYTES);
        SimulatedTime.sleepMillis(5_000);
        faults.full = false;
        for (PartitionSpec spec : model.specs()) {
            PartitionLog log = node.logs.find(spec.ref());
            if (log != null && log.spec().equals(spec)) {
                if (log.status().state() != LogStatus.State.OPEN) {
                    throw new AssertionError(spec + " is " + log.status().state() + " although there is space");
                }
                model.opened(node, log);
                client.mustAppend(log);
            }
        }
    }
}
