// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The checker of histories is told of a good one, and then of each way in which it could have been bad. */
class KnownTest {
    private static final int SLOT = 1;

    private final Known known = new Known();
    private final List<String> stored = new ArrayList<>();

    private static String plain(long number) {
        return Payloads.name('n', SLOT, 0, number);
    }

    private static String idempotent(long number) {
        return Payloads.name('i', SLOT, 1, number);
    }

    @BeforeEach
    void history() {
        for (String name : List.of(plain(0), idempotent(0), plain(1), idempotent(1), plain(2))) {
            known.sent(name);
            known.acknowledged(SLOT, stored.size(), name);
            stored.add(Payloads.of(name));
        }
    }

    private void assertViolation(String beginning) {
        known.verify(SLOT, stored);
        assertThat(known.violations()).anyMatch(v -> v.startsWith(beginning));
    }

    @Test
    void aGoodHistoryHasNoViolations() {
        known.sent(plain(3));
        known.refused(plain(3));
        known.sent(plain(4));
        known.read(SLOT, 2, Payloads.of(plain(1)));
        known.verify(SLOT, stored);
        assertThat(known.violations()).isEmpty();
        assertThat(known.end(SLOT)).isEqualTo(5);
    }

    @Test
    void anAcknowledgedMessageThatIsNotStoredIsLost() {
        stored.removeLast();
        assertViolation("lost: n-1-0-2 was acknowledged");
    }

    @Test
    void aMessageThatWasReadAndIsNotStoredIsLost() {
        known.sent(plain(3));
        known.read(SLOT, 5, Payloads.of(plain(3)));
        assertViolation("lost: n-1-0-3 was told or read");
    }

    @Test
    void anOffsetThatHasAnotherMessageHasOtherBytes() {
        known.sent(plain(3));
        stored.set(2, Payloads.of(plain(3)));
        assertViolation("other bytes");
    }

    @Test
    void aChangedByteIsSeen() {
        String payload = stored.get(0);
        stored.set(0, payload.substring(0, payload.length() - 1) + "#");
        assertViolation("bytes changed");
    }

    @Test
    void aMessageThatNobodySentIsInvented() {
        stored.add(Payloads.of(plain(17)));
        assertViolation("invented");
    }

    @Test
    void aMessageStoredTwiceIsADuplicate() {
        stored.add(stored.get(2));
        assertViolation("twice");
    }

    @Test
    void aMessageThatWasSaidToBeNotStoredMustNotBe() {
        known.sent(plain(3));
        known.refused(plain(3));
        stored.add(Payloads.of(plain(3)));
        assertViolation("refused and stored");
    }

    @Test
    void aHoleInAnIdempotentProducersMessagesIsSeen() {
        known.sent(idempotent(3));
        stored.add(Payloads.of(idempotent(3)));
        assertViolation("order");
    }

    @Test
    void aMessageInAnotherPartitionIsSeen() {
        String elsewhere = Payloads.name('n', 2, 0, 9);
        known.sent(elsewhere);
        stored.add(Payloads.of(elsewhere));
        assertViolation("in another partition");
    }

    @Test
    void anOffsetThatGoesBackOrWasNeverStoredIsSeen() {
        var offsets = new KnownOffsets(known, "a consumer");
        offsets.attempt(5);
        offsets.confirm(5);
        offsets.attempt(7);
        offsets.read(5, 5);
        offsets.read(5, 7);
        assertThat(known.violations()).isEmpty();
        offsets.read(5, 4);
        assertThat(known.violations().getLast()).contains("went back");
        offsets.read(5, 8);
        assertThat(known.violations().getLast()).contains("invented");
        assertThat(known.violations()).hasSize(2);
        offsets.unknown(3);
        offsets.read(5, 3);
        assertThat(known.violations())
                .as("written late, by whom nobody waited for")
                .hasSize(2);
    }
}
