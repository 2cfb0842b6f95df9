// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.chaos;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Everything that clients sent and were told, and every way in which it does not fit together. What is wrong is found when it is told, or in
 * the end against what is stored. Thread-safe.
 */
final class Known {
    private static final int VIOLATIONS_MAX = 100;

    /** What a client knows of a message. */
    enum Outcome {
        UNKNOWN,
        ACKNOWLEDGED,
        /** Told that it is not stored. */
        REFUSED
    }

    private record Place(int slot, long offset) {}

    private final Map<String, Outcome> messages = new ConcurrentHashMap<>();
    private final Map<Place, String> names = new ConcurrentHashMap<>();
    private final Map<String, Place> places = new ConcurrentHashMap<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final AtomicLong violationCount = new AtomicLong();
    private final AtomicLongArray ends = new AtomicLongArray(ChaosPlan.SLOTS);
    final AtomicLong checks = new AtomicLong();

    void violation(String what) {
        if (violationCount.incrementAndGet() <= VIOLATIONS_MAX) {
            violations.add(what);
            System.out.println(java.time.Instant.now() + " VIOLATION " + what);
        }
    }

    List<String> violations() {
        return List.copyOf(violations);
    }

    void sent(String name) {
        messages.putIfAbsent(name, Outcome.UNKNOWN);
    }

    void refused(String name) {
        messages.put(name, Outcome.REFUSED);
    }

    void acknowledged(int slot, long offset, String name) {
        messages.put(name, Outcome.ACKNOWLEDGED);
        placed(new Place(slot, offset), name);
        ends.accumulateAndGet(slot, offset + 1, Math::max);
    }

    /** As {@link #acknowledged}, where it is not told at which offset. */
    void acknowledged(String name) {
        messages.put(name, Outcome.ACKNOWLEDGED);
    }

    /** One beyond the highest offset that was acknowledged or read. */
    long end(int slot) {
        return ends.get(slot);
    }

    private void placed(Place place, String name) {
        checks.incrementAndGet();
        String former = names.putIfAbsent(place, name);
        if (former != null && !former.equals(name)) {
            violation("other bytes at " + place + ": " + former + ", then " + name);
        }
        Place other = places.putIfAbsent(name, place);
        if (other != null && !other.equals(place)) {
            violation("twice: " + name + " at " + other + " and " + place);
        }
    }

    /** A reader got this. */
    void read(int slot, long offset, String payload) {
        String name = Payloads.nameIn(payload);
        if (!messages.containsKey(name)) {
            violation("invented: slot " + slot + " offset " + offset + " has " + name);
            return;
        }
        if (!Payloads.of(name).equals(payload)) {
            violation("bytes changed: " + name + " at slot " + slot + " offset " + offset);
        }
        if (Payloads.slot(name) != slot) {
            violation("in another partition: " + name + " in slot " + slot);
        }
        placed(new Place(slot, offset), name);
        ends.accumulateAndGet(slot, offset + 1, Math::max);
    }

    /**
     * What is stored in the end.
     *
     * @param stored the payloads of a slot by offset, from 0 on
     */
    void verify(int slot, List<String> stored) {
        for (int offset = 0; offset < stored.size(); offset++) {
            read(slot, offset, stored.get(offset));
        }
        var there = new HashSet<String>();
        stored.forEach(payload -> there.add(Payloads.nameIn(payload)));
        verifyOutcomes(slot, there);
        verifyOrder(slot, stored);
        names.forEach((place, name) -> {
            if (place.slot() == slot && place.offset() >= stored.size()) {
                violation("lost: " + name + " was told or read at " + place + ", the end is " + stored.size());
            }
        });
    }

    private void verifyOutcomes(int slot, Set<String> there) {
        messages.forEach((name, outcome) -> {
            if (Payloads.slot(name) != slot) {
                return;
            }
            checks.incrementAndGet();
            if (outcome == Outcome.ACKNOWLEDGED && !there.contains(name)) {
                violation("lost: " + name + " was acknowledged and is not stored");
            }
            if (outcome == Outcome.REFUSED && there.contains(name)) {
                violation("refused and stored: " + name);
            }
        });
    }

    /** Idempotent producers are there without a hole, a duplicate or a change of order. */
    private void verifyOrder(int slot, List<String> stored) {
        Map<String, Long> next = new HashMap<>();
        for (String payload : stored) {
            String name = Payloads.nameIn(payload);
            if (name.startsWith("i")) {
                long expected = next.merge(Payloads.producer(name), 1L, Long::sum) - 1;
                if (Payloads.number(name) != expected) {
                    violation("order: slot " + slot + " has " + name + " where number " + expected + " belongs");
                    return;
                }
            }
        }
    }

    long count(Outcome outcome) {
        return messages.values().stream().filter(o -> o == outcome).count();
    }
}
