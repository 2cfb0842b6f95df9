// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Set;

/** Finds the end of HTTP answers, with a length or in chunks, and checks their status. Skips bodies without looking at them. */
final class AnswerParser {
    private enum State {
        HEAD,
        BODY,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        LAST_END
    }

    private final int expectedStatus;
    private final Set<Integer> refusals;
    private boolean refused;
    private final StringBuilder text = new StringBuilder();
    private State state = State.HEAD;
    private long remaining;

    AnswerParser(int expectedStatus) {
        this(expectedStatus, Set.of());
    }

    /**
     * @param refusals statuses that are no failure when they come with Retry-After
     */
    AnswerParser(int expectedStatus, Set<Integer> refusals) {
        this.expectedStatus = expectedStatus;
        this.refusals = refusals;
    }

    /** Whether the answer that was taken last was a refusal. */
    boolean refused() {
        return refused;
    }

    /** Whether the answer is complete; then nothing is left in the buffer, for nothing more was asked for. */
    boolean take(ByteBuffer in) throws IOException {
        while (in.hasRemaining()) {
            switch (state) {
                case HEAD -> head(in);
                case CHUNK_SIZE -> chunkSize(in);
                case BODY, CHUNK, CHUNK_END, LAST_END -> skip(in);
            }
            if (state == State.BODY && remaining == 0) {
                state = State.HEAD;
                return true;
            }
        }
        return false;
    }

    private void skip(ByteBuffer in) {
        int step = (int) Math.min(remaining, in.remaining());
        in.position(in.position() + step);
        remaining -= step;
        if (remaining == 0) {
            switch (state) {
                case CHUNK -> expect(State.CHUNK_END, 2);
                case CHUNK_END -> expect(State.CHUNK_SIZE, 0);
                case LAST_END -> expect(State.BODY, 0);
                default -> expect(state, 0);
            }
        }
    }

    private void expect(State next, long bytes) {
        state = next;
        remaining = bytes;
    }

    private void head(ByteBuffer in) throws IOException {
        while (in.hasRemaining()) {
            text.append((char) (in.get() & 0xFF));
            int length = text.length();
            if (text.charAt(length - 1) == '\n'
                    && length >= 4
                    && text.substring(length - 4).equals("\r\n\r\n")) {
                begin(text.toString());
                text.setLength(0);
                return;
            }
        }
    }

    private void begin(String head) throws IOException {
        int status = Integer.parseInt(head.substring(9, 12));
        String lower = head.toLowerCase(Locale.ROOT);
        refused = status != expectedStatus;
        if (refused && !(refusals.contains(status) && lower.contains("\r\nretry-after: "))) {
            throw new IOException("answer " + head.lines().findFirst().orElse("") + " instead of " + expectedStatus);
        }
        if (lower.contains("transfer-encoding: chunked")) {
            expect(State.CHUNK_SIZE, 0);
            return;
        }
        int at = lower.indexOf("content-length: ");
        expect(State.BODY, at < 0 ? 0 : Long.parseLong(lower.substring(at + 16, lower.indexOf('\r', at))));
    }

    private void chunkSize(ByteBuffer in) {
        while (in.hasRemaining()) {
            char next = (char) in.get();
            if (next == '\n') {
                long size = Long.parseLong(text.toString().strip(), 16);
                text.setLength(0);
                expect(size == 0 ? State.LAST_END : State.CHUNK, size == 0 ? 2 : size);
                return;
            }
            text.append(next);
        }
    }
}
