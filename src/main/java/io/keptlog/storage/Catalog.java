// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.Fault;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.CatalogState;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What exists, kept on stable storage. Reading is one volatile read; changes happen one after the other.
 */
public interface Catalog extends AutoCloseable {
    CatalogState state();

    /**
     * Decides on the current state, prepares, makes the change durable, applies it. When this returns, the change survives power loss.
     *
     * @param decide pure; sees the state that the change will be applied to; throws KeptlogException to refuse. May be called again when
     *     another server changed the catalog in between
     * @param prepare runs after the decision and before the change is durable (files are made here); when it throws, nothing changed
     * @return the change that was made
     * @throws io.keptlog.domain.KeptlogException CATALOG_FENCED, NO_SPACE: nothing changed; SYNC_FAILED: outcome unknown until the restart
     */
    <C extends CatalogChange> C change(Function<CatalogState, C> decide, Consumer<? super C> prepare);

    default <C extends CatalogChange> C change(Function<CatalogState, C> decide) {
        return change(decide, ignored -> {});
    }

    /** Not empty when changes are refused until a restart or a repair. */
    List<Fault> faults();

    @Override
    void close();
}
