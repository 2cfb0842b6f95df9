// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.message;

import io.keptlog.domain.Durability;
import io.keptlog.domain.PartitionSpec;

/**
 * Where the messages of one request go, chosen once: a life of a partition, and what its success means.
 *
 * @param policy the topic's
 * @param level what this request waits for: the policy or more
 */
public record Route(PartitionSpec partition, Durability policy, Durability level) {}
