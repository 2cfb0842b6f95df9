// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.cluster.DepthReport;
import io.keptlog.domain.cluster.EntryPlace;
import io.keptlog.http.dto.cluster.BookieReply;
import io.keptlog.http.dto.cluster.DecommissionReply;
import io.keptlog.http.dto.cluster.PersistencePolicies;
import io.keptlog.http.dto.cluster.RackRequest;
import io.keptlog.http.dto.cluster.RepairReply;
import io.keptlog.http.dto.cluster.ReplicationReply;
import io.keptlog.service.cluster.ClusterService;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Quorums: where a partition is kept, the bookies, and the policy of a stream as Pulsar's admin client sets it. */
@Tag(name = "Cluster")
@RestController
class ClusterController {
    private static final String PERSISTENCE = "/admin/v2/namespaces/{tenant}/{namespace}/persistence";
    private static final String REPLICATION =
            "/streams/{stream_id}/topics/{topic_id}/partitions/{partition_id}/replication";
    private static final String TENANT = "public";
    private static final long ENTRIES_MAX = 1_000;

    private final ClusterService cluster;
    private final Permits permits;

    ClusterController(ClusterService cluster, Permits permits) {
        this.cluster = cluster;
        this.permits = permits;
    }

    @Operation(
            operationId = "getReplication",
            summary = "List the ledgers and bookies that keep a partition",
            description =
                    "Needs read_topic. With depth=true every bookie of every entry is asked for its copy. In a cluster only; on one node 412.")
    @GetMapping(REPLICATION)
    ReplicationReply replication(
            @PathVariable(PathIds.STREAM) String stream,
            @PathVariable(PathIds.TOPIC) String topic,
            @PathVariable(PathIds.PARTITION) String partition,
            @Parameter(description = "First entry whose bookies are listed.", example = "0")
                    @RequestParam(name = "entry", defaultValue = "0")
                    String entry,
            @Parameter(description = "How many entries, at most 1000.", example = "10")
                    @RequestParam(name = "entries", defaultValue = "10")
                    String entries,
            @Parameter(description = "Whether the bookies are asked how many copies there are.", example = "true")
                    @RequestParam(name = "depth", defaultValue = "false")
                    boolean depth,
            @Parameter(description = "Where to go on: next of a former answer.", example = "17:1000")
                    @RequestParam(name = "depth_from", defaultValue = "0:0")
                    String depthFrom,
            @Parameter(description = "How many entries are asked for, at most 10000.", example = "1000")
                    @RequestParam(name = "depth_entries", defaultValue = "1000")
                    String depthEntries) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        permits.readTopic(streamId, topicId);
        long partitionId = Unsigned.u32(partition, PathIds.PARTITION);
        long count = Math.min(ENTRIES_MAX, Unsigned.u32(entries, "entries"));
        DepthReport copies = depth
                ? cluster.depth(streamId, topicId, partitionId, place(depthFrom), depthEntries(depthEntries))
                : null;
        return ReplicationReply.of(
                (int) partitionId,
                cluster.replication(streamId, topicId, partitionId, Unsigned.u32(entry, "entry"), (int) count),
                copies);
    }

    @Operation(
            operationId = "repairReplication",
            summary = "Write missing copies of a partition's messages again",
            description =
                    "Needs manage_topic. Looks at the same entries as a GET with depth=true, and completes those of closed ledgers. A copy that was corrupt is found good after its bookie's next flush. In a cluster only; on one node 412.")
    @PostMapping(REPLICATION + "/repair")
    RepairReply repair(
            @PathVariable(PathIds.STREAM) String stream,
            @PathVariable(PathIds.TOPIC) String topic,
            @PathVariable(PathIds.PARTITION) String partition,
            @Parameter(description = "Where to go on: next of a former answer.", example = "17:1000")
                    @RequestParam(name = "depth_from", defaultValue = "0:0")
                    String depthFrom,
            @Parameter(description = "How many entries are looked at, at most 10000.", example = "1000")
                    @RequestParam(name = "depth_entries", defaultValue = "1000")
                    String depthEntries) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        permits.manageTopic(streamId, topicId);
        return RepairReply.of(cluster.repair(
                streamId,
                topicId,
                Unsigned.u32(partition, PathIds.PARTITION),
                place(depthFrom),
                depthEntries(depthEntries)));
    }

    private static int depthEntries(String text) {
        return Math.clamp(Unsigned.u32(text, "depth_entries"), 1, Limits.DEPTH_ENTRIES_MAX);
    }

    /** {@code ledger:entry}, as an answer's next has it. */
    private static EntryPlace place(String text) {
        int colon = text.indexOf(':');
        try {
            return new EntryPlace(
                    Long.parseLong(text, 0, Math.max(0, colon), 10),
                    Long.parseLong(text, colon + 1, text.length(), 10));
        } catch (IllegalArgumentException e) {
            throw new KeptlogException(
                    ErrorCode.INVALID_FORMAT,
                    "depth_from is the next of a former answer, like 17:1000, not " + text + ".",
                    "depth_from");
        }
    }

    @Operation(
            operationId = "listBookies",
            summary = "List the bookies",
            description =
                    "Needs read_servers. What bookies say of themselves was read in the last seconds: one that does not answer is shown as such and delays nothing. In a cluster only; on one node 412.")
    @GetMapping("/bookies")
    List<BookieReply> bookies() {
        permits.readServers();
        return cluster.bookies().stream().map(BookieReply::of).toList();
    }

    @Operation(
            operationId = "setBookieRack",
            summary = "Tell in which rack a bookie is",
            description =
                    "Needs manage_servers. Ledgers made from now on are spread over racks as keptlog.cluster.min-racks-per-write-quorum says. Kept where Pulsar keeps it (/bookies). In a cluster only; on one node 412.")
    @PutMapping("/bookies/{bookie_id}/rack")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void rack(@PathVariable("bookie_id") String bookie, @Valid @RequestBody RackRequest request) {
        permits.manageServers();
        cluster.setRack(bookie, request.rack());
    }

    @Operation(
            operationId = "checkDecommission",
            summary = "Tell what the loss of a bookie would mean",
            description =
                    "Needs read_servers. By the metadata of all ledgers and the bookies that are alive now. In a cluster only; on one node 412.")
    @GetMapping("/bookies/{bookie_id}/decommission-check")
    DecommissionReply decommission(@PathVariable("bookie_id") String bookie) {
        permits.readServers();
        return DecommissionReply.of(cluster.decommission(bookie));
    }

    @Operation(
            operationId = "getPersistence",
            summary = "Get the quorums of a stream (Pulsar's admin path)",
            description = "Needs read_stream. The tenant is public, the namespace is the stream.")
    @GetMapping(PERSISTENCE)
    PersistencePolicies persistence(
            @PathVariable("tenant") String tenant, @PathVariable("namespace") String namespace) {
        Identifier stream = stream(tenant, namespace);
        permits.readStream(stream);
        return PersistencePolicies.of(cluster.ownPolicy(stream));
    }

    @Operation(
            operationId = "setPersistence",
            summary = "Set the quorums of a stream (Pulsar's admin path)",
            description = "Needs manage_stream. Concerns the next ledger of each partition.")
    @PostMapping(PERSISTENCE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void setPersistence(
            @PathVariable("tenant") String tenant,
            @PathVariable("namespace") String namespace,
            @Valid @RequestBody PersistencePolicies policies,
            HttpServletResponse response) {
        Identifier stream = stream(tenant, namespace);
        permits.manageStream(stream);
        cluster.setPolicy(
                stream,
                named(policies.bookkeeperEnsemble(), "bookkeeperEnsemble"),
                named(policies.bookkeeperWriteQuorum(), "bookkeeperWriteQuorum"),
                named(policies.bookkeeperAckQuorum(), "bookkeeperAckQuorum"));
        cluster.warnings(stream).forEach(w -> response.addHeader(StreamController.WARNING, w.code()));
    }

    @Operation(
            operationId = "removePersistence",
            summary = "Remove the quorums of a stream (Pulsar's admin path)",
            description = "Needs manage_stream. The server's default is inherited again.")
    @DeleteMapping(PERSISTENCE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void removePersistence(@PathVariable("tenant") String tenant, @PathVariable("namespace") String namespace) {
        Identifier stream = stream(tenant, namespace);
        permits.manageStream(stream);
        cluster.removePolicy(stream);
    }

    private static int named(@Nullable Integer value, String field) {
        if (value == null) {
            throw new KeptlogException(ErrorCode.INVALID_FORMAT, field + " is missing.", field);
        }
        return value;
    }

    private static Identifier stream(String tenant, String namespace) {
        if (!tenant.equals(TENANT)) {
            throw new KeptlogException(ErrorCode.NOT_FOUND, "There is one tenant, public.", "tenant");
        }
        return Identifier.parse(namespace, "namespace");
    }
}
