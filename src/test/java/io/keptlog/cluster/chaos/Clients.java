// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.chaos;

import io.keptlog.cluster.chaos.Calls.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/**
 * For each partition a plain producer, an idempotent one, a reader and the writer and reader of a consumer's offset; each request goes to a
 * broker of its own choice. All of them go on until they are stopped, whatever they are told.
 */
final class Clients implements AutoCloseable {
    private static final int CONSUMER = 7;
    private static final int PAUSE_MAX_MILLIS = 50;

    private final Calls calls;
    private final List<String> addresses;
    private final Known known;
    final Outages outages = new Outages();
    final AtomicLong plain = new AtomicLong();
    final AtomicLong idempotent = new AtomicLong();
    final AtomicLong read = new AtomicLong();
    final AtomicLong offsetsStored = new AtomicLong();
    /** Status and code → how often. */
    private final Map<String, Long> answers = new TreeMap<>();

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean stopped;

    Clients(Calls calls, List<String> addresses, Known known) {
        this.calls = calls;
        this.addresses = addresses;
        this.known = known;
    }

    void start(long seed) {
        outages.begin();
        for (int slot = 0; slot < ChaosPlan.SLOTS; slot++) {
            int s = slot;
            run("plain", s, new PlainProducer(s, new Random(seed * 31 + s))::step);
            run("idempotent", s, new IdempotentProducer(s, new Random(seed * 37 + s))::step);
            run("reader", s, new Reader(s, new Random(seed * 41 + s))::step);
            var offsets = new KnownOffsets(known, "slot " + s);
            run("offsets", s, new OffsetWriter(s, offsets, new Random(seed * 43 + s))::step);
            run("offset reader", s, new OffsetReader(s, offsets, new Random(seed * 47 + s))::step);
        }
    }

    private void run(String what, int slot, Runnable step) {
        threads.execute(() -> {
            try {
                while (!stopped) {
                    step.run();
                }
            } catch (RuntimeException e) {
                known.violation("the " + what + " of slot " + slot + " failed: " + e);
            }
        });
    }

    private String any(Random random) {
        return addresses.get(random.nextInt(addresses.size()));
    }

    private static void pause(Random random) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1 + random.nextInt(PAUSE_MAX_MILLIS)));
    }

    /** @return the answer; one that no client should ever get is noted */
    private Answer counted(String call, Answer answer) {
        String code = answer.status() < 400 ? "" : " " + code(answer);
        synchronized (answers) {
            answers.merge(call + " " + answer.status() + code, 1L, Long::sum);
        }
        boolean clientsFault = answer.status() >= 400 && answer.status() < 500 && answer.status() != 429;
        if (clientsFault || answer.body().contains("partition_damaged")) {
            known.violation("refused what is right: " + call + ": " + answer);
        }
        return answer;
    }

    private static String code(Answer answer) {
        return answer.body().startsWith("{")
                ? answer.json().path("code").asString("?")
                        + reason(answer.json().path("reason").asString(""))
                : answer.body().split("\n", 2)[0];
    }

    /** Without what differs from one to the next. */
    private static String reason(String reason) {
        return " (" + reason.replaceAll("[0-9][0-9.:/, ]*", "# ").replaceAll("\\s+", " ") + ")";
    }

    Map<String, Long> answers() {
        synchronized (answers) {
            return new TreeMap<>(answers);
        }
    }

    /** Sends each message once. */
    private final class PlainProducer {
        private final int slot;
        private final Random random;
        private long next;

        PlainProducer(int slot, Random random) {
            this.slot = slot;
            this.random = random;
        }

        void step() {
            String name = Payloads.name('n', slot, 0, next++);
            known.sent(name);
            Answer answer = counted("produce", calls.produce(any(random), slot, List.of(name)));
            if (answer.status() == 201) {
                long base = answer.json().at("/confirmations/0/base_offset").asLong();
                known.acknowledged(slot, base, name);
                plain.incrementAndGet();
                outages.acknowledged(slot);
            } else if (answer.refused()) {
                known.refused(name);
            }
            pause(random);
        }
    }

    /** Sends a batch until it is confirmed, through whichever broker. */
    private final class IdempotentProducer {
        private final int slot;
        private final Random random;
        private long next;
        private int batch = 1;

        IdempotentProducer(int slot, Random random) {
            this.slot = slot;
            this.random = random;
        }

        void step() {
            var names = new ArrayList<String>();
            for (int i = 0; i < batch; i++) {
                names.add(Payloads.name('i', slot, 1, next + i));
            }
            names.forEach(known::sent);
            Answer answer = counted(
                    "idempotent",
                    calls.produce(
                            any(random),
                            slot,
                            names,
                            "Keptlog-Producer-Id",
                            "1",
                            "Keptlog-Producer-Epoch",
                            "1",
                            "Keptlog-Producer-Sequence",
                            Long.toString(next)));
            if (answer.status() == 201 || answer.status() == 200) {
                confirmed(names, answer.json().at("/confirmations/0"));
                next += batch;
                batch = 1 + random.nextInt(3);
                idempotent.addAndGet(names.size());
                outages.acknowledged(slot);
            }
            pause(random);
        }

        private void confirmed(List<String> names, JsonNode confirmation) {
            long base = confirmation.get("base_offset").asLong();
            long length = confirmation.get("end_offset").asLong() - base;
            for (int i = 0; i < names.size(); i++) {
                if (length == names.size()) {
                    known.acknowledged(slot, base + i, names.get(i));
                } else {
                    known.acknowledged(names.get(i));
                }
            }
        }
    }

    /** Reads on behind the end, and now and then what was acknowledged before, which must be there. */
    private final class Reader {
        private final int slot;
        private final Random random;
        private long next;

        Reader(int slot, Random random) {
            this.slot = slot;
            this.random = random;
        }

        void step() {
            long end = known.end(slot);
            boolean back = random.nextInt(3) == 0 && end > 0;
            long from = back ? random.nextLong(end) : Math.min(next, end);
            Answer answer = counted("poll", calls.poll(any(random), slot, from, 50));
            if (answer.status() == 200) {
                JsonNode messages = answer.json().get("messages");
                if (messages.isEmpty() && from < end) {
                    known.violation("hidden: slot " + slot + " was known up to " + end + ", a poll from " + from
                            + " was empty");
                }
                long expected = from;
                for (JsonNode message : messages) {
                    if (Calls.offset(message) != expected) {
                        known.violation("a hole: slot " + slot + " offset " + expected + ": " + message.get("header"));
                    }
                    known.read(slot, expected, Calls.payload(message));
                    read.incrementAndGet();
                    expected++;
                }
                if (!back) {
                    next = expected;
                }
            }
            pause(random);
        }
    }

    private final class OffsetWriter {
        private final int slot;
        private final KnownOffsets offsets;
        private final Random random;

        OffsetWriter(int slot, KnownOffsets offsets, Random random) {
            this.slot = slot;
            this.offsets = offsets;
            this.random = random;
        }

        void step() {
            long newest = known.end(slot) - 1;
            if (newest > offsets.attempted()) {
                long offset = offsets.attempted() + 1 + random.nextLong(newest - offsets.attempted());
                offsets.attempt(offset);
                Answer answer = counted("store", calls.storeOffset(any(random), slot, CONSUMER, offset));
                if (answer.status() == 204) {
                    offsets.confirm(offset);
                    offsetsStored.incrementAndGet();
                } else if (!answer.refused()) {
                    offsets.unknown(offset);
                }
            }
            pause(random);
        }
    }

    private final class OffsetReader {
        private final int slot;
        private final KnownOffsets offsets;
        private final Random random;

        OffsetReader(int slot, KnownOffsets offsets, Random random) {
            this.slot = slot;
            this.offsets = offsets;
            this.random = random;
        }

        void step() {
            long before = offsets.confirmed();
            long end = known.end(slot);
            Answer answer = calls.readOffset(any(random), slot, CONSUMER);
            if (answer.status() == 404 && answer.body().contains("not_found")) {
                offsets.read(before, KnownOffsets.NONE);
            } else if (counted("offset", answer).status() == 200) {
                offsets.read(before, answer.json().get("stored_offset").asLong());
                long current = answer.json().get("current_offset").asLong();
                if (current < end - 1) {
                    known.violation("the end of slot " + slot + " went back: " + end + ", then " + (current + 1));
                }
            }
            pause(random);
        }
    }

    @Override
    public void close() {
        stopped = true;
        threads.shutdown();
        try {
            if (!threads.awaitTermination(60, TimeUnit.SECONDS)) {
                known.violation("clients do not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
