// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Holds when no cluster is configured: the store is files of this machine. */
final class SingleNode implements Condition {
    static final String METADATA_URI = "keptlog.cluster.metadata-uri";

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return !context.getEnvironment().containsProperty(METADATA_URI);
    }
}
