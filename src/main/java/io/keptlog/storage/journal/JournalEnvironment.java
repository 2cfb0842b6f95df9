// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import io.keptlog.domain.StoreObserver;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;

/**
 * What all journals of a server share.
 *
 * @param threads makes the sync owners: threads that nobody else interrupts
 */
public record JournalEnvironment(ThreadFactory threads, InstantSource clock, StoreObserver observer) {}
