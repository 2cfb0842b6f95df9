// SPDX-License-Identifier: Apache-2.0
package io.keptlog;

import io.keptlog.cli.Commands;
import io.keptlog.config.KnownProperties;
import io.keptlog.config.StartFailure;
import io.keptlog.config.StopOutcome;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** The server's entry point. */
@SpringBootApplication(exclude = UserDetailsServiceAutoConfiguration.class)
@ConfigurationPropertiesScan
public class Keptlog {
    private static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";
    /**
     * A write to a file holds its carrier thread, so there are more carriers than cores; each one too many costs time that the system
     * spends on switching among them (docs/adr/0070). Reads that need the disk wait elsewhere.
     */
    private static final int CARRIERS_PER_CORE = 2;

    private static final int CARRIERS_MIN = 4;

    public static void main(String[] args) {
        OptionalInt exitCode = Commands.run(args);
        if (exitCode.isPresent()) {
            System.exit(exitCode.getAsInt());
        }
        prepareVirtualThreads();
        try {
            run(args);
        } catch (RuntimeException | Error e) {
            // Spring's own tools leave a run by such an exception on purpose; it is not a failure.
            if (e.getClass().getName().endsWith("AbandonedRunException")) {
                throw e;
            }
            if (isStopping()) {
                LoggerFactory.getLogger(Keptlog.class).info("Stopped while it was starting: {}", e.toString());
                return;
            }
            StartFailure.describe(e)
                    .ifPresentOrElse(
                            line -> System.err.println("Keptlog did not start: " + line),
                            () -> LoggerFactory.getLogger(Keptlog.class).error("Keptlog did not start.", e));
            System.exit(1);
        }
    }

    /** The last step of a stop is known before the start, because the order to stop may come at any moment of it. */
    private static void run(String[] args) {
        var outcome = new AtomicReference<@Nullable StopOutcome>();
        SpringApplication server = application();
        server.addListeners((ApplicationListener<ContextRefreshedEvent>)
                e -> outcome.set(e.getApplicationContext().getBean(StopOutcome.class)));
        SpringApplication.getShutdownHandlers().add(() -> {
            StopOutcome known = outcome.get();
            if (known != null) {
                known.exitIfFailed();
            }
        });
        server.run(args);
    }

    /** Whether the process was told to stop: then a start that breaks off is no failure. */
    private static boolean isStopping() {
        var probe = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    /** The server with its checks, not yet running. */
    public static SpringApplication application() {
        var application = new SpringApplication(Keptlog.class);
        application.addListeners(new KnownProperties());
        return application;
    }

    /** Works only before the first virtual thread exists. */
    private static void prepareVirtualThreads() {
        if (System.getProperty(PARALLELISM) == null) {
            int carriers = Math.max(
                    CARRIERS_MIN, CARRIERS_PER_CORE * Runtime.getRuntime().availableProcessors());
            System.setProperty(PARALLELISM, Integer.toString(carriers));
        }
    }
}
