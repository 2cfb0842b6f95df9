// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.ConsumerKey.Kind;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.storage.file.DataDirectoryException;
import io.keptlog.storage.file.SimulatedFiles.Options;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Random histories on a simulated machine that stops at random calls, with and without loss of what was not synced. */
class JournalCrashTest {
    private static final int HISTORIES = 120;
    private static final PartitionSpec PARTITION =
            new PartitionSpec(new PartitionRef(1, 2, 3), 77, LogOptions.defaults(Durability.REPLICATED));

    private final long seed = new Random().nextLong();

    private static Options options(Random random) {
        return random.nextBoolean() ? Options.HARSH : Options.EXT4_LIKE;
    }

    /** Starts as often as the machine stops while starting. */
    private static void startAgain(JournalMachine machine, Random random) {
        for (int tries = 0; ; tries++) {
            boolean disturbed = tries < 3 && random.nextInt(3) == 0;
            if (disturbed) {
                machine.disk.stopAfter(random.nextInt(60));
            }
            try {
                machine.start();
                machine.disk.stopAfter(Long.MAX_VALUE);
                if (!machine.disk.stopped() && machine.catalog.faults().isEmpty()) {
                    return;
                }
                assertThat(machine.disk.stopped()).as("healthy after a crash").isTrue();
            } catch (DataDirectoryException | KeptlogException e) {
                if (!machine.disk.stopped()) {
                    throw e;
                }
            }
            crash(machine, random);
        }
    }

    private static void crash(JournalMachine machine, Random random) {
        if (random.nextBoolean()) {
            machine.cutPower(random);
        } else {
            machine.kill();
        }
    }

    @Test
    void everyAcknowledgedCatalogChangeIsThereAfterAnyCrash() {
        for (int history = 0; history < HISTORIES; history++) {
            var random = new Random(seed + history);
            String as = "seed " + seed + " history " + history;
            try (var machine = new JournalMachine(random.nextLong(), options(random))) {
                machine.compactBytes = 1_500;
                machine.start();
                var acknowledged = new TreeSet<String>();
                var perhaps = new TreeSet<String>();
                for (int life = 0; life < 4; life++) {
                    machine.disk.stopAfter(random.nextInt(80));
                    for (int i = 0; i < 15 && !machine.disk.stopped(); i++) {
                        change(machine, random, "n" + life + "-" + i, acknowledged, perhaps);
                    }
                    crash(machine, random);
                    startAgain(machine, random);
                    List<String> names = machine.catalog.state().streams().values().stream()
                            .map(s -> s.name())
                            .toList();
                    assertThat(names).as(as).containsAll(acknowledged);
                    var unexpected = new TreeSet<>(names);
                    unexpected.removeAll(acknowledged);
                    unexpected.removeAll(perhaps);
                    assertThat(unexpected).as(as).isEmpty();
                    acknowledged.addAll(names);
                    perhaps.clear();
                }
            }
        }
    }

    private static void change(
            JournalMachine machine, Random random, String name, TreeSet<String> acknowledged, TreeSet<String> perhaps) {
        boolean delete = random.nextInt(4) == 0 && !acknowledged.isEmpty();
        String victim = delete ? acknowledged.first() : null;
        try {
            if (delete) {
                acknowledged.remove(victim);
                perhaps.add(victim);
                machine.catalog.change(s -> new CatalogChange.StreamDeleted(s.streams().values().stream()
                        .filter(e -> e.name().equals(victim))
                        .findFirst()
                        .orElseThrow()
                        .id()));
                perhaps.remove(victim);
            } else {
                perhaps.add(name);
                machine.catalog.change(
                        s -> new CatalogChange.StreamCreated(s.nextStreamId(), 1, name, Map.of("k", "v".repeat(400))));
                acknowledged.add(name);
            }
        } catch (KeptlogException e) {
            assertThat(machine.disk.stopped()).as(e.reason()).isTrue();
        }
    }

    /** What a key may show after the next crash, oldest first; −1 = no offset. */
    private static final class Model {
        private record Written(long end, long value) {}

        final Map<Integer, List<Written>> candidates = new HashMap<>();

        void wrote(int key, long end, long value) {
            candidates
                    .computeIfAbsent(key, k -> new ArrayList<>(List.of(new Written(0, -1))))
                    .add(new Written(end, value));
        }

        void persisted(long end) {
            for (List<Written> list : candidates.values()) {
                while (list.size() > 1 && list.get(1).end <= end) {
                    list.removeFirst();
                }
            }
        }

        void check(int key, long shown, boolean powerCut, boolean lastFailed, String as) {
            List<Written> list = candidates.getOrDefault(key, List.of(new Written(0, -1)));
            List<Long> allowed = list.stream().map(Written::value).toList();
            if (!powerCut) {
                // The very last write may have failed half way: then it and the one before it are possible.
                allowed = allowed.subList(Math.max(0, allowed.size() - (lastFailed ? 2 : 1)), allowed.size());
            }
            assertThat(shown).as(as + " key " + key).isIn(allowed);
            candidates.put(key, new ArrayList<>(List.of(new Written(0, shown))));
        }
    }

    @Test
    void offsetsKeepWhatTheirLevelPromises() {
        for (int history = 0; history < HISTORIES; history++) {
            var random = new Random(seed - history);
            try (var machine = new JournalMachine(random.nextLong(), options(random))) {
                machine.compactBytes = 500;
                machine.flushAgeMillis = random.nextBoolean() ? 1 : 60_000;
                machine.start();
                var model = new Model();
                for (int life = 0; life < 4; life++) {
                    offsetsLife(machine, random, model, "seed " + seed + " history " + history + " life " + life);
                }
            }
        }
    }

    private static void offsetsLife(JournalMachine machine, Random random, Model model, String as) {
        machine.disk.stopAfter(random.nextInt(150));
        boolean failed = false;
        for (int i = 0; i < 80 && !failed; i++) {
            failed = !offsetWrite(machine, random, model);
        }
        boolean powerCut = random.nextBoolean();
        if (powerCut) {
            machine.cutPower(random);
        } else {
            machine.kill();
        }
        // Starting must not lose anything either: it is done without disturbance here, with it in the catalog's test.
        machine.start();
        for (int key = 0; key < 5; key++) {
            long shown = machine.offsets
                    .get(PARTITION, new ConsumerKey(Kind.CONSUMER, key))
                    .orElse(-1);
            model.check(key, shown, powerCut, failed, as);
        }
    }

    /** Whether the machine still runs. */
    private static boolean offsetWrite(JournalMachine machine, Random random, Model model) {
        int key = random.nextInt(5);
        var consumer = new ConsumerKey(Kind.CONSUMER, key);
        long value = random.nextLong(1L << 40);
        boolean delete = random.nextInt(6) == 0
                && machine.offsets.get(PARTITION, consumer).isPresent();
        long end;
        try {
            end = delete
                    ? machine.offsets.delete(PARTITION, consumer)
                    : machine.offsets.store(PARTITION, consumer, value);
        } catch (KeptlogException e) {
            assertThat(machine.disk.stopped()).as(e.reason()).isTrue();
            model.wrote(key, Long.MAX_VALUE, delete ? -1 : value);
            return false;
        }
        model.wrote(key, end, delete ? -1 : value);
        if (random.nextInt(4) == 0) {
            try {
                machine.offsets.tail(PARTITION).awaitPersisted(end, Deadline.inMillis(30_000));
                model.persisted(end);
            } catch (KeptlogException e) {
                assertThat(machine.disk.stopped()).as(e.reason()).isTrue();
                return true;
            }
        }
        return true;
    }
}
