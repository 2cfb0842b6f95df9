// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.message.BufferPool;
import io.keptlog.domain.message.Partitioning;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The scanner and Jackson with the rules written down a second time take the same bodies and read the same messages from them. */
class SendMessagesPropertyTest {
    private static final int ROUNDS = Integer.getInteger("keptlog.test.rounds", 6_000);
    private static final Set<ErrorCode> OF_THE_CLIENT = EnumSet.of(
            ErrorCode.INVALID_FORMAT,
            ErrorCode.INVALID_COMMAND,
            ErrorCode.INVALID_MESSAGES_COUNT,
            ErrorCode.TOO_BIG_USER_HEADERS,
            ErrorCode.INVALID_HEADER_KEY,
            ErrorCode.INVALID_HEADER_VALUE,
            ErrorCode.EMPTY_MESSAGE_PAYLOAD,
            ErrorCode.INVALID_KEY_VALUE_LENGTH);

    private final ProduceCodec codec = new ProduceCodec(1_000_000, new BufferPool(), () -> Instant.EPOCH);
    private int taken;

    @Test
    void bothTakeAndRefuseTheSameBodiesAndReadTheSameMessages() {
        long seed = Long.getLong("keptlog.test.seed", System.nanoTime());
        var random = new Random(seed);
        var generator = new SendMessagesGenerator(random);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] body = generator.body();
            compare(body, "seed " + seed + " round " + round);
            compare(generator.mutated(body), "seed " + seed + " round " + round + " mutated");
        }
        assertThat(taken).as("bodies taken, seed %s", seed).isBetween(ROUNDS / 2, ROUNDS * 2 - ROUNDS / 5);
    }

    private void compare(byte[] body, String round) {
        String shown = round + ": " + new String(body, UTF_8);
        SendMessagesOracle.Meaning expected = null;
        String refusal = "";
        try {
            expected = SendMessagesOracle.read(body);
        } catch (SendMessagesOracle.Refused e) {
            refusal = String.valueOf(e.getMessage());
        }
        try (ProduceBody actual = codec.readJson(new ByteArrayInputStream(body), body.length)) {
            if (expected == null) {
                throw new AssertionError("taken, but " + refusal + ": " + shown);
            }
            assertThat(describe(actual.partitioning())).as(shown).isEqualTo(expected.partitioning());
            assertSame(StoredMessage.of(actual.batch()), expected.messages(), shown);
            taken++;
        } catch (KeptlogException e) {
            assertThat(e.code()).as(shown).isIn(OF_THE_CLIENT);
            assertThat(expected).as(e.reason() + " | " + shown).isNull();
        }
    }

    private static void assertSame(List<StoredMessage> actual, List<StoredMessage> expected, String shown) {
        assertThat(actual).as(shown).hasSameSizeAs(expected);
        for (int i = 0; i < actual.size(); i++) {
            StoredMessage message = actual.get(i);
            assertThat(message.id()).as(shown).isNotEqualTo(BigInteger.ZERO);
            if (expected.get(i).id().signum() == 0) {
                message = new StoredMessage(
                        BigInteger.ZERO, message.headersForm(), message.headersHex(), message.payloadHex());
            }
            assertThat(message).as(shown).isEqualTo(expected.get(i));
        }
    }

    private static String describe(Partitioning partitioning) {
        return switch (partitioning) {
            case Partitioning.Balanced b -> "balanced ";
            case Partitioning.PartitionId p -> "partition_id "
                    + HexFormat.of().toHexDigits(Integer.reverseBytes((int) p.id()));
            case Partitioning.MessagesKey k -> "messages_key " + HexFormat.of().formatHex(k.key());
        };
    }
}
