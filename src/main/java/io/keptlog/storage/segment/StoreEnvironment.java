// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.StoreObserver;
import io.keptlog.storage.RecoveryReports;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.segment.recovery.CutListener;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;

/**
 * What the store stands on.
 *
 * @param dataDir locked by this process
 * @param clock append times
 * @param threads makes the store's own platform threads; nobody else gets hold of them
 * @param cuts told where each recovered log ends before it takes appends
 */
public record StoreEnvironment(
        Path dataDir,
        FileLayer files,
        InstantSource clock,
        ThreadFactory threads,
        EpochSource epochs,
        RecoveryReports reports,
        CutListener cuts,
        StoreObserver observer) {}
