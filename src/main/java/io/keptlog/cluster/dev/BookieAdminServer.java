// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.dev;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import org.apache.bookkeeper.http.HttpRouter;
import org.apache.bookkeeper.http.HttpServer;
import org.apache.bookkeeper.http.HttpServerConfiguration;
import org.apache.bookkeeper.http.HttpServiceProvider;
import org.apache.bookkeeper.http.service.HttpServiceRequest;
import org.jspecify.annotations.Nullable;

/**
 * The admin port of a local bookie on the JDK's own server, with the same paths as BookKeeper's: heartbeat, configuration, metrics.
 * BookKeeper makes it by its class name.
 */
public final class BookieAdminServer implements HttpServer {
    private static final Map<String, ApiType> PATHS = Map.of(
            HttpRouter.HEARTBEAT, ApiType.HEARTBEAT,
            HttpRouter.SERVER_CONFIG, ApiType.SERVER_CONFIG,
            HttpRouter.METRICS, ApiType.METRICS);

    private @Nullable HttpServiceProvider provider;
    private com.sun.net.httpserver.@Nullable HttpServer server;

    @Override
    public void initialize(HttpServiceProvider provider) {
        this.provider = provider;
    }

    @Override
    public boolean startServer(int port) {
        return startServer(port, "127.0.0.1");
    }

    @Override
    public boolean startServer(int port, String host, HttpServerConfiguration configuration) {
        return startServer(port, host);
    }

    @Override
    public boolean startServer(int port, String host) {
        try {
            var made = com.sun.net.httpserver.HttpServer.create(new InetSocketAddress(host, port), 16);
            made.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            PATHS.forEach((path, type) -> made.createContext(path, exchange -> answer(exchange, type)));
            made.start();
            server = made;
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException("admin port " + port, e);
        }
    }

    private void answer(HttpExchange exchange, ApiType type) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")) {
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            var service = Objects.requireNonNull(provider).provideHttpEndpointService(type);
            var reply = service.handle(new HttpServiceRequest(null, Method.GET, Map.of()));
            byte[] body =
                    reply.getBody() == null ? new byte[0] : reply.getBody().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(reply.getStatusCode(), body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
            }
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(type + " failed", e);
        }
    }

    @Override
    public void stopServer() {
        if (server != null) {
            server.stop(0);
        }
    }

    @Override
    public boolean isRunning() {
        return server != null;
    }
}
