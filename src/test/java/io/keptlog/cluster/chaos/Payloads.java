// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.chaos;

import java.util.SplittableRandom;

/** Messages whose every byte follows from their name: {@code kind-slot-producer-number}, then filling. */
final class Payloads {
    private static final int FILLING_MAX = 4096;

    private Payloads() {}

    static String name(char kind, int slot, long producer, long number) {
        return kind + "-" + slot + "-" + producer + "-" + number;
    }

    static String of(String name) {
        var random = new SplittableRandom(name.hashCode());
        int length = random.nextInt(FILLING_MAX);
        var text = new StringBuilder(name.length() + 1 + length).append(name).append('|');
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }

    static String nameIn(String payload) {
        int end = payload.indexOf('|');
        return end < 0 ? payload : payload.substring(0, end);
    }

    static int slot(String name) {
        return Integer.parseInt(name.split("-")[1]);
    }

    /** Kind, slot and producer. */
    static String producer(String name) {
        return name.substring(0, name.lastIndexOf('-'));
    }

    static long number(String name) {
        return Long.parseLong(name.substring(name.lastIndexOf('-') + 1));
    }
}
