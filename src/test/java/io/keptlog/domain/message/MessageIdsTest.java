// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.http.codec.StoredMessage;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MessageIdsTest {
    private static final BigInteger END = BigInteger.ONE.shiftLeft(128);

    private static @Nullable BigInteger read(String text) {
        var reader = new MessageIdReader();
        byte[] bytes = ("x" + text + "y").getBytes(US_ASCII);
        return reader.readText(bytes, 1, bytes.length - 1) ? StoredMessage.u128(reader.high(), reader.low()) : null;
    }

    @Test
    void decimalsAroundEveryPowerOfTwoAndTen() {
        for (int bit = 0; bit <= 129; bit++) {
            around(BigInteger.ONE.shiftLeft(bit));
        }
        for (int exponent = 0; exponent <= 40; exponent++) {
            around(BigInteger.TEN.pow(exponent));
        }
    }

    private static void around(BigInteger centre) {
        for (int delta = -2; delta <= 2; delta++) {
            BigInteger value = centre.add(BigInteger.valueOf(delta));
            if (value.signum() >= 0) {
                assertThat(read(value.toString())).isEqualTo(value.compareTo(END) < 0 ? value : null);
            }
        }
    }

    @Test
    void randomDecimalsHexAndUuids() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            var value = new BigInteger(random.nextInt(129), random);
            assertThat(read(value.toString())).as("seed %s", seed).isEqualTo(value);
            String hex = "a" + String.format("%032x", value).substring(1);
            assertThat(read(hex)).isEqualTo(new BigInteger(hex, 16));
            assertThat(read(hex.toUpperCase(java.util.Locale.ROOT))).isEqualTo(new BigInteger(hex, 16));
            var uuid = new UUID(random.nextLong(), random.nextLong());
            assertThat(read(uuid.toString()))
                    .isEqualTo(StoredMessage.u128(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits()));
        }
    }

    @Test
    void otherTextIsNoId() {
        for (String text : new String[] {
            "",
            " 1",
            "1 ",
            "-1",
            "+1",
            "1.0",
            "1e3",
            "0x1",
            "abc",
            "g0000000000000000000000000000000",
            "a000000000000000000000000000000",
            "0000000000000000000000000000000000000001",
            "00000000-0000-0000-0000-00000000000g",
            "00000000+0000-0000-0000-000000000000",
            "0000000-00000-0000-0000-000000000000"
        }) {
            assertThat(read(text)).as(text).isNull();
        }
    }

    @Test
    void randomIdsDifferAndAreNeverZero() throws InterruptedException {
        Set<BigInteger> seen = ConcurrentHashMap.newKeySet();
        var ids = new RandomIds(0, 0);
        var threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = Thread.ofPlatform().start(() -> {
                var into = new MessageIdReader();
                for (int i = 0; i < 50_000; i++) {
                    ids.next(into);
                    seen.add(StoredMessage.u128(into.high(), into.low()));
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(seen).hasSize(200_000).doesNotContain(BigInteger.ZERO);
    }

    @Test
    void twoProcessesGiveDifferentIds() {
        var seen = new HashSet<BigInteger>();
        for (int process = 0; process < 100; process++) {
            var ids = new RandomIds();
            var into = new MessageIdReader();
            for (int i = 0; i < 100; i++) {
                ids.next(into);
                seen.add(StoredMessage.u128(into.high(), into.low()));
            }
        }
        assertThat(seen).hasSize(10_000);
    }
}
