// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.system;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.domain.catalog.StreamEntry;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.service.catalog.OpenLogs;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.LogStatus;

/** Counts what there is, at the moment of the question. Keeps no state; costs one look per partition. */
public final class StatsService {
    private final Catalog catalog;
    private final OpenLogs openLogs;
    private final ClientRegistry clients;
    private final HostProbe host;

    public StatsService(Catalog catalog, OpenLogs openLogs, ClientRegistry clients, HostProbe host) {
        this.catalog = catalog;
        this.openLogs = openLogs;
        this.clients = clients;
        this.host = host;
    }

    /**
     * How much there is.
     *
     * @param messages kept and visible
     */
    public record Counts(
            int streams,
            int topics,
            int partitions,
            int segments,
            long messages,
            long messagesBytes,
            int groups,
            int users,
            int clients) {}

    /** Everything about the server. */
    public record Stats(HostProbe.Host host, Counts counts) {}

    public Stats stats() {
        return new Stats(host.look(), counts());
    }

    public Counts counts() {
        CatalogState state = catalog.state();
        int topics = 0;
        int partitions = 0;
        int groups = 0;
        int segments = 0;
        long messages = 0;
        long bytes = 0;
        for (StreamEntry stream : state.streams().values()) {
            topics += stream.topics().size();
            for (TopicEntry topic : stream.topics().values()) {
                groups += topic.groups().size();
                partitions += topic.partitions().size();
                for (PartitionSpec spec : topic.specs()) {
                    LogStatus status = openLogs.statusNow(spec);
                    if (status != null) {
                        segments += status.segments();
                        messages += Math.max(0, status.visibleEnd() - status.firstOffset());
                        bytes += status.sizeBytes();
                    }
                }
            }
        }
        return new Counts(
                state.streams().size(),
                topics,
                partitions,
                segments,
                messages,
                bytes,
                groups,
                state.users().size(),
                clients.list().size());
    }
}
