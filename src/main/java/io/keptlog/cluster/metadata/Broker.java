// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.metadata;

/**
 * A live broker.
 *
 * @param id one run of it
 * @param name stays the same over restarts: decides which partitions are its own
 * @param httpAddress {@code host:port} for clients
 * @param peerAddress {@code host:port} for other brokers
 */
public record Broker(String id, String name, String httpAddress, String peerAddress) {}
