// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.append;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;

/**
 * An entry on its way to the bookies. Its bytes count as pending until the last holder lets go: after the ack quorum has answered, a
 * slow bookie's connection may still hold them.
 */
final class BudgetedBuffer extends UnpooledHeapByteBuf {
    private final PendingBytes budget;
    private final int counted;

    BudgetedBuffer(byte[] frame, PendingBytes budget) {
        super(UnpooledByteBufAllocator.DEFAULT, frame, frame.length);
        this.budget = budget;
        this.counted = frame.length;
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        budget.release(counted);
    }
}
