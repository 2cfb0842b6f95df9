// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.option;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/** What holds for every map of options, whatever it belongs to, and the options of streams and users, which one node has none of. */
public final class OptionsBlock {
    private static final Set<String> CLUSTER_ONLY =
            Set.of("ensemble_size", "write_quorum", "ack_quorum", "guarantee_write_quorum");

    private OptionsBlock() {}

    /**
     * @throws KeptlogException OPTIONS_BLOCK_TOO_BIG; UNSUPPORTED_OPTION_KEY for a key that is empty or longer than 255 bytes
     */
    static void check(Map<String, String> options) {
        long bytes = 0;
        for (Map.Entry<String, String> option : options.entrySet()) {
            bytes += utf8Length(option.getKey()) + (long) utf8Length(option.getValue());
        }
        if (bytes > Limits.OPTIONS_BLOCK_MAX_BYTES) {
            throw new KeptlogException(
                    ErrorCode.OPTIONS_BLOCK_TOO_BIG,
                    "The options have " + bytes + " bytes; the limit is " + Limits.OPTIONS_BLOCK_MAX_BYTES + ".",
                    "options");
        }
        for (String key : options.keySet()) {
            if (key.isEmpty() || utf8Length(key) > Limits.OPTION_KEY_MAX_BYTES) {
                throw unsupported(key, "");
            }
        }
    }

    /** One node has no stream options: those that exist belong to a cluster. */
    public static void checkStream(Map<String, String> options) {
        check(options);
        for (String key : options.keySet()) {
            throw CLUSTER_ONLY.contains(key)
                    ? unsupported(key, "It belongs to a cluster, and keptlog.cluster.metadata-uri is not set.")
                    : unsupported(key, "");
        }
    }

    static KeptlogException unsupported(String key, String hint) {
        String reason = "Unsupported option key: " + shown(key);
        return new KeptlogException(
                ErrorCode.UNSUPPORTED_OPTION_KEY, hint.isEmpty() ? reason : reason + ". " + hint, shown(key));
    }

    /** The text, cut so that an error stays readable. */
    static String shown(String text) {
        return utf8Length(text) <= Limits.OPTION_KEY_MAX_BYTES
                ? text
                : text.substring(0, text.offsetByCodePoints(0, shownCodePoints(text)));
    }

    private static int shownCodePoints(String text) {
        return Math.min(Limits.OPTION_KEY_SHOWN_CHARS, text.codePointCount(0, text.length()));
    }

    private static int utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
