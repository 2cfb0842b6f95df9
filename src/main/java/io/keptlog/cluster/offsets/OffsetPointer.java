// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.offsets;

import io.keptlog.cluster.metadata.Metadata;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Which ledger holds the offsets of one life of a partition; a value in the metadata store. */
public final class OffsetPointer {
    private final Metadata metadata;
    private final String path;

    public OffsetPointer(Metadata metadata, String partition) {
        this.metadata = metadata;
        this.path = "/keptlog/offsets/" + partition;
    }

    /** Says on a ledger what it is. */
    Map<String, byte[]> labels() {
        return Map.of("keptlog", path.getBytes(StandardCharsets.UTF_8));
    }

    /** Where it points, as of a version of the pointer. */
    record Target(long ledgerId, long version) {}

    @Nullable
    Target read() {
        Metadata.Value value = metadata.get(path);
        return value == null
                ? null
                : new Target(Long.parseLong(new String(value.bytes(), StandardCharsets.UTF_8)), value.version());
    }

    /** @return where it points now; null when somebody else has moved it since */
    @Nullable
    Target move(@Nullable Target from, long ledgerId) {
        byte[] bytes = Long.toString(ledgerId).getBytes(StandardCharsets.UTF_8);
        if (from == null) {
            return metadata.create(path, bytes) ? read() : null;
        }
        OptionalLong version = metadata.replace(path, bytes, from.version());
        return version.isPresent() ? new Target(ledgerId, version.getAsLong()) : null;
    }

    /** The ledger to delete, when there is one; the pointer is gone. */
    public @Nullable Long remove() {
        Target target = read();
        metadata.delete(path);
        return target == null ? null : target.ledgerId();
    }
}
