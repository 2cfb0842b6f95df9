// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.Partitioning;
import io.keptlog.http.codec.ProduceBody;
import io.keptlog.http.codec.ProduceCodec;
import io.keptlog.service.message.Ack;
import io.keptlog.service.message.Pending;
import io.keptlog.service.message.ProduceService;
import io.keptlog.service.message.Receipt;
import io.keptlog.service.message.Route;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.HttpMediaTypeNotSupportedException;

/**
 * One produce request from its body to its reply. The body is read as a stream and encoded on the way, without Spring's conversion; the
 * reply is written by hand. Keeps no state; request threads wait in the service. What a refusal means for what was stored is in the
 * error's code; an ndjson request that fails says how many lines stay stored.
 */
@Component
class ProduceExchange {
    private static final MediaType NDJSON = MediaType.parseMediaType("application/x-ndjson");
    private static final List<MediaType> TAKEN =
            List.of(MediaType.APPLICATION_JSON, MediaType.APPLICATION_OCTET_STREAM, NDJSON);
    private static final String DURABILITY_REACHED = "Iggy-Durability";
    private static final String DURABILITY_WANTED = "Keptlog-Durability";
    private static final String PARTITION = "Keptlog-Partition";

    private final ProduceCodec codec;
    private final ProduceService produce;

    ProduceExchange(ProduceCodec codec, ProduceService produce) {
        this.codec = codec;
        this.produce = produce;
    }

    void serve(Identifier stream, Identifier topic, HttpServletRequest request, HttpServletResponse response)
            throws IOException, HttpMediaTypeNotSupportedException {
        MediaType type = contentType(request);
        Ack ack = request.getQueryString() == null ? Ack.REPLICATED : ack(request.getParameter("ack"));
        Durability wanted = wanted(request.getHeader(DURABILITY_WANTED));
        if (ack == Ack.NONE && wanted != null) {
            throw new KeptlogException(
                    ErrorCode.BAD_REQUEST, "With ack=none nothing is waited for.", DURABILITY_WANTED);
        }
        ProducerHeaders producer = ProducerHeaders.of(request);
        if (NDJSON.isCompatibleWith(type)) {
            lines(stream, topic, ack, wanted, producer, request, response);
            return;
        }
        try (ProduceBody body = read(type, request)) {
            producer.requireFixed(
                    body.partitioning(),
                    MediaType.APPLICATION_JSON.isCompatibleWith(type) ? "partitioning" : PARTITION);
            MessageBatch batch = producer.stamp(body.batch(), 0);
            if (ack == Ack.NONE) {
                produce.dispatch(stream, topic, body.partitioning(), batch);
                accepted(response);
            } else {
                Receipt receipt = produce.produce(stream, topic, body.partitioning(), batch, wanted);
                confirmed(response, receipt, policy(receipt, wanted), ConfirmationWriter.NO_LINES);
            }
        }
    }

    private ProduceBody read(MediaType type, HttpServletRequest request) throws IOException {
        return MediaType.APPLICATION_JSON.isCompatibleWith(type)
                ? codec.readJson(request.getInputStream(), request.getContentLengthLong())
                : codec.readOctetStream(
                        request.getInputStream(),
                        request.getContentLengthLong(),
                        partitioning(request),
                        request.getHeader("Keptlog-Message-Id"));
    }

    /** Batches of a stream of lines go to one partition; their durability is waited for once, after the last. */
    private void lines(
            Identifier stream,
            Identifier topic,
            Ack ack,
            @Nullable Durability wanted,
            ProducerHeaders producer,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        Partitioning partitioning = partitioning(request);
        producer.requireFixed(partitioning, PARTITION);
        var stored = new StoredLines(produce.route(stream, topic, partitioning, wanted), ack, producer);
        long lines;
        try {
            lines = codec.readNdjson(request.getInputStream(), request.getContentLengthLong(), stored::add);
        } catch (KeptlogException e) {
            stored.settle(e);
            throw e;
        }
        if (ack == Ack.NONE) {
            accepted(response);
        } else {
            Receipt receipt = stored.settle(lines);
            confirmed(response, receipt, stored.route.level(), lines);
        }
    }

    /** What the lines so far have become. Used by one thread. */
    private final class StoredLines {
        private final Route route;
        private final Ack ack;
        private final ProducerHeaders producer;
        private long baseOffset;
        private long lines;
        private boolean allDuplicates = true;
        private @Nullable Pending last;

        StoredLines(Route route, Ack ack, ProducerHeaders producer) {
            this.route = route;
            this.ack = ack;
            this.producer = producer;
        }

        void add(MessageBatch batch) {
            Pending pending = produce.append(route, producer.stamp(batch, lines));
            lines += batch.count();
            allDuplicates &= pending.duplicate();
            if (last == null) {
                baseOffset = pending.baseOffset();
            }
            last = pending;
            if (ack == Ack.NONE) {
                produce.begin(pending);
            }
        }

        Receipt settle(long storedLines) {
            if (last == null) {
                throw new IllegalStateException(storedLines + " lines and no batch");
            }
            try {
                return produce.await(last).from(baseOffset, allDuplicates);
            } catch (KeptlogException e) {
                throw e.with("stored_lines", storedLines);
            }
        }

        /** Lines that an error reports as stored are as durable as the topic promises, or the worse error is told. */
        void settle(KeptlogException error) {
            if (last != null && ack != Ack.NONE) {
                settle(error.details().get("stored_lines") instanceof Number n ? n.longValue() : 0);
            }
        }
    }

    private static Partitioning partitioning(HttpServletRequest request) {
        return ProduceCodec.partitioning(request.getHeader("Keptlog-Key"), request.getHeader(PARTITION));
    }

    private static MediaType contentType(HttpServletRequest request) throws HttpMediaTypeNotSupportedException {
        String text = request.getContentType();
        if (MediaType.APPLICATION_JSON_VALUE.equals(text)) {
            return MediaType.APPLICATION_JSON;
        }
        try {
            MediaType type = text == null ? null : MediaType.parseMediaType(text);
            if (type != null && type.isConcrete() && TAKEN.stream().anyMatch(t -> t.isCompatibleWith(type))) {
                return type;
            }
            throw new HttpMediaTypeNotSupportedException(type, TAKEN);
        } catch (InvalidMediaTypeException e) {
            throw new HttpMediaTypeNotSupportedException((MediaType) null, TAKEN);
        }
    }

    private static Ack ack(@Nullable String text) {
        return switch (text) {
            case null -> Ack.REPLICATED;
            case "replicated" -> Ack.REPLICATED;
            case "none" -> Ack.NONE;
            default -> throw new KeptlogException(
                    ErrorCode.BAD_REQUEST,
                    "ack is replicated or none; to raise one write above its topic's policy, send the header "
                            + DURABILITY_WANTED + ": persisted.",
                    "ack");
        };
    }

    private static @Nullable Durability wanted(@Nullable String text) {
        return text == null
                ? null
                : Durability.parse(text)
                        .orElseThrow(() -> new KeptlogException(
                                ErrorCode.BAD_REQUEST, "It is replicated or persisted.", DURABILITY_WANTED));
    }

    /** The reply names the topic's policy, or the higher level that this request asked for. */
    private static Durability policy(Receipt receipt, @Nullable Durability wanted) {
        return wanted == null ? receipt.policy() : receipt.policy().atLeast(wanted);
    }

    private static void accepted(HttpServletResponse response) {
        response.setStatus(HttpServletResponse.SC_ACCEPTED);
        response.setHeader(DURABILITY_REACHED, "none");
        response.setContentLength(0);
    }

    private static void confirmed(HttpServletResponse response, Receipt receipt, Durability level, long lines)
            throws IOException {
        byte[] json = ConfirmationWriter.write(receipt, lines);
        response.setStatus(receipt.duplicate() ? HttpServletResponse.SC_OK : HttpServletResponse.SC_CREATED);
        response.setHeader(DURABILITY_REACHED, level.wireName());
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        response.setContentLength(json.length);
        response.getOutputStream().write(json);
    }
}
