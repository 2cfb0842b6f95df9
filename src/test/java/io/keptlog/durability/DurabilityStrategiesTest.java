// SPDX-License-Identifier: Apache-2.0
package io.keptlog.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.Durability;
import java.util.List;
import org.junit.jupiter.api.Test;

class DurabilityStrategiesTest {
    @Test
    void eachLevelHasItsStrategy() {
        var strategies = new DurabilityStrategies(List.of(new PersistedStrategy(), new ReplicatedStrategy()));
        for (Durability level : Durability.values()) {
            assertThat(strategies.of(level).level()).isEqualTo(level);
        }
    }

    @Test
    void aMissingLevelIsFoundAtTheStart() {
        assertThatThrownBy(() -> new DurabilityStrategies(List.of(new ReplicatedStrategy())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("PERSISTED");
    }

    @Test
    void twoStrategiesOfOneLevelAreFoundAtTheStart() {
        assertThatThrownBy(() -> new DurabilityStrategies(
                        List.of(new ReplicatedStrategy(), new PersistedStrategy(), new ReplicatedStrategy())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("REPLICATED");
    }
}
