// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import io.keptlog.domain.Limits;
import io.keptlog.domain.message.BufferPool;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.http.codec.ProduceBody;
import io.keptlog.http.codec.ProduceCodec;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/**
 * What the server is measured against: the same Tomcat and dispatcher with the product's settings, and handlers that do nothing else
 * than what their name says. No stereotype annotation, so that no component scan finds it.
 */
@ImportAutoConfiguration({
    TomcatServletWebServerAutoConfiguration.class,
    DispatcherServletAutoConfiguration.class,
    WebMvcAutoConfiguration.class
})
public class NoopServer {
    private static final byte[] CONFIRMATION =
            ("{\"confirmations\":[{\"stream_id\":0,\"topic_id\":0,\"partition_id\":0,\"base_offset\":123456,\"end_offset\":123457,"
                            + "\"durability\":\"replicated\",\"stored_in\":\"page_cache\",\"copies\":1,\"epoch\":1,\"persisted_end_offset\":123000}]}")
                    .getBytes(StandardCharsets.UTF_8);
    private static final int BODY_MAX_BYTES = 2_000_000;
    static final String FILE_DIRECTORY = "noop.directory";

    private final ProduceCodec codec = new ProduceCodec(BODY_MAX_BYTES, new BufferPool(), InstantSource.system());
    private final AtomicReference<byte[]> memory = new AtomicReference<>(new byte[0]);
    private final FileChannel file = temporaryFile();
    private final AtomicLong fileEnd = new AtomicLong();

    public static void main(String[] args) {
        SpringApplication.run(NoopServer.class, args);
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> socketsOfTheProduct() {
        return factory -> factory.addConnectorCustomizers(connector -> {
            connector.setProperty("socket.appReadBufSize", Integer.toString(Limits.SOCKET_READ_BYTES));
            connector.setProperty("socket.appWriteBufSize", Integer.toString(Limits.SOCKET_WRITE_BYTES));
        });
    }

    @Bean
    SimpleUrlHandlerMapping noopHandlers() {
        HttpRequestHandler read = (request, response) -> {
            drain(request.getInputStream());
            answer(response, 201, CONFIRMATION);
        };
        HttpRequestHandler parse = (request, response) -> {
            try (ProduceBody body = codec.readJson(request.getInputStream(), request.getContentLengthLong())) {
                answer(response, body.batch() == null ? 500 : 201, CONFIRMATION);
            }
        };
        HttpRequestHandler fromMemory = this::memory;
        HttpRequestHandler write = this::write;
        return new SimpleUrlHandlerMapping(
                Map.of("/read", read, "/parse", parse, "/write", write, "/memory", fromMemory), -1);
    }

    /** Parses and leaves the records at the end of a file, without a frame, a sync or a way to find them again. */
    private void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try (ProduceBody body = codec.readJson(request.getInputStream(), request.getContentLengthLong())) {
            MessageBatch batch = body.batch();
            ByteBuffer records = ByteBuffer.wrap(batch.bytes(), batch.bodyOffset(), batch.bodyLength());
            file.write(records, fileEnd.getAndAdd(batch.bodyLength()));
            answer(response, 201, CONFIRMATION);
        }
    }

    private static FileChannel temporaryFile() {
        try {
            // Beside the data of the product, so that both meet the same disk.
            return FileChannel.open(
                    Files.createTempFile(Path.of(System.getProperty(FILE_DIRECTORY, ".")), "noop", ".bin"),
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** PUT keeps a body, GET answers it. */
    private void memory(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getMethod().equals("PUT")) {
            memory.set(request.getInputStream().readAllBytes());
        }
        answer(response, 200, memory.get());
    }

    private static void drain(InputStream in) throws IOException {
        byte[] buffer = new byte[8192];
        while (in.read(buffer) >= 0) {
            // nothing is done with it
        }
    }

    private static void answer(HttpServletResponse response, int status, byte[] body) throws IOException {
        response.setStatus(status);
        response.setContentType("application/json");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
