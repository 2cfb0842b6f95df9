// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.CatalogState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every catalog does. */
public abstract class CatalogContract {
    /** The catalog under test; the same one until {@link #reopened}. */
    protected abstract Catalog catalog();

    /** Closes it and opens it again. */
    protected abstract Catalog reopened();

    protected static CatalogChange.StreamCreated stream(CatalogState state, String name) {
        return new CatalogChange.StreamCreated(state.nextStreamId(), 1_000, name, Map.of());
    }

    protected static List<String> names(CatalogState state) {
        return state.streams().values().stream().map(s -> s.name()).toList();
    }

    @Test
    void aChangeIsSeenAtOnceAndAfterTheRestart() {
        CatalogChange.StreamCreated made = catalog().change(s -> stream(s, "orders"));
        assertThat(made.streamId()).isZero();
        assertThat(names(catalog().state())).containsExactly("orders");
        assertThat(names(reopened().state())).containsExactly("orders");
        assertThat(catalog().faults()).isEmpty();
    }

    @Test
    void aRefusedDecisionChangesNothing() {
        assertThatThrownBy(() -> catalog().change(s -> {
                    throw new KeptlogException(ErrorCode.STREAM_NAME_ALREADY_EXISTS, "no");
                }))
                .isInstanceOf(KeptlogException.class);
        assertThat(catalog().state().streams()).isEmpty();
        catalog().change(s -> stream(s, "next"));
        assertThat(names(reopened().state())).containsExactly("next");
    }

    @Test
    void whenPreparingFailsNothingChanges() {
        assertThatThrownBy(() -> catalog().change(s -> stream(s, "a"), change -> {
                    throw new KeptlogException(ErrorCode.NO_SPACE, "no room for files");
                }))
                .isInstanceOf(KeptlogException.class);
        assertThat(catalog().state().streams()).isEmpty();
        assertThat(reopened().state().streams()).isEmpty();
    }

    @Test
    void preparingSeesTheChangeBeforeAnybodySeesItsEffect() {
        var seen = new ArrayList<String>();
        catalog().change(s -> stream(s, "a"), change -> {
            seen.add(change.name());
            assertThat(catalog().state().streams()).isEmpty();
        });
        assertThat(seen).containsExactly("a");
    }

    @Test
    void idsAreNeverReused() {
        for (int i = 0; i < 3; i++) {
            int id = catalog().change(s -> stream(s, "again")).streamId();
            assertThat(id).isEqualTo(i);
            catalog().change(s -> new CatalogChange.StreamDeleted(id));
            reopened();
        }
    }

    @Test
    void changesFromManyThreadsHappenOneAfterTheOther() throws Exception {
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            var made = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 40; i++) {
                String name = "s" + i;
                made.add(
                        pool.submit(() -> catalog().change(s -> stream(s, name)).streamId()));
            }
            var ids = new ArrayList<Integer>();
            for (Future<Integer> id : made) {
                ids.add(id.get(60, TimeUnit.SECONDS));
            }
            assertThat(ids).doesNotHaveDuplicates().hasSize(40);
        }
        CatalogState state = reopened().state();
        assertThat(state.streams()).hasSize(40);
        for (int i = 0; i < 40; i++) {
            assertThat(state.findStream(new Identifier.Name("s" + i))).isNotNull();
        }
    }

    @Test
    void anInterruptedThreadStillMakesItsChange() {
        Thread.currentThread().interrupt();
        catalog().change(s -> stream(s, "kept"));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(names(reopened().state())).containsExactly("kept");
    }
}
