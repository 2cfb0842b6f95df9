// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.bench;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;

/** Runs one plan against one topic that is its own. Used once, by one thread; its connections have threads of their own. */
final class Load {
    private static final int PAUSE_AFTER_FAILURE_MILLIS = 10;
    private static final int FILLED_BATCHES = 20;
    /** How long readers wait for what was sent last. */
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final BenchClient client;
    private final Plan plan;
    private final String topic;
    private final Tally tally = new Tally();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicBoolean sending = new AtomicBoolean(true);

    Load(BenchClient client, Plan plan, String topic) {
        this.client = client;
        this.plan = plan;
        this.topic = topic;
    }

    /** Fills while it runs; for whoever shows progress. */
    Tally tally() {
        return tally;
    }

    /**
     * @throws IOException the topic cannot be made or filled; failures of single requests are counted instead
     */
    Measurement run() throws IOException, InterruptedException {
        client.createTopic(topic, plan.durability(), plan.partitions());
        if (plan.workload() == Workload.POLL) {
            fill();
        }
        long begin = System.nanoTime();
        var pace = new Pace(begin, plan.perSecond(), plan.count(), plan.measured());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> readers = new ArrayList<>();
            if (plan.workload() == Workload.END_TO_END) {
                for (int partition = 0; partition < plan.partitions(); partition++) {
                    int mine = partition;
                    readers.add(threads.submit(task(() -> read(mine))));
                }
            }
            List<Future<?>> connections = new ArrayList<>();
            for (int i = 0; i < plan.connections(); i++) {
                int number = i;
                connections.add(threads.submit(task(() -> send(number, pace))));
            }
            await(connections);
            sending.set(false);
            await(readers);
        }
        return Measurement.of(plan, tally, System.nanoTime() - begin);
    }

    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    private static Callable<Void> task(Task task) {
        return () -> {
            task.run();
            return null;
        };
    }

    private static void await(List<Future<?>> tasks) throws IOException, InterruptedException {
        for (Future<?> task : tasks) {
            try {
                task.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof IOException broken ? broken : new IOException(e.getCause());
            }
        }
    }

    private void fill() throws IOException, InterruptedException {
        for (int partition = 0; partition < plan.partitions(); partition++) {
            byte[] body = Message.body(partition, plan.batch(), plan.payloadBytes(), 0);
            for (int i = 0; i < FILLED_BATCHES; i++) {
                HttpResponse<String> reply =
                        client.send(client.produce(topic, "replicated", body), BodyHandlers.ofString());
                if (!BenchClient.isSuccess(reply.statusCode())) {
                    throw new IOException(
                            "the topic to poll cannot be filled: " + reply.statusCode() + " " + reply.body());
                }
            }
        }
    }

    /** What one connection does. */
    private void send(int connection, Pace pace) throws InterruptedException {
        int partition = connection % plan.partitions();
        HttpRequest same = plan.workload() == Workload.PRODUCE
                ? client.produce(topic, plan.ack(), Message.body(partition, plan.batch(), plan.payloadBytes(), 0))
                : null;
        int turn = 0;
        for (long due = pace.await(); due != Pace.OVER; due = pace.await()) {
            HttpRequest request =
                    switch (plan.workload()) {
                        case PRODUCE -> java.util.Objects.requireNonNull(same);
                        case POLL -> client.poll(
                                topic, partition, (long) (turn++ % FILLED_BATCHES) * plan.batch(), plan.batch());
                        case END_TO_END -> client.produce(
                                topic, plan.ack(), Message.body(partition, plan.batch(), plan.payloadBytes(), due));
                    };
            one(request, due);
        }
    }

    private void one(HttpRequest request, long due) throws InterruptedException {
        try {
            int status = client.send(request, BodyHandlers.discarding()).statusCode();
            if (BenchClient.isSuccess(status)) {
                sent.addAndGet(plan.batch());
                if (plan.workload() != Workload.END_TO_END) {
                    tally.success(System.nanoTime() - due);
                }
                return;
            }
            tally.failure(Integer.toString(status));
        } catch (IOException e) {
            tally.failure(e.getClass().getSimpleName());
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_AFTER_FAILURE_MILLIS);
    }

    /** Reads one partition until everything that was acknowledged is read, by any reader, or nothing comes any more. */
    private void read(int partition) throws IOException, InterruptedException {
        long offset = 0;
        long idleSince = System.nanoTime();
        while (sending.get() || (tally.successes() < sent.get() && System.nanoTime() - idleSince < DRAIN_NANOS)) {
            JsonNode messages = client.polled(topic, partition, offset, Math.max(plan.batch(), 100))
                    .path("messages");
            long now = System.nanoTime();
            for (JsonNode message : messages) {
                tally.success(now - Message.stampNanos(message.path("payload").asString()));
                offset = message.path("header").path("offset").asLong() + 1;
            }
            if (messages.isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(1);
            } else {
                idleSince = now;
            }
        }
    }
}
