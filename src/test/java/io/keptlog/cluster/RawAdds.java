// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.bench.ClosedLoop.Result;
import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.Waits;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.QuorumPolicy;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.bookkeeper.client.api.WriteHandle;

/** Adds to one ledger with BookKeeper's client, always so many on their way; each answer sends the next. */
final class RawAdds {
    private static final long HIGHEST_NANOS = 60_000_000_000L;

    private final WriteHandle ledger;
    private final byte[] entry;
    private final Histogram nanos = new ConcurrentHistogram(HIGHEST_NANOS, 3);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean counting;
    private volatile boolean stopped;

    private RawAdds(WriteHandle ledger, byte[] entry) {
        this.ledger = ledger;
        this.entry = entry;
    }

    static Result run(
            LedgerClient client, QuorumPolicy policy, int entryBytes, int atOnce, Duration warmUp, Duration measured)
            throws Exception {
        var entry = new byte[entryBytes];
        new Random(42).nextBytes(entry);
        WriteHandle ledger = Waits.result(client.createLedger(policy, Map.of()), Deadline.inMillis(10_000));
        var adds = new RawAdds(ledger, entry);
        for (int i = 0; i < atOnce; i++) {
            adds.next();
        }
        Thread.sleep(warmUp);
        adds.counting = true;
        long begin = System.nanoTime();
        Thread.sleep(measured);
        adds.counting = false;
        double seconds = (System.nanoTime() - begin) / 1e9;
        adds.stopped = true;
        // Closing fails what is still on its way; it is not counted any more.
        ledger.close();
        Throwable failed = adds.failure.get();
        if (failed != null) {
            throw new AssertionError("a raw add failed", failed);
        }
        Waits.result(client.deleteLedger(ledger.getId()), Deadline.inMillis(10_000));
        return new Result(adds.nanos.getTotalCount(), seconds, adds.nanos, new Histogram(HIGHEST_NANOS, 3));
    }

    private void next() {
        ByteBuf bytes = Unpooled.wrappedBuffer(entry);
        long sent = System.nanoTime();
        var ignored = ledger.appendAsync(bytes).whenComplete((id, e) -> {
            if (stopped) {
                return;
            }
            if (e != null) {
                failure.compareAndSet(null, e);
                return;
            }
            if (counting) {
                nanos.recordValue(System.nanoTime() - sent);
            }
            next();
        });
    }
}
