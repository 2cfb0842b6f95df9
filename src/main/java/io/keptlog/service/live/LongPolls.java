// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.live;

import io.keptlog.domain.Deadline;
import io.keptlog.service.message.PollRequest;
import io.keptlog.service.message.PollService;
import io.keptlog.service.message.Polled;
import java.time.Duration;

/**
 * Polls that wait when there is nothing to read: until there is, until their time is over, or until the server stops, and then answer
 * like any other poll. Keeps no state; safe for any number of threads. Throws what a poll throws, and what {@link Vigils#begin} does.
 */
public final class LongPolls {
    private final PollService polls;
    private final Vigils vigils;

    public LongPolls(PollService polls, Vigils vigils) {
        this.polls = polls;
        this.vigils = vigils;
    }

    public Polled poll(PollRequest request, Duration wait, int userId) {
        Polled at = polls.poll(request);
        if (wait.isZero() || says(at)) {
            return at;
        }
        at.close();
        var deadline = Deadline.in(wait);
        try (Vigil vigil = vigils.begin(userId)) {
            while (true) {
                // Looked up anew each time: a poll reads what has the name now, also when that was made while it
                // waited.
                vigil.over(polls.place(request).log(), request.visibility());
                vigil.arm();
                Polled now = polls.poll(request);
                if (says(now) || deadline.passed() || vigil.isStopping()) {
                    return now;
                }
                now.close();
                vigil.sleep(deadline.remainingNanos());
            }
        }
    }

    private static boolean says(Polled polled) {
        return polled.slice().count() > 0 || polled.gap() != null;
    }
}
