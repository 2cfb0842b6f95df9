// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.chaos;

import java.nio.file.Path;
import java.util.List;

/**
 * One history.
 *
 * @param seconds of disturbances; starting, healing and checking come on top
 * @param namespaces whether parts live in network namespaces of their own, and can be cut off
 */
record ChaosPlan(
        long seed,
        int seconds,
        int ensembleSize,
        int writeQuorum,
        int ackQuorum,
        int bookies,
        int brokers,
        boolean namespaces,
        Path directory,
        Path jar) {
    static final int TOPICS = 2;
    static final int PARTITIONS = 2;
    static final int SLOTS = TOPICS * PARTITIONS;

    ChaosPlan {
        if (bookies <= ensembleSize || brokers < 1 || seconds < 1) {
            throw new IllegalArgumentException("a bookie more than E, a broker, some time");
        }
    }

    List<String> arguments() {
        return List.of(
                Long.toString(seed),
                Integer.toString(seconds),
                ensembleSize + "/" + writeQuorum + "/" + ackQuorum,
                Integer.toString(bookies),
                Integer.toString(brokers),
                Boolean.toString(namespaces),
                directory.toString(),
                jar.toString());
    }

    static ChaosPlan of(String[] arguments) {
        String[] policy = arguments[2].split("/");
        return new ChaosPlan(
                Long.parseLong(arguments[0]),
                Integer.parseInt(arguments[1]),
                Integer.parseInt(policy[0]),
                Integer.parseInt(policy[1]),
                Integer.parseInt(policy[2]),
                Integer.parseInt(arguments[3]),
                Integer.parseInt(arguments[4]),
                Boolean.parseBoolean(arguments[5]),
                Path.of(arguments[6]),
                Path.of(arguments[7]));
    }

    String policy() {
        return ensembleSize + "/" + writeQuorum + "/" + ackQuorum;
    }

    static String topic(int slot) {
        return "/streams/chaos/topics/topic" + slot / PARTITIONS;
    }

    static int partition(int slot) {
        return slot % PARTITIONS;
    }
}
