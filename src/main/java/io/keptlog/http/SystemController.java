// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.cluster.BrokerView;
import io.keptlog.http.dto.system.ClientReply;
import io.keptlog.http.dto.system.ClusterReply;
import io.keptlog.http.dto.system.StatsReply;
import io.keptlog.service.cluster.ClusterService;
import io.keptlog.service.system.ClientRegistry;
import io.keptlog.service.system.RequestCount;
import io.keptlog.service.system.StatsService;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.security.SecurityRequirements;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The server itself. */
@Tag(name = "System")
@RestController
class SystemController {
    private static final String OPEN_METRICS = "application/openmetrics-text;version=1.0.0;charset=utf-8";

    private final StatsService stats;
    private final ClientRegistry clients;
    private final RequestCount requests;
    private final ClusterService cluster;
    private final Permits permits;

    SystemController(
            StatsService stats,
            ClientRegistry clients,
            RequestCount requests,
            ClusterService cluster,
            Permits permits) {
        this.stats = stats;
        this.clients = clients;
        this.requests = requests;
        this.cluster = cluster;
        this.permits = permits;
    }

    /** As text whatever the client accepts, as {@link #metrics}: many clients ask for JSON by habit. */
    @Operation(
            operationId = "ping",
            summary = "Say that the server is there",
            description = "Public.",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "OK",
                            content =
                                    @Content(
                                            mediaType = MediaType.TEXT_PLAIN_VALUE,
                                            schema = @Schema(type = "string"))))
    @SecurityRequirements
    @GetMapping("/ping")
    ResponseEntity<String> ping() {
        return ResponseEntity.ok().contentType(MediaType.TEXT_PLAIN).body("pong");
    }

    @Operation(operationId = "getStats", summary = "Get statistics of the server", description = "Needs read_servers.")
    @GetMapping("/stats")
    StatsReply stats() {
        permits.readServers();
        return StatsReply.of(stats.stats());
    }

    @Operation(
            operationId = "getMetrics",
            summary = "Get counts as OpenMetrics text",
            description = "Any user.",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "OK",
                            content = @Content(mediaType = OPEN_METRICS, schema = @Schema(type = "string"))))
    @GetMapping("/metrics")
    ResponseEntity<String> metrics() {
        StatsService.Counts counts = stats.counts();
        var text = new StringBuilder(512);
        gauge(text, "streams", "Streams", counts.streams());
        gauge(text, "topics", "Topics", counts.topics());
        gauge(text, "partitions", "Partitions", counts.partitions());
        gauge(text, "segments", "Segments", counts.segments());
        gauge(text, "messages", "Messages that are kept", counts.messages());
        gauge(text, "users", "Users", counts.users());
        gauge(text, "clients", "Clients of the last minutes", counts.clients());
        text.append("# HELP http_requests HTTP requests answered.\n# TYPE http_requests counter\nhttp_requests_total ")
                .append(requests.total())
                .append("\n# EOF\n");
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType(OPEN_METRICS))
                .body(text.toString());
    }

    private static void gauge(StringBuilder text, String name, String help, long value) {
        text.append("# HELP ").append(name).append(' ').append(help).append(".\n");
        text.append("# TYPE ").append(name).append(" gauge\n");
        text.append(name).append(' ').append(value).append('\n');
    }

    @Operation(
            operationId = "listClients",
            summary = "List the clients",
            description =
                    "Needs read_servers. A client is a user at an address that made a request in the last minutes.")
    @GetMapping("/clients")
    List<ClientReply> clients() {
        permits.readServers();
        return clients.list().stream().map(ClientReply::of).toList();
    }

    @Operation(operationId = "getClient", summary = "Get a client", description = "Needs read_servers.")
    @GetMapping("/clients/{client_id}")
    ClientReply client(@Parameter(example = "1") @PathVariable("client_id") String client) {
        permits.readServers();
        return ClientReply.withGroups(clients.get(Unsigned.u32(client, "client_id")));
    }

    @Operation(operationId = "getClusterMetadata", summary = "List the nodes of the cluster", description = "Any user.")
    @GetMapping("/cluster/metadata")
    ClusterReply cluster(HttpServletRequest request) {
        List<BrokerView> brokers = cluster.brokers();
        if (!brokers.isEmpty()) {
            return new ClusterReply(
                    "keptlog", brokers.stream().map(SystemController::node).toList());
        }
        var endpoints = new ClusterReply.Endpoints(0, 0, request.getLocalPort(), 0);
        return new ClusterReply(
                "single-node",
                List.of(new ClusterReply.Node(
                        request.getLocalName(), request.getLocalAddr(), endpoints, "leader", "healthy")));
    }

    /** Every broker takes every request: there is no leader among them. */
    private static ClusterReply.Node node(BrokerView broker) {
        String address = broker.httpAddress();
        int colon = address.lastIndexOf(':');
        var endpoints = new ClusterReply.Endpoints(0, 0, Integer.parseInt(address.substring(colon + 1)), 0);
        return new ClusterReply.Node(
                broker.name(),
                address.substring(0, colon),
                endpoints,
                broker.self() ? "leader" : "follower",
                "healthy");
    }
}
