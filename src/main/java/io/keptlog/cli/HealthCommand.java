// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.Callable;
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

    private static final int TIMEOUT_MILLIS = 3_000;

    @Option(
            names = "--url",
            description =
                    "What to ask; the default follows SERVER_PORT: http://127.0.0.1:3000/actuator/health/liveness")
    private URI url = defaultUrl(System.getenv());

    static URI defaultUrl(Map<String, String> environment) {
        return URI.create(
                "http://127.0.0.1:" + environment.getOrDefault("SERVER_PORT", "3000") + "/actuator/health/liveness");
    }

    @Override
    public Integer call() {
        try {
            HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection();
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
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
