// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineChunksTest {
    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static LineChunks chunks(InputStream in) {
        return new LineChunks(in, 4 << 20);
    }

    @Test
    void wholeLinesGoOnAtOnceAndTheBeginningOfTheNextOneWaits() throws IOException {
        LineChunks chunks = chunks(new SequenceInputStream(bytes("a\nb\nhal"), bytes("f\n\n")));
        LineChunks.Chunk first = chunks.next();
        assertThat(first).isNotNull();
        assertThat(first.bytes()).asString().isEqualTo("a\nb\n");
        assertThat(first.lines()).isEqualTo(2);
        LineChunks.Chunk second = chunks.next();
        assertThat(second).isNotNull();
        assertThat(second.bytes()).asString().isEqualTo("half\n\n");
        assertThat(second.lines()).isEqualTo(2);
        assertThat(chunks.next()).isNull();
    }

    @Test
    void aLastLineWithoutItsEndCounts() throws IOException {
        LineChunks chunks = chunks(bytes("a\nb"));
        assertThat(chunks.next()).isNotNull();
        LineChunks.Chunk last = chunks.next();
        assertThat(last).isNotNull();
        assertThat(last.bytes()).asString().isEqualTo("b");
        assertThat(last.lines()).isEqualTo(1);
        assertThat(chunks(bytes("")).next()).isNull();
    }

    @Test
    void whateverTheReadsGiveTheBytesAndTheLinesAreThose() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        byte[] all = new byte[3 << 20];
        random.nextBytes(all);
        Arrays.fill(all, 1 << 20, (1 << 20) + 1_500_000, (byte) 'x');
        var in = new ByteArrayInputStream(all) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, 1 + random.nextInt(100_000)));
            }
        };
        LineChunks chunks = chunks(in);
        var out = new ByteArrayOutputStream();
        long lines = 0;
        for (LineChunks.Chunk chunk = chunks.next(); chunk != null; chunk = chunks.next()) {
            out.write(chunk.bytes());
            lines += chunk.lines();
        }
        long ends = 0;
        for (byte b : all) {
            ends += b == '\n' ? 1 : 0;
        }
        assertThat(out.toByteArray()).isEqualTo(all);
        assertThat(lines).isEqualTo(ends + (all[all.length - 1] == '\n' ? 0 : 1));
    }

    @Test
    void aLineThatIsTooLongEndsTheInput() {
        var chunks = new LineChunks(new ByteArrayInputStream(new byte[3 << 20]), 2 << 20);
        assertThatThrownBy(chunks::next).isInstanceOf(IOException.class).hasMessageContaining("longer than 2097152");
    }
}
