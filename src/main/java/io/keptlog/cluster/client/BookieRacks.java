// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.client;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.net.NetworkTopology;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which bookie is in which rack, as it was told last; those that are not named share one. Thread-safe. */
public final class BookieRacks {
    private static final Logger LOG = LoggerFactory.getLogger(BookieRacks.class);

    private final RackPolicy policy;
    private volatile Map<String, String> racks = Map.of();
    private volatile @Nullable RackPlacement placement;

    BookieRacks(RackPolicy policy) {
        this.policy = policy;
    }

    RackPolicy policy() {
        return policy;
    }

    void placedBy(RackPlacement now) {
        placement = now;
    }

    /** As it is configured; null when it is not. */
    public @Nullable String configured(String bookie) {
        return racks.get(bookie);
    }

    /** The placement's own way to write it: one level. */
    String location(String bookie) {
        String rack = racks.get(bookie);
        if (rack == null) {
            return NetworkTopology.DEFAULT_RACK;
        }
        String plain = rack.startsWith("/") ? rack.substring(1) : rack;
        return "/" + plain.replace('/', '-');
    }

    /** Racks of these bookies. */
    Set<String> of(Set<String> bookies) {
        var found = new HashSet<String>();
        bookies.forEach(b -> found.add(location(b)));
        return found;
    }

    /** @param now bookie → rack, all that are configured */
    public synchronized void update(Map<String, String> now) {
        Map<String, String> before = racks;
        if (now.equals(before)) {
            return;
        }
        racks = Map.copyOf(now);
        var names = new HashSet<>(before.keySet());
        names.addAll(now.keySet());
        names.removeIf(b -> Objects.equals(before.get(b), now.get(b)));
        RackPlacement told = placement;
        if (told != null) {
            told.onBookieRackChange(ids(names));
        }
        LOG.info("racks of bookies changed: {}", names);
    }

    private static List<BookieId> ids(Set<String> names) {
        var ids = new ArrayList<BookieId>();
        for (String name : names) {
            try {
                ids.add(BookieId.parse(name));
            } catch (IllegalArgumentException e) {
                LOG.info("'{}' is no bookie's name; its rack is not used", name);
            }
        }
        return ids;
    }
}
