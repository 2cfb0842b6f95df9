// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.Identifier;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.http.dto.catalog.StreamDetailsReply;
import io.keptlog.http.dto.catalog.StreamReply;
import io.keptlog.http.dto.catalog.StreamRequest;
import io.keptlog.service.catalog.PartitionService;
import io.keptlog.service.catalog.StreamService;
import io.keptlog.service.catalog.StreamView;
import io.keptlog.service.cluster.ClusterService;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Streams. */
@Tag(name = "Streams")
@RestController
@RequestMapping("/streams")
class StreamController {
    private final StreamService streams;
    private final PartitionService partitions;
    /** One per thing that the stream's quorum policy costs. */
    static final String WARNING = "Keptlog-Warning";

    private final ClusterService cluster;
    private final Permits permits;

    StreamController(StreamService streams, PartitionService partitions, ClusterService cluster, Permits permits) {
        this.streams = streams;
        this.partitions = partitions;
        this.cluster = cluster;
        this.permits = permits;
    }

    private StreamDetailsReply details(StreamView view) {
        return StreamDetailsReply.of(
                view,
                cluster.warnings(view.entry().options()).stream()
                        .map(QuorumPolicy.Warning::text)
                        .toList());
    }

    private void warn(Identifier stream, HttpServletResponse response) {
        cluster.warnings(stream).forEach(w -> response.addHeader(WARNING, w.code()));
    }

    @Operation(operationId = "listStreams", summary = "List all streams", description = "Needs read_streams.")
    @GetMapping
    List<StreamReply> list() {
        permits.readStreams();
        return streams.list().stream().map(StreamReply::of).toList();
    }

    @Operation(
            operationId = "createStream",
            summary = "Create a stream",
            description = "Needs manage_streams. Durable when it is answered; the id is never used again.")
    @PostMapping
    StreamDetailsReply create(@Valid @RequestBody StreamRequest request, HttpServletResponse response) {
        permits.createStream();
        StreamView created = streams.create(request.name(), request.optionsOrNone());
        warn(new Identifier.Numeric(created.entry().id()), response);
        return details(created);
    }

    @Operation(operationId = "getStream", summary = "Get a stream by id or name", description = "Needs read_stream.")
    @GetMapping("/{stream_id}")
    StreamDetailsReply get(@PathVariable(PathIds.STREAM) String stream) {
        Identifier id = PathIds.stream(stream);
        permits.readStream(id);
        return details(streams.get(id));
    }

    @Operation(operationId = "updateStream", summary = "Rename a stream", description = "Needs manage_stream.")
    @PutMapping("/{stream_id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void update(
            @PathVariable(PathIds.STREAM) String stream,
            @Valid @RequestBody StreamRequest request,
            HttpServletResponse response) {
        Identifier id = PathIds.stream(stream);
        permits.manageStream(id);
        streams.update(id, request.name(), request.optionsOrNone());
        if (!request.optionsOrNone().isEmpty()) {
            warn(id instanceof Identifier.Name ? new Identifier.Name(request.name()) : id, response);
        }
    }

    @Operation(
            operationId = "deleteStream",
            summary = "Delete a stream with all its topics",
            description = "Needs manage_stream. Durable when it is answered; disk space returns in the background.")
    @DeleteMapping("/{stream_id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable(PathIds.STREAM) String stream) {
        Identifier id = PathIds.stream(stream);
        permits.manageStream(id);
        streams.delete(id);
    }

    @Operation(
            operationId = "purgeStream",
            summary = "Empty all topics of a stream",
            description = "Needs manage_stream. Messages and stored offsets are gone, offsets begin at 0 again.")
    @DeleteMapping("/{stream_id}/purge")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void purge(@PathVariable(PathIds.STREAM) String stream) {
        Identifier id = PathIds.stream(stream);
        permits.manageStream(id);
        partitions.purgeStream(id);
    }
}
