// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.client.RackPolicy;
import io.keptlog.domain.Limits;
import io.keptlog.domain.QuorumPolicy;
import java.time.Duration;

/**
 * How this broker takes part in a cluster.
 *
 * @param metadataUri {@code zk:host:port[,host:port]}
 * @param bookKeeperUri where BookKeeper keeps its metadata, for example {@code zk+hierarchical://host:port/ledgers}
 * @param brokerName stays the same over restarts, different on every broker
 * @param httpAddress {@code host:port} under which clients reach this broker
 * @param peerHost where other brokers connect to
 * @param peerPort 0 = any free one
 * @param defaultPolicy of streams that name none
 * @param sessionTimeout a broker that is silent for so long has lost its partitions
 * @param pendingBytesMax entries in flight to bookies, over all partitions
 * @param auditBytesPerSecond what the background audit of copies reads
 * @param racks over how many the copies of an entry are spread
 */
public record ClusterSettings(
        String metadataUri,
        String bookKeeperUri,
        String brokerName,
        String httpAddress,
        String peerHost,
        int peerPort,
        QuorumPolicy defaultPolicy,
        Duration sessionTimeout,
        Duration writeTimeout,
        long pendingBytesMax,
        long auditBytesPerSecond,
        RackPolicy racks) {
    public ClusterSettings {
        if (sessionTimeout.compareTo(Duration.ofSeconds(2)) < 0
                || sessionTimeout.compareTo(Duration.ofMinutes(1)) > 0) {
            throw new IllegalArgumentException("session timeout " + sessionTimeout);
        }
        if (peerPort < 0 || peerPort > 65535) {
            throw new IllegalArgumentException("peer port " + peerPort);
        }
        if (auditBytesPerSecond < Limits.DEPTH_AUDIT_MIN_BYTES || auditBytesPerSecond > Limits.DEPTH_AUDIT_MAX_BYTES) {
            throw new IllegalArgumentException("audit rate of " + auditBytesPerSecond + " bytes, must be from "
                    + Limits.DEPTH_AUDIT_MIN_BYTES + " to " + Limits.DEPTH_AUDIT_MAX_BYTES);
        }
    }

    /** The background audit at its default rate, racks as they come. */
    public ClusterSettings(
            String metadataUri,
            String bookKeeperUri,
            String brokerName,
            String httpAddress,
            String peerHost,
            int peerPort,
            QuorumPolicy defaultPolicy,
            Duration sessionTimeout,
            Duration writeTimeout,
            long pendingBytesMax) {
        this(
                metadataUri,
                bookKeeperUri,
                brokerName,
                httpAddress,
                peerHost,
                peerPort,
                defaultPolicy,
                sessionTimeout,
                writeTimeout,
                pendingBytesMax,
                Limits.DEPTH_AUDIT_DEFAULT_BYTES,
                RackPolicy.DEFAULT);
    }

    /** BookKeeper's usual place in the same ZooKeeper. */
    public static String bookKeeperUri(String metadataUri) {
        if (!metadataUri.startsWith("zk:")) {
            throw new IllegalArgumentException("metadata-uri " + metadataUri + " does not begin with zk:");
        }
        return "zk+hierarchical://" + metadataUri.substring("zk:".length()).replace(',', ';') + "/ledgers";
    }

    /** A bookie that is silent for so long is replaced before the write's own deadline. */
    int addTimeoutSeconds() {
        return (int) Math.max(1, writeTimeout.toSeconds() * 3 / 5);
    }
}
