// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

import org.jspecify.annotations.Nullable;

/** What is done once when an owner has made its last sync. Once it is taken, no sync begins. Under the owner's lock. */
final class LastAction {
    private @Nullable Runnable action;
    private boolean taken;

    void set(Runnable lastAction) {
        action = lastAction;
    }

    boolean taken() {
        return taken;
    }

    /** The action, to be run without the lock, when there is one and the owner is idle; else one that does nothing. */
    Runnable takeWhen(boolean idle) {
        Runnable last = action;
        if (last == null || !idle) {
            return LastAction::nothing;
        }
        action = null;
        taken = true;
        return last;
    }

    private static void nothing() {}
}
