// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.catalog;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.domain.catalog.StreamEntry;
import io.keptlog.service.Micros;
import io.keptlog.service.option.StreamOptions;
import io.keptlog.storage.Catalog;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Streams: create, read, rename, delete. Keeps no state; the catalog orders concurrent changes. A call that returned is durable; one
 * that threw changed nothing, unless the code is SYNC_FAILED. Ids are never reused.
 */
public final class StreamService {
    private final Catalog catalog;
    private final Views views;
    private final Removals removals;
    private final InstantSource clock;
    private final StreamOptions streamOptions;

    /** Of one node: its streams have no options. */
    public StreamService(Catalog catalog, Views views, Removals removals, InstantSource clock) {
        this(catalog, views, removals, clock, new StreamOptions(Optional.empty()));
    }

    public StreamService(
            Catalog catalog, Views views, Removals removals, InstantSource clock, StreamOptions streamOptions) {
        this.catalog = catalog;
        this.views = views;
        this.removals = removals;
        this.clock = clock;
        this.streamOptions = streamOptions;
    }

    /** All streams by id. */
    public List<StreamView> list() {
        return catalog.state().streams().values().stream().map(views::of).toList();
    }

    /**
     * @throws KeptlogException NOT_FOUND
     */
    public StreamView get(Identifier stream) {
        return views.of(Lookup.stream(catalog.state(), stream, Lookup.Absent.PLAIN));
    }

    /**
     * @throws KeptlogException INVALID_STREAM_NAME, STREAM_NAME_ALREADY_EXISTS, UNSUPPORTED_OPTION_KEY
     */
    public StreamView create(String name, Map<String, String> options) {
        Names.check(name, ErrorCode.INVALID_STREAM_NAME);
        Map<String, String> canonical = streamOptions.patched(Map.of(), options);
        CatalogChange.StreamCreated created = catalog.change(state -> {
            refuseTaken(state, name, null);
            return new CatalogChange.StreamCreated(state.nextStreamId(), Micros.now(clock), name, canonical);
        });
        return get(new Identifier.Numeric(created.streamId()));
    }

    /**
     * @param options a patch; a stream of one node has none
     * @throws KeptlogException STREAM_ID_NOT_FOUND, INVALID_STREAM_NAME, STREAM_NAME_ALREADY_EXISTS, UNSUPPORTED_OPTION_KEY
     */
    public void update(Identifier stream, String name, Map<String, String> options) {
        Names.check(name, ErrorCode.INVALID_STREAM_NAME);
        streamOptions.patched(Map.of(), options);
        catalog.change(state -> {
            StreamEntry current = Lookup.stream(state, stream, Lookup.Absent.NAMED);
            refuseTaken(state, name, current);
            return new CatalogChange.StreamUpdated(
                    current.id(), name, streamOptions.patched(current.options(), options));
        });
    }

    /**
     * Deletes the stream with all its topics. Durable when it returns; files go in the background.
     *
     * @throws KeptlogException STREAM_ID_NOT_FOUND
     */
    public void delete(Identifier stream) {
        catalog.change(state -> new CatalogChange.StreamDeleted(
                Lookup.stream(state, stream, Lookup.Absent.NAMED).id()));
        removals.wake();
    }

    private static void refuseTaken(CatalogState state, String name, @Nullable StreamEntry self) {
        StreamEntry other = state.findStream(new Identifier.Name(name));
        if (other != null && (self == null || other.id() != self.id())) {
            throw new KeptlogException(
                    ErrorCode.STREAM_NAME_ALREADY_EXISTS, "Stream with name \"" + name + "\" already exists.", "name");
        }
    }
}
