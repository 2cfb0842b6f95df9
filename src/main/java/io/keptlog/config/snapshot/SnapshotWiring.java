// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config.snapshot;

import io.keptlog.config.KeptlogProperties;
import io.keptlog.service.RecoveryService;
import io.keptlog.service.system.SnapshotService;
import io.keptlog.service.system.SnapshotService.Content;
import io.keptlog.service.system.SnapshotService.Part;
import io.keptlog.service.system.StatsService;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

/** The parts of a snapshot. */
@Configuration(proxyBeanMethods = false)
class SnapshotWiring {
    @Bean
    SnapshotService snapshotService(
            RecentLog log,
            ConfigurableEnvironment environment,
            KeptlogProperties properties,
            RecoveryService recovery,
            StatsService stats) {
        return new SnapshotService(List.of(
                new Part(Content.SERVER_CONFIG, "settings.properties", new EffectiveSettings(environment)::write),
                new Part(Content.SERVER_LOGS, "server.log", log::write),
                new Part(Content.SERVER_LOGS, "recovery.txt", out -> lines(recovery.list(), out)),
                new Part(Content.FILESYSTEM_OVERVIEW, "files.txt", new DiskLayout(properties.dataDir())::write),
                new Part(Content.PROCESS_LIST, "processes.txt", Processes::list),
                new Part(Content.PROCESS_LIST, "threads.txt", Processes::threads),
                new Part(Content.RESOURCE_USAGE, "memory.txt", Processes::memory),
                new Part(Content.RESOURCE_USAGE, "stats.txt", out -> lines(List.of(stats.stats()), out)),
                new Part(Content.TEST, "test.txt", out -> out.append("test\n"))));
    }

    private static void lines(List<?> values, Writer out) throws IOException {
        for (Object value : values) {
            out.append(value.toString()).append('\n');
        }
    }
}
