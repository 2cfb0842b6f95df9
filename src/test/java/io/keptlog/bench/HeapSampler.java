// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.ServerProcess;
import io.keptlog.system.harness.Shell;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Watches the heap of a server while it works: the most that was used, and what is left after a collection. Megabytes. */
final class HeapSampler implements AutoCloseable {
    private static final long EVERY_MILLIS = 250;

    private final ServerProcess server;
    private final Thread thread;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile double mostMegabytes;

    HeapSampler(ServerProcess server) {
        this.server = server;
        this.thread = Thread.ofPlatform().name("heap-sampler").start(this::sample);
    }

    private void sample() {
        Client client = server.client();
        while (true) {
            mostMegabytes = Math.max(mostMegabytes, used(client));
            try {
                if (stopping.await(EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static double used(Client client) {
        return Scrape.of(client).sum("jvm_memory_used_bytes", line -> line.contains("area=\"heap\"")) / (1 << 20);
    }

    double mostMegabytes() {
        return mostMegabytes;
    }

    double afterCollectionMegabytes() {
        Shell.run(
                Path.of(ServerProcess.java()).resolveSibling("jcmd").toString(), Long.toString(server.pid()), "GC.run");
        return used(server.client());
    }

    @Override
    public void close() {
        stopping.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
