// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.depth;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.ledger.read.StoredFrame;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.cluster.CopyState;
import io.keptlog.storage.frame.FrameHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.ReferenceCounted;
import java.security.GeneralSecurityException;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.ClientContext;
import org.apache.bookkeeper.client.api.WriteFlag;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.proto.BookieProtocol;
import org.apache.bookkeeper.proto.DataFormats.LedgerMetadataFormat.DigestType;
import org.apache.bookkeeper.proto.checksum.DigestManager;
import org.jspecify.annotations.Nullable;

/**
 * One bookie's copy of one entry: looks at it, fetches it, writes it again. Reads fence nobody. A write is a recovery add, which a bookie takes
 * for a fenced ledger as well: only for ledgers that are closed. Thread-safe; answers end with the client's own timeouts.
 */
final class BookieCopies {
    /** Before the digest of an entry: ledger, entry, last confirmed entry, bytes of the ledger up to here, 8 bytes each. */
    private static final int CONFIRMED_AT = 16;

    private static final int LENGTH_AT = 24;

    private final ClientContext context;
    private final byte[] key;

    BookieCopies(LedgerClient client) {
        this.context = client.context();
        try {
            this.key = DigestManager.generateMasterKey(LedgerClient.NO_PASSWORD);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * What is known of a copy.
     *
     * @param header of the frame in it; only when it is present
     */
    record Look(CopyState state, @Nullable FrameHeader header) {}

    /** A good copy. */
    record Entry(byte[] bytes, long confirmed, long ledgerLength) {}

    /** Never fails. */
    CompletableFuture<Look> look(String bookie, long ledgerId, long entryId, long incarnation) {
        var look = new CompletableFuture<Look>();
        read(
                bookie,
                ledgerId,
                entryId,
                (code, buffer) -> look.complete(look(code, buffer, ledgerId, entryId, incarnation)));
        return look;
    }

    private Look look(int code, @Nullable ByteBuf buffer, long ledgerId, long entryId, long incarnation) {
        if (code == BKException.Code.NoSuchEntryException || code == BKException.Code.NoSuchLedgerExistsException) {
            return new Look(CopyState.ABSENT, null);
        }
        if (code != BKException.Code.OK || buffer == null) {
            return new Look(CopyState.UNREACHABLE, null);
        }
        try {
            Entry entry = entry(ledgerId, entryId, buffer);
            return new Look(
                    CopyState.PRESENT,
                    StoredFrame.parse(entry.bytes(), ledgerId, entryId, incarnation)
                            .header());
        } catch (BKException.BKDigestMatchException | KeptlogException e) {
            return new Look(CopyState.CORRUPT, null);
        }
    }

    /** Fails with the bookie's answer when it has no good copy. */
    CompletableFuture<Entry> fetch(String bookie, long ledgerId, long entryId) {
        var fetched = new CompletableFuture<Entry>();
        read(bookie, ledgerId, entryId, (code, buffer) -> {
            if (code != BKException.Code.OK || buffer == null) {
                fetched.completeExceptionally(BKException.create(code));
                return;
            }
            try {
                fetched.complete(entry(ledgerId, entryId, buffer));
            } catch (BKException.BKDigestMatchException e) {
                fetched.completeExceptionally(e);
            }
        });
        return fetched;
    }

    private interface Answer {
        void of(int code, @Nullable ByteBuf buffer);
    }

    private void read(String bookie, long ledgerId, long entryId, Answer answer) {
        context.getBookieClient()
                .readEntry(
                        BookieId.parse(bookie),
                        ledgerId,
                        entryId,
                        (code, ledger, entry, buffer, ignored) -> answer.of(code, buffer),
                        null,
                        BookieProtocol.FLAG_NONE);
    }

    private Entry entry(long ledgerId, long entryId, ByteBuf buffer) throws BKException.BKDigestMatchException {
        int at = buffer.readerIndex();
        if (buffer.readableBytes() < DigestManager.METADATA_LENGTH) {
            throw new BKException.BKDigestMatchException();
        }
        long confirmed = buffer.getLong(at + CONFIRMED_AT);
        long length = buffer.getLong(at + LENGTH_AT);
        ByteBuf data = digest(ledgerId).verifyDigestAndReturnData(entryId, buffer);
        var bytes = new byte[data.readableBytes()];
        data.readBytes(bytes);
        return new Entry(bytes, confirmed, length);
    }

    private DigestManager digest(long ledgerId) {
        try {
            return DigestManager.instantiate(
                    ledgerId, LedgerClient.NO_PASSWORD, DigestType.CRC32C, context.getByteBufAllocator(), true);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Durable when it completes; fails with the bookie's answer. */
    CompletableFuture<Void> write(String bookie, long ledgerId, long entryId, Entry entry) {
        var written = new CompletableFuture<Void>();
        ReferenceCounted packaged = digest(ledgerId)
                .computeDigestAndPackageForSending(
                        entryId,
                        entry.confirmed(),
                        entry.ledgerLength(),
                        Unpooled.wrappedBuffer(entry.bytes()),
                        key,
                        BookieProtocol.FLAG_RECOVERY_ADD);
        try {
            context.getBookieClient()
                    .addEntry(
                            BookieId.parse(bookie),
                            ledgerId,
                            key,
                            entryId,
                            packaged,
                            (code, ledger, number, address, ignored) -> {
                                if (code == BKException.Code.OK) {
                                    written.complete(null);
                                } else {
                                    written.completeExceptionally(BKException.create(code));
                                }
                            },
                            null,
                            BookieProtocol.FLAG_RECOVERY_ADD,
                            false,
                            WriteFlag.NONE);
        } finally {
            packaged.release();
        }
        return written;
    }
}
