// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.QuorumPolicy;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream's options in a cluster. */
class StreamOptionsTest {
    private final StreamOptions options = new StreamOptions(Optional.of(QuorumPolicy.DEFAULT));

    @Test
    void theGuaranteeIsSetChangedAndKeptBesideTheQuorums() {
        Map<String, String> created =
                options.patched(Map.of(), Map.of("ensemble_size", "3", "guarantee_write_quorum", "true"));
        assertThat(created).containsOnly(Map.entry("ensemble_size", "3"), Map.entry("guarantee_write_quorum", "true"));
        assertThat(options.patched(created, Map.of("write_quorum", "3")))
                .containsEntry("guarantee_write_quorum", "true")
                .containsEntry("write_quorum", "3");
        assertThat(options.patched(created, Map.of("guarantee_write_quorum", "false")))
                .containsEntry("guarantee_write_quorum", "false")
                .containsEntry("ensemble_size", "3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "TRUE", "yes", " true"})
    void theGuaranteeIsTrueOrFalse(String value) {
        assertThatThrownBy(() -> options.patched(Map.of(), Map.of("guarantee_write_quorum", value)))
                .isInstanceOfSatisfying(KeptlogException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION_VALUE);
                    assertThat(e.field()).isEqualTo("guarantee_write_quorum");
                });
    }

    @Test
    void theOptionsOfAClusterAreListedWithTheirDefaults() {
        assertThat(new OptionsCatalog(Optional.of(QuorumPolicy.DEFAULT)).list("stream"))
                .extracting(OptionSpec::key)
                .containsExactly("ensemble_size", "write_quorum", "ack_quorum", "guarantee_write_quorum");
        assertThat(new OptionsCatalog().list("stream")).isEmpty();
    }
}
