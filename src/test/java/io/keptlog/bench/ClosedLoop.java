// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * Keep-alive connections that each send one fixed request again as soon as the answer is complete. A connection that the server closes
 * after a refusal (Tomcat does with 503) is opened again when the pause is over. One thread drives them all with a
 * selector, so that on a small machine the measuring costs less than what is measured. Latencies in nanoseconds.
 */
public final class ClosedLoop {
    private static final int BUFFER_BYTES = 256 * 1024;
    private static final long HIGHEST_NANOS = 60_000_000_000L;
    private static final Duration LONG = Duration.ofMinutes(30);
    private static final long PAUSE_NANOS = 1_000_000_000L;

    private final int port;
    private final byte[] request;
    private final int expectedStatus;
    private final Set<Integer> refusals;
    private final PriorityQueue<Connection> pausing =
            new PriorityQueue<>(Comparator.comparingLong(connection -> connection.dueNanos));
    private final ByteBuffer input = ByteBuffer.allocateDirect(BUFFER_BYTES);

    /**
     * What one measurement saw.
     *
     * @param nanos of what succeeded
     * @param refusedNanos of what was refused
     */
    public record Result(long answers, double seconds, Histogram nanos, Histogram refusedNanos) {
        public double perSecond() {
            return answers / seconds;
        }

        public double micros(double percentile) {
            return nanos.getValueAtPercentile(percentile) / 1000.0;
        }
    }

    public ClosedLoop(int port, byte[] request, int expectedStatus) {
        this(port, request, expectedStatus, Set.of());
    }

    /**
     * @param refusals statuses after which a connection pauses for a second, as Retry-After asks it to
     */
    public ClosedLoop(int port, byte[] request, int expectedStatus, Set<Integer> refusals) {
        this.port = port;
        this.request = request.clone();
        this.expectedStatus = expectedStatus;
        this.refusals = refusals;
    }

    /** Runs so many connections, first without, then with counting. */
    public Result run(int connections, Duration warmUp, Duration measured) {
        return run(connections, warmUp, measured, Long.MAX_VALUE);
    }

    /** Runs until so many requests have succeeded. */
    public Result run(int connections, long answers) {
        return run(connections, Duration.ZERO, LONG, answers);
    }

    private Result run(int connections, Duration warmUp, Duration measured, long answers) {
        try (Selector selector = Selector.open()) {
            List<Connection> all = new ArrayList<>();
            try {
                for (int i = 0; i < connections; i++) {
                    all.add(new Connection(selector));
                }
                for (Connection connection : all) {
                    connection.send();
                }
                turn(selector, warmUp, Long.MAX_VALUE);
                return turn(selector, measured, answers);
            } finally {
                pausing.clear();
                for (Connection connection : all) {
                    connection.channel.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Result turn(Selector selector, Duration span, long answers) throws IOException {
        Histogram histogram = new Histogram(HIGHEST_NANOS, 3);
        Histogram refused = new Histogram(HIGHEST_NANOS, 3);
        long begin = System.nanoTime();
        long end = begin + span.toNanos();
        long now = begin;
        while (now < end && histogram.getTotalCount() < answers) {
            selector.select(pausing.isEmpty() ? 1000 : 10);
            for (SelectionKey key : selector.selectedKeys()) {
                ((Connection) key.attachment()).ready(key, histogram, refused);
            }
            selector.selectedKeys().clear();
            now = System.nanoTime();
            for (Connection next = pausing.peek(); next != null && next.dueNanos <= now; next = pausing.peek()) {
                pausing.remove().send();
            }
        }
        return new Result(histogram.getTotalCount(), (now - begin) / 1e9, histogram, refused);
    }

    private final class Connection {
        private final Selector selector;
        private SocketChannel channel;
        private SelectionKey key;
        private final ByteBuffer output =
                ByteBuffer.allocateDirect(request.length).put(request);
        private final AnswerParser parser = new AnswerParser(expectedStatus, refusals);
        private long sentNanos;
        private long dueNanos;

        private Connection(Selector selector) throws IOException {
            this.selector = selector;
            channel = open();
            key = channel.register(selector, SelectionKey.OP_READ, this);
        }

        private SocketChannel open() throws IOException {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            return channel;
        }

        private void send() throws IOException {
            if (!channel.isOpen()) {
                channel = open();
                key = channel.register(selector, SelectionKey.OP_READ, this);
            }
            sentNanos = System.nanoTime();
            output.flip();
            write();
        }

        private void write() throws IOException {
            channel.write(output);
            if (output.hasRemaining()) {
                key.interestOps(SelectionKey.OP_WRITE);
            } else {
                output.position(output.limit());
                key.interestOps(SelectionKey.OP_READ);
            }
        }

        private void ready(SelectionKey ready, Histogram histogram, Histogram refused) throws IOException {
            if (ready.isWritable()) {
                write();
                return;
            }
            input.clear();
            if (channel.read(input) < 0) {
                if (pausing.contains(this)) {
                    channel.close();
                    return;
                }
                throw new IOException("the server closed a connection");
            }
            input.flip();
            if (parser.take(input)) {
                long now = System.nanoTime();
                (parser.refused() ? refused : histogram).recordValue(now - sentNanos);
                output.position(request.length);
                if (parser.refused()) {
                    dueNanos = now + PAUSE_NANOS;
                    pausing.add(this);
                } else {
                    send();
                }
            }
        }
    }
}
