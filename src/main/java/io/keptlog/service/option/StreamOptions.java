// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.option;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.QuorumPolicy;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The options of a stream: how many bookies keep its partitions (requirements B1), and whether that is watched over. Only a cluster has them. Stateless; throws before
 * anything changes.
 */
public final class StreamOptions {
    public static final String ENSEMBLE_SIZE = "ensemble_size";
    public static final String WRITE_QUORUM = "write_quorum";
    public static final String ACK_QUORUM = "ack_quorum";
    /** Whether entries with fewer than Qw copies are completed in the background. */
    public static final String GUARANTEE_WRITE_QUORUM = "guarantee_write_quorum";

    private static final int VALUE_MAX = 1_000;

    private final Optional<QuorumPolicy> byDefault;

    /**
     * @param byDefault the server's own policy; empty on one node
     */
    public StreamOptions(Optional<QuorumPolicy> byDefault) {
        this.byDefault = byDefault;
    }

    /**
     * The options after a patch, canonical.
     *
     * @throws KeptlogException UNSUPPORTED_OPTION_KEY, INVALID_OPTION_VALUE (not a number or a truth value, or not E ≥ Qw ≥ Qa ≥ 1 together with what is
     *     inherited), OPTIONS_BLOCK_TOO_BIG
     */
    public Map<String, String> patched(Map<String, String> current, Map<String, String> patch) {
        if (byDefault.isEmpty()) {
            OptionsBlock.checkStream(patch);
            return current;
        }
        OptionsBlock.check(patch);
        var next = new TreeMap<>(current);
        patch.forEach((key, value) -> {
            switch (key) {
                case ENSEMBLE_SIZE, WRITE_QUORUM, ACK_QUORUM -> next.put(key, Integer.toString(number(key, value)));
                case GUARANTEE_WRITE_QUORUM -> next.put(key, bool(key, value));
                default -> throw OptionsBlock.unsupported(key, "");
            }
        });
        if (!patch.isEmpty()) {
            check(next, byDefault.get());
        }
        return next;
    }

    private static String bool(String key, String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw new KeptlogException(ErrorCode.INVALID_OPTION_VALUE, "Option " + key + " takes true or false.", key);
        }
        return value;
    }

    private static int number(String key, String value) {
        int number = -1;
        if (value.matches("[0-9]{1,4}")) {
            number = Integer.parseInt(value);
        }
        if (number < 1 || number > VALUE_MAX) {
            throw new KeptlogException(
                    ErrorCode.INVALID_OPTION_VALUE,
                    "Option " + key + " takes a number from 1 to " + VALUE_MAX + ".",
                    key);
        }
        return number;
    }

    private static void check(Map<String, String> options, QuorumPolicy inherited) {
        int ensemble = value(options, ENSEMBLE_SIZE, inherited.ensembleSize());
        int write = value(options, WRITE_QUORUM, inherited.writeQuorum());
        int ack = value(options, ACK_QUORUM, inherited.ackQuorum());
        if (!QuorumPolicy.holds(ensemble, write, ack)) {
            throw new KeptlogException(
                    ErrorCode.INVALID_OPTION_VALUE,
                    "ensemble_size >= write_quorum >= ack_quorum >= 1 does not hold: " + ensemble + ", " + write + ", "
                            + ack + " (what was not named is inherited).",
                    ensemble < write ? ENSEMBLE_SIZE : ACK_QUORUM);
        }
    }

    private static int value(Map<String, String> options, String key, int absent) {
        String value = options.get(key);
        return value == null ? absent : Integer.parseInt(value);
    }
}
