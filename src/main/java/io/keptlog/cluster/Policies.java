// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.catalog.StreamEntry;
import io.keptlog.domain.cluster.DecommissionReport.StrandedStream;
import io.keptlog.storage.Catalog;
import java.util.List;
import java.util.Map;

/** The policy in force for a partition: its stream's own, else the server's default. */
final class Policies {
    static final String ENSEMBLE_SIZE = "ensemble_size";
    static final String WRITE_QUORUM = "write_quorum";
    static final String ACK_QUORUM = "ack_quorum";
    static final String GUARANTEE_WRITE_QUORUM = "guarantee_write_quorum";

    private final Catalog catalog;
    private final QuorumPolicy byDefault;

    Policies(Catalog catalog, QuorumPolicy byDefault) {
        this.catalog = catalog;
        this.byDefault = byDefault;
    }

    QuorumPolicy of(PartitionRef ref) {
        StreamEntry stream = catalog.state().streams().get(ref.streamId());
        return stream == null ? byDefault : of(stream.options());
    }

    /** Whether missing copies of a partition are completed in the background. */
    boolean guaranteed(PartitionRef ref) {
        StreamEntry stream = catalog.state().streams().get(ref.streamId());
        return stream != null && Boolean.parseBoolean(stream.options().get(GUARANTEE_WRITE_QUORUM));
    }

    /** Of every stream. */
    List<StrandedStream> all() {
        return catalog.state().streams().values().stream()
                .map(s -> new StrandedStream(s.id(), s.name(), of(s.options())))
                .toList();
    }

    /** A stream that names some of the three inherits the others; what does not fit together then is the default as a whole. */
    QuorumPolicy of(Map<String, String> options) {
        int ensemble = number(options, ENSEMBLE_SIZE, byDefault.ensembleSize());
        int write = number(options, WRITE_QUORUM, byDefault.writeQuorum());
        int ack = number(options, ACK_QUORUM, byDefault.ackQuorum());
        return QuorumPolicy.holds(ensemble, write, ack) ? new QuorumPolicy(ensemble, write, ack) : byDefault;
    }

    private static int number(Map<String, String> options, String key, int absent) {
        String value = options.get(key);
        return value == null ? absent : Integer.parseInt(value);
    }
}
