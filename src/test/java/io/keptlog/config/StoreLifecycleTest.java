// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Fault;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionRef;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.PartitionLogs;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The store is marked clean only when everything of it is on stable storage. */
class StoreLifecycleTest {
    private final PartitionLogs logs = mock(PartitionLogs.class);
    private final OffsetStore offsets = mock(OffsetStore.class);
    private final Catalog catalog = mock(Catalog.class);
    private final StopOutcome outcome = new StopOutcome();
    private final StoreLifecycle lifecycle = new StoreLifecycle(List.of(), logs, offsets, catalog, outcome);

    @BeforeEach
    void nothingIsWrong() {
        when(logs.drain(any())).thenReturn(List.of());
        when(offsets.faults()).thenReturn(List.of());
        when(catalog.faults()).thenReturn(List.of());
    }

    private void stopsWithoutAMark() {
        lifecycle.stop();
        var order = inOrder(logs);
        order.verify(logs).withholdCleanMark();
        order.verify(logs).close();
        assertThat(outcome.isFailed()).isTrue();
    }

    @Test
    void aStopThatSyncedEverythingLeavesTheMark() {
        lifecycle.stop();
        var order = inOrder(logs, offsets, catalog);
        order.verify(logs).drain(any());
        order.verify(offsets).close();
        order.verify(catalog).close();
        order.verify(logs).close();
        verify(logs, never()).withholdCleanMark();
        assertThat(outcome.isFailed()).isFalse();
    }

    @Test
    void aLogThatCouldNotBeSyncedMeansNoMark() {
        when(logs.drain(any())).thenReturn(List.of(new PartitionRef(0, 0, 0)));
        stopsWithoutAMark();
    }

    @Test
    void aJournalWhoseLastSyncFailsMeansNoMark() {
        doThrow(new KeptlogException(ErrorCode.SYNC_FAILED, "EIO"))
                .when(offsets)
                .close();
        stopsWithoutAMark();
    }

    @Test
    void aCatalogThatWasFencedMeansNoMark() {
        when(catalog.faults()).thenReturn(List.of(new Fault("catalog", "a sync failed", false)));
        stopsWithoutAMark();
    }
}
