// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.domain.QuorumPolicy;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A namespace's persistence as Pulsar's admin client writes it: members in camel case, all zeros when nothing was set. */
@Schema(description = "Pulsar's persistence policies of a namespace. All zeros: the server's default is inherited.")
public record PersistencePolicies(
        @Schema(example = "3") @JsonProperty("bookkeeperEnsemble") @Nullable Integer bookkeeperEnsemble,
        @Schema(example = "3") @JsonProperty("bookkeeperWriteQuorum") @Nullable Integer bookkeeperWriteQuorum,
        @Schema(example = "2") @JsonProperty("bookkeeperAckQuorum") @Nullable Integer bookkeeperAckQuorum,
        @Schema(description = "Kept for Pulsar's clients; has no meaning here.", example = "0.0")
                @JsonProperty("managedLedgerMaxMarkDeleteRate")
                @Nullable
                Double managedLedgerMaxMarkDeleteRate) {
    public static PersistencePolicies of(Optional<QuorumPolicy> policy) {
        return new PersistencePolicies(
                policy.map(QuorumPolicy::ensembleSize).orElse(0),
                policy.map(QuorumPolicy::writeQuorum).orElse(0),
                policy.map(QuorumPolicy::ackQuorum).orElse(0),
                0.0);
    }
}
