// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Disturbs the cluster: up to two bookies and one broker at a time, each for some seconds. Bookies lose their disk at most Qa − 1 times; all
 * else comes back. Every disturbance ends by its deadline, and what was disturbed must serve again within another one.
 */
final class Adversary {
    private static final int PAUSE_MAX_MILLIS = 5_000;
    private static final int DISTURBED_MAX_MILLIS = 16_000;
    /** A bookie that was killed waits for its former session's end. */
    private static final int BACK_SECONDS = 90;

    private final ChaosCluster cluster;
    private final Known known;
    private final Set<String> disturbed = new HashSet<>();
    private final Map<String, Integer> events = new TreeMap<>();
    private final List<Thread> lanes = new ArrayList<>();
    private final long began = System.nanoTime();
    private int losses;
    private volatile boolean stopped;

    private enum Kind {
        KILL,
        FREEZE,
        RESTART,
        CUT,
        LOSE
    }

    /**
     * @param losses how many bookies lose their disk
     */
    Adversary(ChaosCluster cluster, Known known, int losses) {
        this.cluster = cluster;
        this.known = known;
        this.losses = losses;
    }

    void start(long seed) {
        lane("bookie", new Random(seed * 101 + 1), 1);
        lane("bookie", new Random(seed * 101 + 2), 3);
        lane("broker", new Random(seed * 101 + 3), 2);
        lanes.add(Thread.ofPlatform().daemon().name("adversary-watch").start(this::watch));
    }

    /**
     * @param slower how much longer its pauses are
     */
    private void lane(String kind, Random random, int slower) {
        lanes.add(Thread.ofPlatform().daemon().name("adversary-" + kind).start(() -> {
            while (!stopped) {
                pause(500L + (long) random.nextInt(PAUSE_MAX_MILLIS) * slower);
                if (!stopped) {
                    disturb(kind, random);
                }
            }
        }));
    }

    private void pause(long millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!stopped && System.nanoTime() < until) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private void disturb(String partKind, Random random) {
        var kinds = new ArrayList<>(List.of(Kind.KILL, Kind.FREEZE, Kind.RESTART));
        if (cluster.network().canCut()) {
            kinds.add(Kind.CUT);
        }
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        long millis = 200 + random.nextInt(DISTURBED_MAX_MILLIS);
        String name = take(partKind, random);
        if (name.isEmpty()) {
            return;
        }
        if (partKind.equals("bookie") && mayLose()) {
            kind = Kind.LOSE;
        }
        note(kind, name, millis);
        try {
            act(kind, name, millis);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            give(name);
        }
    }

    private void act(Kind kind, String name, long millis) throws IOException {
        Part part = cluster.part(name);
        switch (kind) {
            case KILL -> {
                part.kill();
                pause(millis);
                back(part);
            }
            case RESTART -> {
                part.terminate(20);
                back(part);
            }
            case FREEZE -> {
                part.freeze();
                pause(millis);
                part.thaw();
                back(part);
            }
            case CUT -> {
                cluster.network().cut(name);
                pause(millis);
                cluster.network().heal(name);
                back(part);
            }
            case LOSE -> {
                cluster.lose(name);
                back(cluster.part(cluster.addBookie()));
            }
        }
    }

    private void back(Part part) {
        part.start();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(BACK_SECONDS);
        // A bookie that comes back while its former session lasts may give up: it is started again, as a supervisor
        // would.
        while (!part.awaitReady(BACK_SECONDS) && System.nanoTime() < until) {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
            part.start();
        }
        if (!part.awaitReady(0)) {
            known.violation("not back within " + BACK_SECONDS + " s: " + part.name());
        }
    }

    /** Not at once: what is lost should have been written for a while. */
    private synchronized boolean mayLose() {
        if (losses > 0 && System.nanoTime() - began > TimeUnit.SECONDS.toNanos(15)) {
            losses--;
            return true;
        }
        return false;
    }

    private synchronized String take(String kind, Random random) {
        List<String> well =
                cluster.names(kind).stream().filter(n -> !disturbed.contains(n)).toList();
        if (well.isEmpty()) {
            return "";
        }
        String name = well.get(random.nextInt(well.size()));
        disturbed.add(name);
        return name;
    }

    private synchronized void give(String name) {
        disturbed.remove(name);
    }

    private synchronized void note(Kind kind, String name, long millis) {
        String type = name.substring(0, name.indexOf('-')) + " " + kind.name().toLowerCase(java.util.Locale.ROOT);
        events.merge(type, 1, Integer::sum);
        System.out.printf("%6.1f s %s %s, %d ms%n", (System.nanoTime() - began) / 1e9, kind, name, millis);
    }

    /** What ends by itself is started again, as a supervisor would; it is counted. */
    private void watch() {
        while (!stopped) {
            pause(1_000);
            for (String name : cluster.names("")) {
                if (claimDead(name)) {
                    try {
                        System.out.println(name + " has ended by itself");
                        cluster.part(name).start();
                        cluster.part(name).awaitReady(BACK_SECONDS);
                    } finally {
                        give(name);
                    }
                }
            }
        }
    }

    private synchronized boolean claimDead(String name) {
        if (stopped
                || disturbed.contains(name)
                || !cluster.names("").contains(name)
                || cluster.part(name).alive()) {
            return false;
        }
        disturbed.add(name);
        events.merge(name.replaceAll("-.*", "") + " ended by itself", 1, Integer::sum);
        return true;
    }

    synchronized Map<String, Integer> events() {
        return new TreeMap<>(events);
    }

    /** Returns when everything is healed. */
    void stop() {
        stopped = true;
        for (Thread lane : lanes) {
            try {
                lane.join(TimeUnit.SECONDS.toMillis(2L * BACK_SECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (lane.isAlive()) {
                known.violation(lane.getName() + " does not end");
            }
        }
        for (String name : cluster.names("")) {
            back(cluster.part(name));
        }
    }
}
