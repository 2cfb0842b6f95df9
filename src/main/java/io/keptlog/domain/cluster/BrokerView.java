// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.cluster;

/**
 * A live broker.
 *
 * @param self whether it is the one that answers
 */
public record BrokerView(String name, String httpAddress, boolean self) {}
