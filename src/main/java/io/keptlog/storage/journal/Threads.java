// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import io.keptlog.domain.Deadline;
import java.time.Duration;

/** Waiting for a thread's end in spite of interrupts. */
final class Threads {
    private Threads() {}

    /**
     * @return whether it ended before the deadline
     */
    static boolean join(Thread thread, Deadline deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return thread.join(Duration.ofNanos(deadline.remainingNanos()));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
