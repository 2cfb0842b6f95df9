// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.Fault;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.CatalogState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/** A catalog for tests that forgets everything with the process. Keeps the order and atomicity of the real one. */
public final class InMemoryCatalog implements Catalog {
    private volatile CatalogState state = CatalogState.EMPTY;
    private final List<CatalogChange> changes = new ArrayList<>();
    private final List<Fault> faults = new CopyOnWriteArrayList<>();

    @Override
    public CatalogState state() {
        return state;
    }

    @Override
    public synchronized <C extends CatalogChange> C change(
            Function<CatalogState, C> decide, Consumer<? super C> prepare) {
        C change = decide.apply(state);
        CatalogState next = state.apply(change);
        prepare.accept(change);
        changes.add(change);
        state = next;
        return change;
    }

    /** Every change made so far, oldest first. */
    public synchronized List<CatalogChange> changes() {
        return List.copyOf(changes);
    }

    /** Makes {@link #faults} report this one. */
    public void report(Fault fault) {
        faults.add(fault);
    }

    @Override
    public List<Fault> faults() {
        return List.copyOf(faults);
    }

    @Override
    public void close() {}
}
