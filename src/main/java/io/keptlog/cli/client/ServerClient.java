// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Requests to one server in one user's name. Safe for any number of threads. An answer that is no success is a {@link ServerRefused}, no
 * answer another IOException: then a write may have been stored.
 */
public final class ServerClient implements AutoCloseable {
    /** Above the longest wait of a long poll and of a write. */
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient http;
    private final String base;
    private final String authorization;

    /**
     * @param authorities PEM file of the certificates that are trusted; null = the runtime's
     * @throws IOException the file cannot be read or has no certificates
     */
    public ServerClient(URI server, String authorization, @Nullable Path authorities) throws IOException {
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_TIMEOUT);
        if (authorities != null) {
            builder.sslContext(trusting(authorities));
        }
        if ("http".equals(server.getScheme()) && !isThisMachine(server.getHost())) {
            System.err.println("Warning: without https everybody on the way to " + server.getHost()
                    + " can read the password and the messages.");
        }
        this.http = builder.build();
        this.base = server.toString().replaceAll("/+$", "");
        this.authorization = authorization;
    }

    private static boolean isThisMachine(String host) throws IOException {
        return InetAddress.getByName(host).isLoopbackAddress();
    }

    private static SSLContext trusting(Path pem) throws IOException {
        try (InputStream in = Files.newInputStream(pem)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + store.size(), one);
            }
            if (store.size() == 0) {
                throw new IOException(pem + " has no certificates");
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(pem + " is no list of certificates in PEM: " + e.getMessage(), e);
        }
    }

    /** A path of these parts, each percent-encoded. */
    public static String path(String... parts) {
        return Arrays.stream(parts).map(part -> "/" + encoded(part)).collect(Collectors.joining());
    }

    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    public JsonNode get(String path) throws IOException, InterruptedException {
        return send("GET", path, BodyPublishers.noBody(), Map.of()).json();
    }

    public JsonNode delete(String path) throws IOException, InterruptedException {
        return send("DELETE", path, BodyPublishers.noBody(), Map.of()).json();
    }

    public JsonNode json(String method, String path, Object body) throws IOException, InterruptedException {
        byte[] bytes = Answer.JSON.writeValueAsBytes(body);
        return send(method, path, BodyPublishers.ofByteArray(bytes), Map.of("Content-Type", "application/json"))
                .json();
    }

    public Answer send(String method, String path, BodyPublisher body, Map<String, String> headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(TIMEOUT)
                .header("Authorization", authorization)
                .method(method, body);
        headers.forEach(request::header);
        HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
        var answer = new Answer(response.statusCode(), response.headers(), response.body());
        if (!answer.isSuccess()) {
            throw new ServerRefused(answer);
        }
        return answer;
    }

    @Override
    public String toString() {
        return base;
    }

    @Override
    public void close() {
        http.shutdownNow();
        http.close();
    }
}
