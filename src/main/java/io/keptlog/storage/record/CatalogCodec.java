// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.record;

import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.domain.catalog.Removal;
import io.keptlog.domain.catalog.StreamEntry;
import io.keptlog.domain.catalog.UserEntry;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import tools.jackson.core.JacksonException;

/** Catalog changes and whole states as UTF-8 JSON. Reading throws IllegalArgumentException for anything that it has not written. */
public final class CatalogCodec {
    private CatalogCodec() {}

    /** A state's parts, without what follows from them. */
    private record Snapshot(
            int nextStreamId,
            List<StreamEntry> streams,
            int nextUserId,
            List<UserEntry> users,
            List<Removal> removals,
            Map<String, Long> revokedSessions) {}

    public static byte[] encode(CatalogChange change) {
        return JournalJson.MAPPER.writerFor(CatalogChange.class).writeValueAsBytes(change);
    }

    public static CatalogChange decode(byte[] json) {
        try {
            return JournalJson.read(json, CatalogChange.class);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a catalog change: " + e.getOriginalMessage(), e);
        }
    }

    public static byte[] encode(CatalogState state) {
        return JournalJson.MAPPER.writeValueAsBytes(new Snapshot(
                state.nextStreamId(),
                List.copyOf(state.streams().values()),
                state.nextUserId(),
                List.copyOf(state.users().values()),
                List.copyOf(state.removals()),
                state.revokedSessions()));
    }

    public static CatalogState decodeState(byte[] json) {
        try {
            Snapshot s = JournalJson.read(json, Snapshot.class);
            return new CatalogState(
                    s.nextStreamId,
                    byId(s.streams, StreamEntry::id),
                    s.nextUserId,
                    byId(s.users, UserEntry::id),
                    new LinkedHashSet<>(s.removals),
                    s.revokedSessions);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a catalog: " + e.getOriginalMessage(), e);
        }
    }

    private static <E> SortedMap<Integer, E> byId(List<E> entries, Function<E, Integer> id) {
        var map = new TreeMap<Integer, E>();
        entries.forEach(e -> map.put(id.apply(e), e));
        return map;
    }
}
