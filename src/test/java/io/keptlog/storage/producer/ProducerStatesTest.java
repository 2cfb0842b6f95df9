// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.message.ProducerStamp;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProducerStatesTest {
    private static final long NOW = 1_800_000_000_000_000L;
    private static final long WEEK = Limits.PRODUCER_EXPIRY_SECONDS * 1_000_000L;

    private final ProducerStates states = new ProducerStates();

    private static ProducerStamp stamp(long sequence) {
        return new ProducerStamp(7, 1, sequence);
    }

    private void stored(long sequence, int count, long baseOffset) {
        states.applied(stamp(sequence), count, baseOffset, 3, NOW);
    }

    private ProducerVerdict decide(long sequence, int count) {
        return states.decide(stamp(sequence), count, NOW);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 17, Long.MAX_VALUE, Long.MIN_VALUE, -2})
    void anUnknownProducerMayBeginAnywhere(long sequence) {
        assertThat(decide(sequence, 1).isNew()).isTrue();
        stored(sequence, 1, 0);
        assertThat(decide(sequence + 1, 3).isNew()).isTrue();
        assertThat(decide(sequence, 1)).isEqualTo(new ProducerVerdict(1, 0, 1, 3));
    }

    @Test
    void aRepeatedBatchGetsTheOffsetsOfItsFirstLife() {
        stored(0, 3, 10);
        stored(3, 2, 50);
        assertThat(decide(0, 3)).isEqualTo(new ProducerVerdict(3, 10, 13, 3));
        assertThat(decide(3, 2)).isEqualTo(new ProducerVerdict(2, 50, 52, 3));
    }

    @Test
    void aPartOfAStoredBatchIsConfirmedExactly() {
        stored(0, 10, 100);
        assertThat(decide(4, 3)).isEqualTo(new ProducerVerdict(3, 104, 107, 3));
    }

    @Test
    void aBatchCutOtherwiseThanBeforeIsConfirmedByTheRangeThatHoldsIt() {
        stored(0, 3, 10);
        stored(3, 2, 50);
        assertThat(decide(1, 4)).isEqualTo(new ProducerVerdict(4, 11, 52, 3));
    }

    @Test
    void ofAPartlyOldBatchTheRestIsNew() {
        stored(0, 3, 10);
        ProducerVerdict verdict = decide(1, 10);
        assertThat(verdict.oldMessages()).isEqualTo(2);
        assertThat(verdict.isDuplicate()).isFalse();
    }

    @Test
    void aGapIsRefusedWithTheSequenceThatIsExpected() {
        stored(0, 3, 10);
        assertThatThrownBy(() -> decide(4, 1)).isInstanceOfSatisfying(KeptlogException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.SEQUENCE_GAP);
            assertThat(e.details()).containsEntry("expected_sequence", BigInteger.valueOf(3));
        });
        assertThat(decide(3, 1).isNew()).as("nothing changed").isTrue();
    }

    @Test
    void whatLiesBeforeTheBeginningOfAnEpochIsNotTakenForStored() {
        stored(100, 5, 0);
        assertThatThrownBy(() -> decide(99, 1)).isInstanceOfSatisfying(KeptlogException.class, e -> assertThat(e.code())
                .isEqualTo(ErrorCode.SEQUENCE_GAP));
        assertThatThrownBy(() -> decide(99, 10)).isInstanceOf(KeptlogException.class);
    }

    @Test
    void aNewEpochBeginsAnywhereAndEndsTheOldOne() {
        stored(0, 3, 10);
        ProducerStamp newer = new ProducerStamp(7, 2, 1);
        assertThat(states.decide(newer, 1, NOW).isNew()).isTrue();
        assertThat(decide(3, 1).isNew())
                .as("deciding is not writing: the old epoch still counts")
                .isTrue();
        states.applied(newer, 1, 20, 3, NOW);
        assertThatThrownBy(() -> decide(3, 1)).isInstanceOfSatisfying(KeptlogException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.PRODUCER_FENCED);
            assertThat(e.details()).containsEntry("current_epoch", 2L);
        });
    }

    @Test
    void epochsAreUnsigned() {
        states.applied(new ProducerStamp(7, -1, 0), 1, 0, 3, NOW);
        assertThatThrownBy(() -> states.decide(new ProducerStamp(7, 1, 1), 1, NOW))
                .isInstanceOfSatisfying(
                        KeptlogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PRODUCER_FENCED));
    }

    @Test
    void aDecisionAloneChangesNothingSoAFailedFirstTryDoesNotSwallowItsRetry() {
        assertThat(decide(0, 3).isNew()).isTrue();
        assertThat(decide(0, 3).isNew()).isTrue();
        assertThat(states.list()).isEmpty();
    }

    @Test
    void theLastFiveConfirmationsAreExactAndOlderOnesAreARangeThatHoldsThem() {
        for (int i = 0; i < 20; i++) {
            stored(2L * i, 2, 100L * i);
        }
        for (int i = 15; i < 20; i++) {
            assertThat(decide(2L * i, 2)).isEqualTo(new ProducerVerdict(2, 100L * i, 100L * i + 2, 3));
        }
        ProducerVerdict old = decide(6, 2);
        assertThat(old.isDuplicate()).isTrue();
        assertThat(old.baseOffset()).isLessThanOrEqualTo(300);
        assertThat(old.endOffset()).isGreaterThanOrEqualTo(302);
        assertThat(old.endOffset() - old.baseOffset())
                .as("longer than the batch, which says that it is not exact")
                .isGreaterThan(2);
    }

    @Test
    void aProducerThatIsAloneOnItsPartitionIsConfirmedExactlyForEver() {
        for (int i = 0; i < 1000; i++) {
            stored(3L * i, 3, 5 + 3L * i);
        }
        assertThat(decide(300, 3)).isEqualTo(new ProducerVerdict(3, 305, 308, 3));
        assertThat(states.list().getFirst().runs()).hasSize(1);
    }

    @Test
    void theLeastRecentProducerIsForgottenFirst() {
        for (int i = 0; i <= Limits.PRODUCERS_PER_PARTITION_MAX; i++) {
            states.applied(new ProducerStamp(1 + i, 0, 0), 1, i, 3, NOW + i);
            if (i == 10) {
                states.applied(new ProducerStamp(1, 0, 1), 1, 1_000_000, 3, NOW + i);
            }
        }
        assertThat(states.list()).hasSize(Limits.PRODUCERS_PER_PARTITION_MAX);
        assertThat(states.decide(new ProducerStamp(1, 0, 0), 1, NOW).isDuplicate())
                .as("wrote again, so it stayed")
                .isTrue();
        assertThat(states.decide(new ProducerStamp(2, 0, 0), 1, NOW).isNew()).isTrue();
    }

    @Test
    void aProducerThatIsSilentForAWeekIsForgotten() {
        stored(0, 3, 10);
        assertThat(states.decide(stamp(0), 3, NOW + WEEK).isDuplicate()).isTrue();
        assertThat(states.decide(stamp(0), 3, NOW + WEEK + 1).isNew()).isTrue();
        states.applied(new ProducerStamp(8, 0, 0), 1, 20, 3, NOW + WEEK + 1);
        assertThat(states.list()).hasSize(1);
    }
}
