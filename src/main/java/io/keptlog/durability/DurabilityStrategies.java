// SPDX-License-Identifier: Apache-2.0
package io.keptlog.durability;

import io.keptlog.domain.Durability;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;

/** The strategy of each level: complete and without doubles, or it cannot be made and the server does not start. Immutable. */
public final class DurabilityStrategies {
    private final Map<Durability, DurabilityStrategy> byLevel = new EnumMap<>(Durability.class);

    /**
     * @throws IllegalStateException when a level has no strategy or two
     */
    public DurabilityStrategies(Collection<DurabilityStrategy> strategies) {
        for (DurabilityStrategy strategy : strategies) {
            DurabilityStrategy other = byLevel.put(strategy.level(), strategy);
            if (other != null) {
                throw new IllegalStateException("two durability strategies for " + strategy.level() + ": "
                        + other.getClass().getName() + " and "
                        + strategy.getClass().getName());
            }
        }
        for (Durability level : Durability.values()) {
            if (!byLevel.containsKey(level)) {
                throw new IllegalStateException("no durability strategy for " + level);
            }
        }
    }

    public DurabilityStrategy of(Durability level) {
        DurabilityStrategy strategy = byLevel.get(level);
        if (strategy == null) {
            throw new IllegalStateException("no durability strategy for " + level);
        }
        return strategy;
    }
}
