// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.message.ProducerStamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;

/** The state against a model that remembers every message ever stored, and against its own copy and its own replay. */
class ProducerModelTest {
    private static final int PRODUCERS = 4;

    /** A batch in the model's log. */
    private record Frame(ProducerStamp stamp, int count, long base, long time) {}

    private final List<Frame> log = new ArrayList<>();
    /** Producer and epoch → sequence → offset. */
    private final Map<String, Map<Long, Long>> offsets = new HashMap<>();

    private final Map<Long, Integer> epochs = new HashMap<>();
    private long end;
    private long time = 1_800_000_000_000_000L;
    private ProducerStates states = new ProducerStates();

    @RepeatedTest(20)
    void everyVerdictIsWhatTheWholeHistorySays() {
        long seed = System.nanoTime();
        System.out.println("everyVerdictIsWhatTheWholeHistorySays seed " + seed);
        Random random = new Random(seed);
        for (int step = 0; step < 2000; step++) {
            time += random.nextInt(1000);
            ProducerStamp stamp = randomStamp(random);
            send(stamp, 1 + random.nextInt(5), random);
            if (random.nextInt(50) == 0) {
                restart(random);
            }
        }
        assertThat(log).hasSizeGreaterThan(300);
    }

    private ProducerStamp randomStamp(Random random) {
        long id = 1 + random.nextInt(PRODUCERS);
        int epoch = Math.max(
                0, epochs.getOrDefault(id, 0) + (random.nextInt(40) == 0 ? 1 : random.nextInt(40) == 0 ? -1 : 0));
        Map<Long, Long> known = offsets.getOrDefault(id + "/" + epoch, Map.of());
        long next = known.keySet().stream().mapToLong(Long::longValue).max().orElse(random.nextInt(100)) + 1;
        long sequence = Math.max(0, next + (random.nextBoolean() ? 0 : random.nextInt(-40, 3)));
        return new ProducerStamp(id, epoch, sequence);
    }

    private void send(ProducerStamp stamp, int count, Random random) {
        Integer current = epochs.get(stamp.producerId());
        Map<Long, Long> known = offsets.getOrDefault(stamp.producerId() + "/" + stamp.epoch(), Map.of());
        long next = known.keySet().stream().mapToLong(Long::longValue).max().orElse(-1) + 1;
        ProducerVerdict verdict;
        try {
            verdict = states.decide(stamp, count, time);
        } catch (KeptlogException e) {
            if (e.code() == ErrorCode.PRODUCER_FENCED) {
                assertThat(current).isGreaterThan(stamp.epoch());
            } else {
                assertThat(e.code()).isEqualTo(ErrorCode.SEQUENCE_GAP);
                assertThat(stamp.sequence() > next || !known.containsKey(stamp.sequence()))
                        .isTrue();
            }
            return;
        }
        assertThat(current == null || current <= stamp.epoch()).isTrue();
        if (verdict.isDuplicate()) {
            assertRange(verdict, stamp, count, known);
        } else {
            for (int i = 0; i < count; i++) {
                assertThat(known.containsKey(stamp.sequence() + i)).isEqualTo(i < verdict.oldMessages());
            }
            assertThat(known.isEmpty() || stamp.sequence() + verdict.oldMessages() == next)
                    .isTrue();
            if (random.nextInt(10) > 0) { // else the write failed
                append(stamp.after(verdict.oldMessages()), count - verdict.oldMessages());
            }
        }
    }

    private static void assertRange(ProducerVerdict verdict, ProducerStamp stamp, int count, Map<Long, Long> known) {
        for (int i = 0; i < count; i++) {
            Long offset = known.get(stamp.sequence() + i);
            assertThat(offset).isNotNull().isBetween(verdict.baseOffset(), verdict.endOffset() - 1);
            if (verdict.endOffset() - verdict.baseOffset() == count) {
                assertThat(offset).isEqualTo(verdict.baseOffset() + i);
            }
        }
    }

    private void append(ProducerStamp stamp, int count) {
        states.applied(stamp, count, end, 1, time);
        log.add(new Frame(stamp, count, end, time));
        epochs.put(stamp.producerId(), stamp.epoch());
        Map<Long, Long> known =
                offsets.computeIfAbsent(stamp.producerId() + "/" + stamp.epoch(), ignored -> new HashMap<>());
        for (int i = 0; i < count; i++) {
            known.put(stamp.sequence() + i, end + i);
        }
        end += count + (time % 3);
    }

    /** From a copy of an earlier point and the frames after it, or from all frames: both are the same. */
    private void restart(Random random) {
        int at = log.isEmpty() ? 0 : random.nextInt(log.size() + 1);
        ProducerStates early = replay(new ProducerStates(), 0, at);
        ProducerStates copied = ProducerCodec.decode(ProducerCodec.encode(early.list()));
        assertThat(copied).isNotNull();
        ProducerStates rebuilt = replay(copied, at, log.size());
        assertThat(rebuilt.list()).isEqualTo(states.list());
        states = rebuilt;
    }

    private ProducerStates replay(ProducerStates into, int from, int to) {
        for (Frame frame : log.subList(from, to)) {
            into.applied(frame.stamp(), frame.count(), frame.base(), 1, frame.time());
        }
        return into;
    }

    @RepeatedTest(5)
    void noGarbledCopyIsTakenForStatesThatBreakTheirRules() {
        long seed = System.nanoTime();
        System.out.println("noGarbledCopyIsTakenForStatesThatBreakTheirRules seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 20; i++) {
            append(new ProducerStamp(1 + random.nextInt(3), 0, i), 1);
        }
        byte[] good = ProducerCodec.encode(states.list());
        for (int i = 0; i < 500; i++) {
            byte[] bad =
                    java.util.Arrays.copyOf(good, random.nextInt(3) == 0 ? random.nextInt(good.length) : good.length);
            if (bad.length > 0) {
                bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            }
            ProducerStates decoded = ProducerCodec.decode(bad);
            if (decoded != null) {
                assertThat(ProducerCodec.encode(decoded.list())).isEqualTo(bad);
            }
        }
    }
}
