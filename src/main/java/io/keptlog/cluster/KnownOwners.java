// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.metadata.Broker;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which other broker was found to have a partition. Believed for a moment; a wrong answer costs one more question. Thread-safe. */
final class KnownOwners {
    private static final long FRESH_NANOS = 2_000_000_000L;

    private final Map<String, Owner> owners = new ConcurrentHashMap<>();

    private record Owner(Broker broker, long atNanos) {}

    @Nullable
    Broker find(String partition) {
        Owner known = owners.get(partition);
        return known != null && System.nanoTime() - known.atNanos() < FRESH_NANOS ? known.broker() : null;
    }

    void learnt(String partition, Broker owner) {
        owners.put(partition, new Owner(owner, System.nanoTime()));
    }

    void forget(String partition) {
        owners.remove(partition);
    }

    void forgetAll() {
        owners.clear();
    }
}
