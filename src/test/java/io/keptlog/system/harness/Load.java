// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/**
 * Writers that produce and store offsets as fast as they are answered, and record each acknowledgement in a ledger. A writer ends when
 * the connection breaks or it is told to; an answer that is neither 201 nor expected is kept as a surprise.
 */
public final class Load {
    private static final int BATCH_MAX = 20;
    private static final int TEXT_MAX = 200;
    private static final int OFFSET_EVERY = 4;
    private static final long JOIN_MILLIS = 60_000;

    private final Client client;
    private final List<Thread> threads = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> surprises = new ConcurrentLinkedQueue<>();
    private volatile boolean stopping;

    private Load(Client client) {
        this.client = client;
    }

    /**
     * @param life tells the messages of one start of the server from those of the next
     * @param writersPerTopic each writes to one partition
     */
    public static Load start(Client client, String life, long seed, int writersPerTopic, Ledger... ledgers) {
        Load load = new Load(client);
        for (Ledger ledger : ledgers) {
            for (int w = 0; w < writersPerTopic; w++) {
                int writer = w;
                Random random = new Random(seed * 31 + load.threads.size());
                load.threads.add(Thread.ofPlatform()
                        .name("writer-" + ledger.topic() + "-" + w)
                        .start(() -> load.write(ledger, writer, life, random)));
            }
        }
        return load;
    }

    private void write(Ledger ledger, int writer, String life, Random random) {
        int partition = writer % ledger.partitions();
        String consumer = "consumer-" + writer;
        try {
            for (int n = 0; !stopping; n++) {
                String prefix = life + "-" + writer + "-" + n + "-";
                List<String> payloads = IntStream.range(0, 1 + random.nextInt(BATCH_MAX))
                        .mapToObj(i -> prefix + i + "-" + text(random))
                        .toList();
                Reply reply = client.produce(ledger.topic(), partition, payloads);
                if (reply.status() != 201) {
                    surprises.add(reply.toString());
                    return;
                }
                long base = Client.baseOffset(reply);
                ledger.acknowledged(partition, base, payloads);
                if (n % OFFSET_EVERY == 0) {
                    ledger.askedOffset(partition, consumer, base);
                    Reply stored = client.storeOffset(ledger.topic(), partition, consumer, base);
                    if (stored.status() != 204) {
                        surprises.add(stored.toString());
                        return;
                    }
                    ledger.acknowledgedOffset(partition, consumer, base);
                }
            }
        } catch (UncheckedIOException e) {
            // The server is gone: what was not answered is not acknowledged.
        } catch (RuntimeException | AssertionError e) {
            surprises.add(e.toString());
        }
    }

    private static String text(Random random) {
        return random.ints(random.nextInt(TEXT_MAX), 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Waits until every writer has ended; they end by themselves when the server is gone. */
    public void join() {
        stopping = true;
        for (Thread thread : threads) {
            try {
                thread.join(JOIN_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
            if (thread.isAlive()) {
                throw new AssertionError(thread.getName() + " does not end");
            }
        }
    }

    /** Answers that were neither success nor a broken connection. */
    public List<String> surprises() {
        return List.copyOf(surprises);
    }
}
