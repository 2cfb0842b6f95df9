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
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Keep-alive connections that each send one fixed request again as soon as the answer is complete. One thread drives them all with a
 * selector, so that on a small machine the measuring costs less than what is measured. Latencies in nanoseconds.
 */
public final class ClosedLoop {
    private static final int BUFFER_BYTES = 256 * 1024;
    private static final long HIGHEST_NANOS = 60_000_000_000L;

    private final int port;
    private final byte[] request;
    private final int expectedStatus;
    private final ByteBuffer input = ByteBuffer.allocateDirect(BUFFER_BYTES);

    /** What one measurement saw. */
    public record Result(long answers, double seconds, Histogram nanos) {
        public double perSecond() {
            return answers / seconds;
        }

        public double micros(double percentile) {
            return nanos.getValueAtPercentile(percentile) / 1000.0;
        }
    }

    public ClosedLoop(int port, byte[] request, int expectedStatus) {
        this.port = port;
        this.request = request.clone();
        this.expectedStatus = expectedStatus;
    }

    /** Runs so many connections, first without, then with counting. */
    public Result run(int connections, Duration warmUp, Duration measured) {
        try (Selector selector = Selector.open()) {
            List<Connection> all = new ArrayList<>();
            try {
                for (int i = 0; i < connections; i++) {
                    all.add(new Connection(selector));
                }
                for (Connection connection : all) {
                    connection.send();
                }
                turn(selector, warmUp);
                return turn(selector, measured);
            } finally {
                for (Connection connection : all) {
                    connection.channel.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Result turn(Selector selector, Duration span) throws IOException {
        Histogram histogram = new Histogram(HIGHEST_NANOS, 3);
        long begin = System.nanoTime();
        long end = begin + span.toNanos();
        long now = begin;
        while (now < end) {
            selector.select(1000);
            for (SelectionKey key : selector.selectedKeys()) {
                ((Connection) key.attachment()).ready(key, histogram);
            }
            selector.selectedKeys().clear();
            now = System.nanoTime();
        }
        return new Result(histogram.getTotalCount(), (now - begin) / 1e9, histogram);
    }

    private final class Connection {
        private final SocketChannel channel;
        private final SelectionKey key;
        private final ByteBuffer output =
                ByteBuffer.allocateDirect(request.length).put(request);
        private final AnswerParser parser = new AnswerParser(expectedStatus);
        private long sentNanos;

        private Connection(Selector selector) throws IOException {
            channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            key = channel.register(selector, SelectionKey.OP_READ, this);
        }

        private void send() throws IOException {
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

        private void ready(SelectionKey ready, Histogram histogram) throws IOException {
            if (ready.isWritable()) {
                write();
                return;
            }
            input.clear();
            if (channel.read(input) < 0) {
                throw new IOException("the server closed a connection");
            }
            input.flip();
            if (parser.take(input)) {
                histogram.recordValue(System.nanoTime() - sentNanos);
                output.position(request.length);
                send();
            }
        }
    }
}
