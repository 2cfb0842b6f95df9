// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import java.util.Random;

/** What goes wrong in one life of the process, and what its clients may be told because of it. */
final class Faults {
    enum Kind {
        NONE,
        SYNC_FAILS,
        WRITE_FAILS,
        /** A read fails while it starts. */
        READ_FAILS,
        /** A sync or write fails while it starts. */
        START_FAILS,
        FULL_DISK,
        /** The disk is full already when it starts. */
        FULL_AT_START,
        DISK_LIES
    }

    final Kind kind;
    /** After this many changing calls the process is killed. */
    final long killedAfter;

    final boolean powerCut;
    /** After the crash, memory is short: what is clean is read from the disk again. */
    final boolean dropsPages;

    final boolean stopsInOrder;
    final int operations;
    volatile boolean full;
    volatile boolean stopping;
    /** It stops without the syncs that are still wanted. */
    volatile boolean abrupt;

    private Faults(Kind kind, long killedAfter, boolean stopsInOrder, int operations, Random random) {
        this.kind = kind;
        this.killedAfter = killedAfter;
        this.stopsInOrder = stopsInOrder;
        this.operations = operations;
        this.powerCut = kind == Kind.DISK_LIES || random.nextBoolean();
        this.dropsPages = random.nextInt(3) == 0;
    }

    static Faults none(Random random) {
        return new Faults(Kind.NONE, Long.MAX_VALUE, false, 6, random);
    }

    static Faults random(Random random, boolean first) {
        Kind kind = kind(random.nextInt(100), first);
        long killedAfter =
                switch (random.nextInt(5)) {
                    case 0 -> random.nextInt(150); // mostly while it starts
                    case 1, 2 -> random.nextInt(700);
                    default -> Long.MAX_VALUE;
                };
        return new Faults(kind, killedAfter, random.nextInt(3) == 0, 4 + random.nextInt(26), random);
    }

    private static Kind kind(int percent, boolean first) {
        if (percent < 60) {
            return Kind.NONE;
        } else if (percent < 72) {
            return Kind.SYNC_FAILS;
        } else if (percent < 79) {
            return Kind.WRITE_FAILS;
        } else if (percent < 82 && !first) {
            return Kind.READ_FAILS;
        } else if (percent < 86 && !first) {
            return Kind.START_FAILS;
        } else if (percent < 92) {
            return Kind.FULL_DISK;
        } else if (percent < 96 && !first) {
            return Kind.FULL_AT_START;
        }
        return percent < 98 ? Kind.NONE : Kind.DISK_LIES;
    }

    /** Whether something may be fenced. */
    boolean io() {
        return kind == Kind.SYNC_FAILS
                || kind == Kind.WRITE_FAILS
                || kind == Kind.START_FAILS
                || kind == Kind.READ_FAILS;
    }

    @Override
    public String toString() {
        return kind + " killed after " + killedAfter + (stopsInOrder ? " stops in order" : "") + " operations "
                + operations;
    }
}
