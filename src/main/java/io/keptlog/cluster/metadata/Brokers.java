// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.metadata;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Who is alive. Each broker holds an ephemeral value; while its own is there and was made by its present session, every lock of that
 * session is held as well, and a short lease is renewed. A lease that has run out means: somebody else may own what this broker thinks it
 * owns. Thread-safe; {@link #keepAlive} is called by one thread.
 */
public final class Brokers {
    private static final String PATH = Metadata.ROOT + "/brokers";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Metadata metadata;
    private final Broker self;
    private final long leaseNanos;
    private final Map<String, Broker> known = new ConcurrentHashMap<>();
    private volatile long provenNanos;
    private volatile boolean proven;
    private boolean registered;
    /** Locks of an earlier session may still be believed to be held; true at first, when there are none. */
    private boolean lost = true;

    private volatile List<Broker> live = List.of();
    private volatile long unchangedSinceNanos = System.nanoTime();

    /**
     * @param sessionTimeoutMillis of the metadata session; the lease is two thirds of it
     */
    public Brokers(Metadata metadata, Broker self, int sessionTimeoutMillis) {
        this.metadata = metadata;
        this.self = self;
        this.leaseNanos = sessionTimeoutMillis * 1_000_000L / 3 * 2;
    }

    public Broker self() {
        return self;
    }

    /**
     * Renews the lease, registers again when the session was lost, and reads who else is alive. What fails on the way is tried again by the next
     * call, and does not hide that a session was lost.
     *
     * @return false when a session that held this broker's locks is over: they are all gone, and there is no lease until {@link #letGo}
     */
    public boolean keepAlive() {
        long before = System.nanoTime();
        String path = PATH + "/" + self.id();
        Metadata.Value own = metadata.get(path);
        if (own == null || !own.mine()) {
            proven = false;
            lost = true;
            register(path, own);
        } else if (!lost) {
            provenNanos = before;
            proven = true;
        }
        refresh();
        return !lost;
    }

    /** What was held under a session that is over is served no longer. */
    public void letGo() {
        lost = false;
    }

    private void register(String path, Metadata.@Nullable Value leftover) {
        if (leftover != null) {
            // Of the session before; it would vanish at some moment and take the new registration's name with it.
            metadata.delete(path);
        }
        if (!registered) {
            withdrawFormerRuns();
            registered = true;
        }
        metadata.createEphemeral(path, JSON.writeValueAsBytes(self));
    }

    /** A former run of this broker that has died is listed until its session ends; nobody should be sent there. */
    private void withdrawFormerRuns() {
        refresh();
        for (Broker broker : live) {
            if (broker.name().equals(self.name()) && !broker.id().equals(self.id())) {
                metadata.delete(PATH + "/" + broker.id());
            }
        }
    }

    private void refresh() {
        var now = new ArrayList<Broker>();
        for (String id : metadata.children(PATH)) {
            Broker broker = known.get(id);
            if (broker == null) {
                Metadata.Value value = metadata.get(PATH + "/" + id);
                if (value == null) {
                    continue;
                }
                broker = JSON.readValue(new String(value.bytes(), StandardCharsets.UTF_8), Broker.class);
                known.put(id, broker);
            }
            now.add(broker);
        }
        now.sort(Comparator.comparing(Broker::name).thenComparing(Broker::id));
        if (!now.equals(live)) {
            live = List.copyOf(now);
            unchangedSinceNanos = System.nanoTime();
            known.values().retainAll(now);
        }
    }

    /** Whether a changed path is about brokers. */
    public static boolean concerns(String path) {
        return path.startsWith(PATH);
    }

    /** Whether this broker may still speak for what it owns. */
    public boolean leaseHolds() {
        return proven && System.nanoTime() - provenNanos < leaseNanos;
    }

    public List<Broker> live() {
        return live;
    }

    public @Nullable Broker find(String id) {
        for (Broker broker : live) {
            if (broker.id().equals(id)) {
                return broker;
            }
        }
        return null;
    }

    /** How long the set of live brokers has been the same. */
    public long unchangedNanos() {
        return System.nanoTime() - unchangedSinceNanos;
    }

    /** Rendezvous hash: who should own this, as long as these brokers live; a broker that comes or goes moves only its own share. */
    public Broker candidate(String partition) {
        Broker best = self;
        long bestScore = Long.MIN_VALUE;
        for (Broker broker : live) {
            long score = score(partition, broker.name());
            if (score > bestScore) {
                best = broker;
                bestScore = score;
            }
        }
        return best;
    }

    private static long score(String partition, String broker) {
        var crc = new CRC32C();
        crc.update((broker + "/" + partition).getBytes(StandardCharsets.UTF_8));
        long z = crc.getValue() * 0x9E37_79B9_7F4A_7C15L;
        z = (z ^ (z >>> 29)) * 0xBF58_476D_1CE4_E5B9L;
        return z ^ (z >>> 32);
    }

    /** Leaves: other brokers take over at once instead of after the session's end. */
    public void leave() {
        proven = false;
        metadata.delete(PATH + "/" + self.id());
    }
}
