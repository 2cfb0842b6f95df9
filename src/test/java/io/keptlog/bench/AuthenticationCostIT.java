// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.Keptlog;
import io.keptlog.access.OpenServer;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.ServerProcess;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Produce of 1 × 1 KB at 64 connections with a bearer token, against the same server without authentication. In turns, and the median of
 * the turns counts, because the machine is shared. Seconds per turn: {@code -Dbench.seconds=5}.
 */
@Tag("bench")
class AuthenticationCostIT {
    private static final Duration MEASURED = Duration.ofSeconds(Integer.getInteger("bench.seconds", 5));
    private static final int CONNECTIONS = 64;
    /** Until both are compiled; before, the one with more code looks worse than it is. */
    private static final int WARM_UP_TURNS = 3;

    private static final int TURNS = 5;
    private static final double RATIO_MIN = 0.9;

    @TempDir(factory = TargetDirectory.class)
    Path directory;

    private ServerProcess start(Class<?> main, String name) {
        ServerProcess server = ServerProcess.spawn(
                List.of(
                        ServerProcess.java(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "--enable-native-access=ALL-UNNAMED",
                        Setup.CARRIERS,
                        main.getName(),
                        "--server.port=0",
                        ServerProcess.SHOW_PORT,
                        "--keptlog.data-dir=" + directory.resolve(name)),
                Map.of(
                        "KEPTLOG_ROOT_USERNAME",
                        ServerProcess.USERNAME,
                        "KEPTLOG_ROOT_PASSWORD",
                        ServerProcess.PASSWORD),
                directory.resolve(name + ".out"));
        server.awaitReady();
        return server;
    }

    private static byte[] request(Client client, String authorization) throws Exception {
        client.createStream("cost");
        client.createTopic("cost", "topic", 1, Client.policies("replicated"));
        byte[] body = Setup.messages(1, 1024);
        var request = new ByteArrayOutputStream();
        request.write(("POST " + Client.topic("cost", "topic") + "/messages HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                        + authorization + "Content-Type: application/json\r\nContent-Length: " + body.length
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        request.write(body);
        return request.toByteArray();
    }

    private static double perSecond(ServerProcess server, byte[] request) {
        return new ClosedLoop(server.port(), request, 201)
                .run(CONNECTIONS, MEASURED.dividedBy(2), MEASURED)
                .perSecond();
    }

    @Test
    void aVerifiedTokenCostsAtMostATenth() throws Exception {
        try (ServerProcess guarded = start(Keptlog.class, "guarded");
                ServerProcess open = start(OpenServer.class, "open")) {
            assertThat(open.client()
                            .get("/streams", "Authorization", "Bearer nonsense")
                            .status())
                    .as("the other server asks for nothing")
                    .isEqualTo(200);
            String token = guarded.client()
                    .post(
                            "/users/login",
                            Map.of("username", ServerProcess.USERNAME, "password", ServerProcess.PASSWORD))
                    .expect(200)
                    .json()
                    .at("/access_token/token")
                    .asString();
            byte[] with = request(guarded.client(), "Authorization: Bearer " + token + "\r\n");
            byte[] without = request(open.client(), "");
            for (int turn = 0; turn < WARM_UP_TURNS; turn++) {
                perSecond(guarded, with);
                perSecond(open, without);
            }
            double[] ratios = new double[TURNS];
            for (int turn = 0; turn < TURNS; turn++) {
                double authenticated = perSecond(guarded, with);
                double unauthenticated = perSecond(open, without);
                ratios[turn] = authenticated / unauthenticated;
                System.out.printf(
                        "with a token %.0f/s, without authentication %.0f/s, ratio %.3f%n",
                        authenticated, unauthenticated, ratios[turn]);
            }
            Arrays.sort(ratios);
            System.out.printf("median ratio %.3f of %s%n", ratios[TURNS / 2], Arrays.toString(ratios));
            assertThat(ratios[TURNS / 2]).isGreaterThanOrEqualTo(RATIO_MIN);
        }
    }
}
