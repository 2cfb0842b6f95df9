// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.ServerProcess;
import io.keptlog.system.harness.Shell;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code -Dchaos.policies=3/3/2,3/2/2,2/2/2 -Dchaos.seconds=600 [-Dchaos.seed=…]}; without them one policy and the time that a build has.
 * Parts can be cut off where this user may make network namespaces; elsewhere they are killed, frozen and restarted only.
 */
@Tag("long")
class ChaosIT {
    private static final int SECONDS = Integer.getInteger("chaos.seconds", 45);
    private static final int BESIDES_SECONDS = 600;

    @TempDir
    Path directory;

    static Stream<String> policies() {
        return Stream.of(System.getProperty("chaos.policies", "3/2/2").split(","));
    }

    @ParameterizedTest
    @MethodSource("policies")
    @Timeout(value = 3600, unit = TimeUnit.SECONDS)
    void nothingAcknowledgedIsLostChangedOrDoubledAndNoOffsetGoesBack(String policy) throws Exception {
        boolean namespaces = Shell.isRoot() && Namespaces.possible();
        if (!namespaces) {
            System.out.println("no network namespaces for this user here: nothing is cut off");
        }
        long seed = Long.getLong("chaos.seed", ThreadLocalRandom.current().nextLong(1_000_000));
        int ensemble = Integer.parseInt(policy.split("/")[0]);
        var plan = ChaosPlan.of(new String[] {
            Long.toString(seed),
            Integer.toString(SECONDS),
            policy,
            Integer.toString(Math.max(4, ensemble + 1)),
            "2",
            Boolean.toString(namespaces),
            directory.toString(),
            ServerProcess.jar().toString()
        });
        var command = new ArrayList<String>();
        if (namespaces) {
            command.addAll(List.of("unshare", "--net", "--mount"));
        }
        command.addAll(List.of(
                ServerProcess.java(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                ChaosRun.class.getName()));
        command.addAll(plan.arguments());
        Process run = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new ArrayList<String>();
        Thread.ofPlatform().daemon().start(() -> copy(run, said));
        try {
            assertThat(run.waitFor(SECONDS + BESIDES_SECONDS, TimeUnit.SECONDS))
                    .as("the history ends, seed %d", seed)
                    .isTrue();
            synchronized (said) {
                assertThat(run.exitValue())
                        .as("seed %d, %s: %s", seed, policy, String.join("\n", said))
                        .isZero();
            }
        } finally {
            run.destroy();
            if (!run.waitFor(30, TimeUnit.SECONDS)) {
                run.destroyForcibly();
            }
        }
    }

    private static void copy(Process run, List<String> said) {
        try (var lines = new BufferedReader(new InputStreamReader(run.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println(line);
                synchronized (said) {
                    said.add(line);
                }
            }
        } catch (java.io.IOException e) {
            synchronized (said) {
                said.add(e.toString());
            }
        }
    }
}
