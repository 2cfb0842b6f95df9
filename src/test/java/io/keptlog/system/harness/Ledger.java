// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Everything one topic has acknowledged, kept outside the server: what must still be there after a failure. Writers record from many
 * threads; checks come when they have ended. Payloads hold no LF. Times in nanoseconds of this JVM.
 */
public final class Ledger {
    private final String topic;
    private final List<TreeMap<Long, Ack>> acks = new ArrayList<>();
    private final List<List<String>> seen = new ArrayList<>();
    private final Map<String, Stored> offsets = new HashMap<>();

    /** One acknowledged message. */
    public record Ack(String payload, long nanos) {}

    /** An offset acknowledged for a consumer, and one that was asked for and not answered (−1: none). */
    private record Stored(int partition, long acknowledged, long asked, long nanos) {}

    public Ledger(String topic, int partitions) {
        this.topic = topic;
        for (int p = 0; p < partitions; p++) {
            acks.add(new TreeMap<>());
            seen.add(List.of());
        }
    }

    public String topic() {
        return topic;
    }

    public int partitions() {
        return acks.size();
    }

    public synchronized void acknowledged(int partition, long base, List<String> payloads) {
        long now = System.nanoTime();
        for (int i = 0; i < payloads.size(); i++) {
            Ack former = acks.get(partition).put(base + i, new Ack(payloads.get(i), now));
            if (former != null) {
                throw new AssertionError(
                        "offset " + (base + i) + " of " + topic + "/" + partition + " was given twice");
            }
        }
    }

    public synchronized void askedOffset(int partition, String consumer, long offset) {
        Stored former = offsets.get(consumer);
        offsets.put(
                consumer,
                former == null
                        ? new Stored(partition, -1, offset, 0)
                        : new Stored(partition, former.acknowledged(), offset, former.nanos()));
    }

    public synchronized void acknowledgedOffset(int partition, String consumer, long offset) {
        offsets.put(consumer, new Stored(partition, offset, -1, System.nanoTime()));
    }

    public synchronized int messages() {
        return acks.stream().mapToInt(Map::size).sum();
    }

    public synchronized long offsetsAcknowledged() {
        return offsets.values().stream().filter(s -> s.acknowledged() >= 0).count();
    }

    /** Every acknowledged message is there, what was read before reads the same, and every acknowledged offset is there. */
    public synchronized void verifyAll(Client client) {
        for (int p = 0; p < acks.size(); p++) {
            List<String> lines = RawReader.lines(client, topic, p, 0);
            requirePrefix(p, seen.get(p), lines);
            requirePresent(p, lines, ack -> true);
            seen.set(p, lines);
        }
        offsets.replaceAll((consumer, stored) -> {
            long now = storedOffset(client, consumer, stored.partition());
            boolean good = now == stored.acknowledged() || (stored.asked() >= 0 && now == stored.asked());
            if (!good) {
                throw new AssertionError("offset of " + consumer + " is " + now + ", not " + stored);
            }
            // What was read once must stay, also when it had not been acknowledged.
            return new Stored(stored.partition(), now, -1, stored.nanos());
        });
    }

    /**
     * After a power cut: what is missing is a suffix, and was acknowledged at or after {@code sinceNanos}.
     *
     * @return how many acknowledged messages are gone
     */
    public synchronized int verifyUpTo(Client client, long sinceNanos) {
        int lost = 0;
        for (int p = 0; p < acks.size(); p++) {
            List<String> lines = RawReader.lines(client, topic, p, 0);
            requirePresent(p, lines, ack -> ack.nanos() - sinceNanos < 0);
            for (Map.Entry<Long, Ack> entry :
                    acks.get(p).headMap((long) lines.size()).entrySet()) {
                requireSame(p, entry, lines);
            }
            lost += acks.get(p).tailMap((long) lines.size()).size();
            seen.set(p, lines);
        }
        for (Map.Entry<String, Stored> entry : offsets.entrySet()) {
            Stored stored = entry.getValue();
            if (stored.acknowledged() < 0 || stored.nanos() - sinceNanos >= 0) {
                continue;
            }
            long now = storedOffset(client, entry.getKey(), stored.partition());
            long end = seen.get(stored.partition()).size();
            boolean good = now == stored.acknowledged() || now == stored.asked() || now == end - 1;
            if (!good) {
                throw new AssertionError("offset of " + entry.getKey() + " is " + now + ", not " + stored);
            }
        }
        return lost;
    }

    private void requirePrefix(int partition, List<String> before, List<String> now) {
        if (now.size() < before.size() || !now.subList(0, before.size()).equals(before)) {
            throw new AssertionError(topic + "/" + partition + " no longer reads as before: " + before.size()
                    + " messages then, " + now.size() + " now");
        }
    }

    private void requirePresent(int partition, List<String> lines, Predicate<Ack> which) {
        for (Map.Entry<Long, Ack> entry : acks.get(partition).entrySet()) {
            if (which.test(entry.getValue())) {
                requireSame(partition, entry, lines);
            }
        }
    }

    private void requireSame(int partition, Map.Entry<Long, Ack> entry, List<String> lines) {
        long offset = entry.getKey();
        String found =
                offset < lines.size() ? lines.get(Math.toIntExact(offset)) : "nothing (end " + lines.size() + ")";
        if (!found.equals(entry.getValue().payload())) {
            throw new AssertionError(topic + "/" + partition + " offset " + offset + ": acknowledged '"
                    + entry.getValue().payload() + "', found '" + found + "'");
        }
    }

    private long storedOffset(Client client, String consumer, int partition) {
        Reply reply = client.offset(topic, partition, consumer).expect(200, 404);
        return reply.status() == 404 ? -1 : reply.json().path("stored_offset").asLong();
    }
}
