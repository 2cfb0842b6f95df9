// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import io.keptlog.domain.Compression;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.Gap;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.PartitionEntry;
import io.keptlog.domain.catalog.Removal;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.domain.catalog.TopicOptions;
import io.keptlog.storage.Appended;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.TestBatches;
import io.keptlog.storage.file.FileLayers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The child process: writes, deletes and stores offsets until it is killed. Each line that it prints was answered: {@code append TOPIC ID
 * OFFSET}, {@code offset TOPIC VALUE}, {@code deleted TOPIC END}, {@code gone TOPIC}. {@code END} means that the point was never reached.
 */
public final class CrashChild {
    private static final int STREAM = 0;

    private final Node node;
    private long nextId = 1;

    private CrashChild(Node node) {
        this.node = node;
    }

    public static void main(String[] args) throws IOException {
        CrashPoint point = CrashPoint.valueOf(args[1]);
        Node node = Node.open(new KillingFiles(FileLayers.system(), point), Path.of(args[0]));
        new CrashChild(node).work();
        System.out.println("END");
        System.exit(0);
    }

    private static void answered(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static Deadline soon() {
        return Deadline.inMillis(20_000);
    }

    private void work() {
        node.catalog.change(s -> new CatalogChange.StreamCreated(STREAM, 1, "stream", Map.of()));
        create(0, Durability.PERSISTED);
        create(1, Durability.REPLICATED);
        create(2, Durability.REPLICATED);
        for (int round = 0; round < 40; round++) {
            for (int topic = 0; topic < 2; topic++) {
                append(topic);
                offset(topic, round);
            }
            if (round == 20) {
                retain(0);
            }
            if (round == 30) {
                remove(2);
            }
        }
    }

    private PartitionLog log(int topic) {
        return node.logs.find(new PartitionRef(STREAM, topic, 0));
    }

    private void create(int topic, Durability durability) {
        var options = new TopicOptions(
                Compression.NONE,
                TopicOptions.NEVER,
                TopicOptions.UNLIMITED,
                4096,
                durability,
                Durability.PERSISTED,
                1024,
                1 << 20,
                false,
                Set.of());
        var entry = new PartitionEntry(0, 1, 1000 + topic);
        PartitionSpec spec = new TopicEntry(
                        STREAM, topic, 1, "t" + topic, options, List.of(entry), 0, new java.util.TreeMap<>())
                .specs()
                .getFirst();
        node.catalog.change(
                s -> new CatalogChange.TopicCreated(STREAM, topic, 1, "t" + topic, options, List.of(entry)),
                c -> node.logs.prepare(List.of(spec)));
        node.logs.open(List.of(spec));
    }

    private void append(int topic) {
        PartitionLog log = log(topic);
        long id = nextId++;
        Appended appended = log.append(TestBatches.batch(List.of(record(id))), soon());
        if (log.spec().options().durability() == Durability.PERSISTED) {
            log.tail().awaitPersisted(appended.endOffset(), soon());
        }
        answered("append " + topic + " " + id + " " + appended.baseOffset());
    }

    /** The message of this number. */
    static byte[] record(long id) {
        byte[] payload = new byte[300];
        new java.util.Random(id).nextBytes(payload);
        return TestBatches.record(id, payload);
    }

    private void offset(int topic, int value) {
        PartitionSpec spec = log(topic).spec();
        long end = node.offsets.store(spec, Model.consumer(1), value);
        node.offsets.tail(spec).awaitPersisted(end, soon());
        answered("offset " + topic + " " + value);
    }

    private void retain(int topic) {
        PartitionLog log = log(topic);
        long end = log.sealedSegments().getFirst().endOffset();
        if (log.deleteSegments(end, Gap.Reason.DELETION).isEmpty()) {
            throw new AssertionError("nothing was deleted");
        }
        answered("deleted " + topic + " " + end);
    }

    private void remove(int topic) {
        node.catalog.change(s -> new CatalogChange.TopicDeleted(STREAM, topic));
        answered("gone " + topic);
        List<Removal> pending = List.copyOf(node.catalog.state().removals());
        node.offsets.forget(pending.stream()
                .map(r -> new PartitionSpec(r.ref(), r.incarnation(), LogOptions.defaults(Durability.REPLICATED)))
                .toList());
        node.logs.remove(pending);
    }
}
