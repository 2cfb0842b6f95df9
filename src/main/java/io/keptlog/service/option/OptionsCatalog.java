// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.option;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.QuorumPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Which options exist, by scope. Streams have some only in a cluster, users have none. */
public final class OptionsCatalog {
    private static final List<OptionSpec> TOPIC = Arrays.stream(TopicOption.values())
            .map(o -> new OptionSpec(o.key(), o.kind().wireName(), o.kind().encode(o.defaultValue()), o.description()))
            .toList();

    private final Optional<QuorumPolicy> quorums;

    /** Of one node. */
    public OptionsCatalog() {
        this(Optional.empty());
    }

    /**
     * @param quorums what streams inherit; empty on one node
     */
    public OptionsCatalog(Optional<QuorumPolicy> quorums) {
        this.quorums = quorums;
    }

    /**
     * @param scope topic, stream or user
     * @throws KeptlogException INVALID_COMMAND for any other scope
     */
    public List<OptionSpec> list(String scope) {
        return switch (scope) {
            case "topic" -> TOPIC;
            case "stream" -> quorums.map(OptionsCatalog::stream).orElse(List.of());
            case "user" -> List.of();
            default -> throw new KeptlogException(
                    ErrorCode.INVALID_COMMAND, "Options exist for topic, stream and user.", "scope");
        };
    }

    private static List<OptionSpec> stream(QuorumPolicy inherited) {
        return List.of(
                spec(
                        StreamOptions.ENSEMBLE_SIZE,
                        inherited.ensembleSize(),
                        "Bookies that a ledger is striped over; needed to create one."),
                spec(StreamOptions.WRITE_QUORUM, inherited.writeQuorum(), "Bookies that each entry is written to."),
                spec(
                        StreamOptions.ACK_QUORUM,
                        inherited.ackQuorum(),
                        "Bookies that must have synced an entry before it is acknowledged."),
                new OptionSpec(
                        StreamOptions.GUARANTEE_WRITE_QUORUM,
                        OptionKind.BOOL.wireName(),
                        OptionKind.BOOL.encode("false"),
                        "Whether entries with fewer than write_quorum copies are completed in the background."));
    }

    private static OptionSpec spec(String key, int inherited, String description) {
        return new OptionSpec(
                key, OptionKind.UINT32.wireName(), OptionKind.UINT32.encode(Integer.toString(inherited)), description);
    }
}
