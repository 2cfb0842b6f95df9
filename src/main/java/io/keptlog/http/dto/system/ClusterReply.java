// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.system;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** The nodes of the cluster. */
@Schema(description = "The nodes of the cluster; one node is a cluster of itself.")
public record ClusterReply(@Schema(example = "single-node") String name, List<Node> nodes) {
    /** A node. */
    @Schema(name = "ClusterNode")
    public record Node(
            @Schema(example = "keptlog-1") String name,
            @Schema(example = "127.0.0.1") String ip,
            Endpoints endpoints,
            @Schema(description = "leader or follower.", example = "leader") String role,
            @Schema(
                            description = "healthy, starting, stopping, unreachable, maintenance or unknown.",
                            example = "healthy")
                    String status) {}

    /** Ports by transport; 0 = not offered. */
    @Schema(name = "NodeEndpoints", description = "Ports by transport; 0 = not offered.")
    public record Endpoints(int tcp, int quic, @Schema(example = "3000") int http, int websocket) {}
}
