// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.drill;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the server has acknowledged: partition, offset and payload of each message. Safe for any number of threads. */
final class Acknowledged {
    /** A partition of one of the drill's topics. */
    record Place(String topic, int partition) {}

    private final Map<Place, Map<Long, String>> messages = new HashMap<>();
    private long count;

    /** @return false when another message was acknowledged under this offset */
    synchronized boolean add(Place place, long offset, String payload) {
        count++;
        return messages.computeIfAbsent(place, p -> new HashMap<>()).putIfAbsent(offset, payload) == null;
    }

    synchronized long count() {
        return count;
    }

    synchronized List<Place> places() {
        return new ArrayList<>(messages.keySet());
    }

    synchronized Map<Long, String> in(Place place) {
        return new HashMap<>(messages.getOrDefault(place, Map.of()));
    }
}
