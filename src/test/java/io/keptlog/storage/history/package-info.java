// SPDX-License-Identifier: Apache-2.0
/**
 * Simulated histories of the whole store: threads, time, disk and faults are a function of one seed. {@link Histories} runs many,
 * {@link HistoryTest} a few of them in each build, {@code bench/histories.sh} counts them up over runs.
 */
@NullMarked
package io.keptlog.storage.history;

import org.jspecify.annotations.NullMarked;
