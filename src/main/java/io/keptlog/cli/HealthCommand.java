// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Asks a running server whether it lives: for container images, which have no other HTTP client. Exit code 0 only for a 200. */
@Command(
        name = "health",
        description = "Asks a running server whether it lives; exit code 0 when it does.",
        mixinStandardHelpOptions = true)
public final class HealthCommand implements Callable<Integer> {
    static final int ALIVE = 0;
    static final int NOT_ALIVE = 1;

    @Option(
            names = "--timeout-millis",
            defaultValue = "3000",
            description = "How long to wait for an answer; default ${DEFAULT-VALUE}.")
    private int timeoutMillis;

    @Option(
            names = "--url",
            description =
                    "What to ask; the default follows SERVER_PORT and SERVER_SSL_BUNDLE: http://127.0.0.1:3000/actuator/health/liveness")
    private URI url = defaultUrl(System.getenv());

    static URI defaultUrl(Map<String, String> environment) {
        boolean encrypted =
                environment.containsKey("SERVER_SSL_BUNDLE") || environment.containsKey("SERVER_SSL_CERTIFICATE");
        return URI.create((encrypted ? "https" : "http") + "://127.0.0.1:"
                + environment.getOrDefault("SERVER_PORT", "3000") + "/actuator/health/liveness");
    }

    private static boolean isThisMachine(URI url) throws IOException {
        return InetAddress.getByName(url.getHost()).isLoopbackAddress();
    }

    /** The server's certificate bears its public name; nobody stands between a machine and itself, and nothing secret is sent. */
    private static void trustThisMachine(HttpsURLConnection connection) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Anybody()}, null);
            connection.setSSLSocketFactory(context.getSocketFactory());
            connection.setHostnameVerifier((host, session) -> true);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** Used for a liveness question over loopback alone. */
    private static final class Anybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Override
    public Integer call() {
        try {
            HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection();
            if (connection instanceof HttpsURLConnection encrypted && isThisMachine(url)) {
                trustThisMachine(encrypted);
            }
            connection.setConnectTimeout(timeoutMillis);
            connection.setReadTimeout(timeoutMillis);
            int status = connection.getResponseCode();
            connection.disconnect();
            System.out.println(url + " answers " + status);
            return status == HttpURLConnection.HTTP_OK ? ALIVE : NOT_ALIVE;
        } catch (IOException e) {
            System.err.println(url + " does not answer: " + e.getMessage());
            return NOT_ALIVE;
        }
    }
}
