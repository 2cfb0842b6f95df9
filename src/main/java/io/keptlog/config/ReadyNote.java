// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.domain.disk.DiskTruth;
import io.keptlog.domain.disk.Doubt;
import io.keptlog.service.RecoveryService;
import io.keptlog.service.system.DiskWatch;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/** The last lines of a start, for whoever reads the log: where to go, where data lies, what is promised, how to get in. */
final class ReadyNote implements ApplicationListener<ApplicationReadyEvent> {
    private static final Logger LOG = LoggerFactory.getLogger("io.keptlog.Keptlog");

    private final KeptlogProperties properties;
    private final DiskWatch disk;
    private final RecoveryService recovery;

    ReadyNote(KeptlogProperties properties, DiskWatch disk, RecoveryService recovery) {
        this.properties = properties;
        this.disk = disk;
        this.recovery = recovery;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        Environment environment = event.getApplicationContext().getEnvironment();
        boolean encrypted = isEncrypted(environment);
        String address = environment.getProperty("server.address", "127.0.0.1");
        LOG.info(
                "Ready: {}://{}:{} (a browser shows the console there, /swagger-ui.html the API's documentation)",
                encrypted ? "https" : "http",
                address.equals("0.0.0.0") ? "127.0.0.1" : address,
                environment.getProperty("local.server.port", environment.getProperty("server.port", "3000")));
        LOG.info("Data: {}", data());
        LOG.info("Promise: {}", promise());
        LOG.info("Login: with a user of this store; who has lost a password stops the server and runs: keptlog"
                + " reset-password NAME");
        int open = recovery.open().size();
        if (open > 0) {
            LOG.warn("{} recovery reports are open: what starts found torn or damaged. GET /recovery tells all.", open);
        }
        if (!encrypted && !isLoopback(address)) {
            LOG.warn(
                    "Listens on {} without TLS: everybody on the way can read passwords, tokens and messages"
                            + " (docs/operating.md, TLS).",
                    address);
        }
    }

    private String data() {
        String metadata = properties.cluster().metadataUri();
        if (metadata != null) {
            return "in the bookies of the cluster at " + metadata;
        }
        return properties.dataDir().toAbsolutePath().normalize()
                + disk.last().map(ReadyNote::verdict).orElse(", whose disk has not answered yet");
    }

    private static String verdict(DiskTruth truth) {
        String doubts = truth.doubts().stream()
                .map(Doubt::code)
                .map(code -> code.wireName())
                .collect(Collectors.joining(", ", " (", ")"));
        return ", on a disk whose syncs are " + truth.verdict().name().toLowerCase(Locale.ROOT)
                + (truth.doubts().isEmpty() ? "" : doubts);
    }

    private String promise() {
        KeptlogProperties.Cluster cluster = properties.cluster();
        if (cluster.metadataUri() != null) {
            return "what is acknowledged is synced by the ack quorum of bookies (by default " + cluster.ackQuorum()
                    + " of " + cluster.writeQuorum() + ") and survives the loss of all but one of these";
        }
        return "replicated topics: a crash of this process takes nothing acknowledged, a power cut at most about the last "
                + properties.flushAge().toMillis() + " ms; persisted topics: neither takes anything";
    }

    static boolean isEncrypted(Environment environment) {
        return environment.containsProperty("server.ssl.bundle")
                || environment.containsProperty("server.ssl.certificate")
                || environment.containsProperty("server.ssl.key-store");
    }

    private static boolean isLoopback(String address) {
        try {
            return InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            LOG.debug("the address {} has no meaning here", address, e);
            return false;
        }
    }
}
