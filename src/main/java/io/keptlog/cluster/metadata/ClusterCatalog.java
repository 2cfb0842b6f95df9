// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.metadata;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Fault;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.storage.Catalog;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The catalog of a cluster: one value of the metadata store, changed by compare-and-set, so that a change is decided on exactly the state
 * it is applied to, whoever else changes it. Other brokers' changes arrive by notification and by {@link #refresh}. Thread-safe; reading
 * is one volatile read. A crash leaves the value before or after a change.
 */
public final class ClusterCatalog implements Catalog {
    private static final String PATH = Metadata.ROOT + "/catalog";
    /** Changes of all brokers meet in one value: so many conflicts in a row mean that something is wrong. */
    private static final int CONFLICTS_MAX = 100;

    private final Metadata metadata;
    private final InstantSource clock;
    private final Runnable changed;
    private volatile Versioned current;

    private record Versioned(CatalogState state, long version) {}

    /**
     * @param changed runs after each change that this broker made, before the caller hears of it: tells the other brokers
     */
    public ClusterCatalog(Metadata metadata, InstantSource clock, Runnable changed) {
        this.metadata = metadata;
        this.clock = clock;
        this.changed = changed;
        metadata.create(PATH, CatalogImage.encode(CatalogState.EMPTY));
        this.current = load();
    }

    private Versioned load() {
        Metadata.Value value = metadata.getLatest(PATH);
        if (value == null) {
            throw new KeptlogException(ErrorCode.CATALOG_FENCED, "The catalog is gone from the metadata store.");
        }
        return new Versioned(CatalogImage.decode(value.bytes()), value.version());
    }

    /** Whether a changed path is this catalog's. */
    public static boolean concerns(String path) {
        return path.equals(PATH);
    }

    @Override
    public CatalogState state() {
        return current.state();
    }

    /** Takes over what other brokers have changed. */
    public CatalogState refresh() {
        adopt(load());
        return current.state();
    }

    private synchronized void adopt(Versioned next) {
        if (next.version() > current.version()) {
            current = next;
        }
    }

    @Override
    public <C extends CatalogChange> C change(Function<CatalogState, C> decide, Consumer<? super C> prepare) {
        for (int i = 0; i < CONFLICTS_MAX; i++) {
            if (refused(decide)) {
                // A refusal counts only when it stands on the latest state.
                refresh();
            }
            Versioned base = current;
            C change = decide.apply(base.state());
            prepare.accept(change);
            CatalogState next = base.state()
                    .apply(change)
                    .withoutRevocationsBefore(clock.instant().getEpochSecond());
            byte[] bytes = CatalogImage.encode(next);
            if (bytes.length > Limits.METADATA_VALUE_MAX_BYTES) {
                throw new KeptlogException(
                        ErrorCode.NO_SPACE,
                        "The catalog would need " + bytes.length + " bytes; the metadata store takes "
                                + Limits.METADATA_VALUE_MAX_BYTES + ".");
            }
            OptionalLong version = metadata.replace(PATH, bytes, base.version());
            if (version.isPresent()) {
                adopt(new Versioned(next, version.getAsLong()));
                changed.run();
                return change;
            }
            refresh();
        }
        throw KeptlogException.retryable(
                ErrorCode.SERVER_BUSY, "Other brokers change the catalog all the time; nothing was changed.", 1);
    }

    private boolean refused(Function<CatalogState, ? extends CatalogChange> decide) {
        try {
            var ignored = decide.apply(current.state());
            return false;
        } catch (KeptlogException e) {
            return true;
        }
    }

    @Override
    public List<Fault> faults() {
        return List.of();
    }

    @Override
    public void close() {}
}
