// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.metadata;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Per life of a partition: an ephemeral lock that says which broker owns it, and a durable record with the number of times it was opened.
 * The lock decides who tries; BookKeeper's fencing decides who can. Thread-safe.
 */
public final class PartitionLocks {
    private static final String OWNERS = Metadata.ROOT + "/owners/";
    private static final String RECORDS = Metadata.ROOT + "/partitions/";

    private final Metadata metadata;

    public PartitionLocks(Metadata metadata) {
        this.metadata = metadata;
    }

    /** The partition whose lock a changed path is, or null. */
    public static @Nullable String partitionOf(String path) {
        return path.startsWith(OWNERS) ? path.substring(OWNERS.length()) : null;
    }

    /** @return whether this session holds the lock now */
    public boolean acquire(String partition, String brokerId) {
        String path = OWNERS + partition;
        if (metadata.createEphemeral(path, brokerId.getBytes(StandardCharsets.UTF_8))) {
            return true;
        }
        Metadata.Value held = metadata.get(path);
        return held != null && held.mine();
    }

    /** The owner's broker id, or null. */
    public @Nullable String owner(String partition) {
        Metadata.Value held = metadata.get(OWNERS + partition);
        return held == null ? null : new String(held.bytes(), StandardCharsets.UTF_8);
    }

    /** Nothing happens when this session does not hold it. */
    public void release(String partition) {
        Metadata.Value held = metadata.get(OWNERS + partition);
        if (held != null && held.mine()) {
            metadata.delete(OWNERS + partition);
        }
    }

    /** Durable before the catalog may name the partition. Repeatable. */
    public void prepare(String partition) {
        metadata.create(RECORDS + partition, "0".getBytes(StandardCharsets.UTF_8));
    }

    /** How often it was opened; −1 when there is no record. */
    public long openings(String partition) {
        Metadata.Value value = metadata.get(RECORDS + partition);
        return value == null ? -1 : number(value);
    }

    /** Counts one more opening, durable. Larger than every number given before. */
    public long nextOpening(String partition) {
        while (true) {
            Metadata.Value value = metadata.get(RECORDS + partition);
            if (value == null) {
                throw new IllegalStateException("partition " + partition + " has no record");
            }
            long next = number(value) + 1;
            OptionalLong version = metadata.replace(
                    RECORDS + partition, Long.toString(next).getBytes(StandardCharsets.UTF_8), value.version());
            if (version.isPresent()) {
                return next;
            }
        }
    }

    private static long number(Metadata.Value value) {
        return Long.parseLong(new String(value.bytes(), StandardCharsets.UTF_8));
    }

    public void forget(String partition) {
        metadata.delete(RECORDS + partition);
    }
}
