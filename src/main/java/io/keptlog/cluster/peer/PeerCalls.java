// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.peer;

import io.keptlog.cluster.client.LedgerView;
import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.cluster.KeptDepth;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.Appended;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.OffsetStore.ConsumerOffset;
import io.keptlog.storage.SealedSegment;
import java.io.DataInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The asking side of a forwarded request. NOT_PRIMARY: the other broker was not asked, or does not own the partition: nothing was done. A
 * connection that breaks on the way leaves a write's outcome unknown, and says so. The owner's deadline ends before the caller's.
 */
public final class PeerCalls {
    /** What the owner must leave the forwarder for the way back. */
    private static final int RETURN_MILLIS = 150;

    private final PeerConnections connections;

    public PeerCalls(PeerConnections connections) {
        this.connections = connections;
    }

    /** An append with what the receipt needs of it. */
    public record Stored(Appended appended, Evidence evidence, long persistedEnd) {}

    private static int ownerMillis(Deadline deadline) {
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline.remainingNanos()) - RETURN_MILLIS);
    }

    private static void target(java.io.DataOutput out, PartitionSpec spec) throws IOException {
        PeerWire.write(out, new PeerWire.Target(spec.ref(), spec.incarnation()));
    }

    private <T> T write(
            String address,
            PeerHandler.Operation operation,
            PeerConnections.Writer request,
            PeerConnections.Reader<T> reply,
            Deadline deadline) {
        try {
            return connections.call(address, operation, request, reply, deadline);
        } catch (PeerConnections.NotSentException e) {
            throw notReached(e);
        } catch (IOException e) {
            throw new KeptlogException(
                    ErrorCode.PRODUCE_TIMEOUT,
                    "The broker that owns the partition has not answered (" + e.getMessage()
                            + "); the write may be stored.");
        }
    }

    private <T> T ask(
            String address,
            PeerHandler.Operation operation,
            PeerConnections.Writer request,
            PeerConnections.Reader<T> reply,
            Deadline deadline) {
        try {
            return connections.call(address, operation, request, reply, deadline);
        } catch (IOException e) {
            // A question can be asked again, of whoever owns the partition then.
            throw notReached(e);
        }
    }

    /** A question about one offset that the owner may wait for. */
    private <T> T askWithin(
            String address,
            PeerHandler.Operation operation,
            PartitionSpec spec,
            long offset,
            PeerConnections.Reader<T> reply,
            Deadline deadline) {
        return ask(
                address,
                operation,
                out -> {
                    target(out, spec);
                    out.writeLong(offset);
                    out.writeInt(ownerMillis(deadline));
                },
                reply,
                deadline);
    }

    private static KeptlogException notReached(IOException e) {
        return new KeptlogException(
                ErrorCode.NOT_PRIMARY,
                "The broker that owns the partition cannot be reached: " + e.getMessage(),
                null,
                1,
                Map.of(),
                e);
    }

    /**
     * Tells another broker that the catalog has changed, and waits until it has looked.
     *
     * @throws KeptlogException it did not answer; the metadata store will tell it
     */
    public void catalogChanged(String address, Deadline deadline) {
        ask(address, PeerHandler.Operation.CATALOG, out -> {}, in -> true, deadline);
    }

    public Stored append(String address, PartitionSpec spec, MessageBatch batch, Deadline deadline) {
        return write(
                address,
                PeerHandler.Operation.APPEND,
                out -> {
                    target(out, spec);
                    out.writeInt(ownerMillis(deadline));
                    PeerWire.write(out, batch);
                },
                in -> new Stored(PeerWire.appended(in), PeerWire.evidence(in), in.readLong()),
                deadline);
    }

    public Evidence evidence(String address, PartitionSpec spec, long end, Deadline deadline) {
        return askWithin(address, PeerHandler.Operation.EVIDENCE, spec, end, PeerWire::evidence, deadline);
    }

    public Slice read(
            String address, PartitionSpec spec, long from, int maxMessages, long maxBytes, Deadline deadline) {
        return ask(
                address,
                PeerHandler.Operation.READ,
                out -> {
                    target(out, spec);
                    out.writeLong(from);
                    out.writeInt(maxMessages);
                    out.writeLong(maxBytes);
                },
                PeerWire::slice,
                deadline);
    }

    public long offsetAt(String address, PartitionSpec spec, long micros, Deadline deadline) {
        return ask(
                address,
                PeerHandler.Operation.OFFSET_AT,
                out -> {
                    target(out, spec);
                    out.writeLong(micros);
                },
                DataInput::readLong,
                deadline);
    }

    /** The visible end, once it lies beyond what is known, or when the owner's part of the deadline is over. */
    public long endBeyond(String address, PartitionSpec spec, long known, Deadline deadline) {
        return askWithin(address, PeerHandler.Operation.END_BEYOND, spec, known, DataInput::readLong, deadline);
    }

    public LogStatus status(String address, PartitionSpec spec, Deadline deadline) {
        return ask(address, PeerHandler.Operation.STATUS, out -> target(out, spec), PeerWire::status, deadline);
    }

    public List<SealedSegment> sealed(String address, PartitionSpec spec, Deadline deadline) {
        return ask(address, PeerHandler.Operation.SEALED, out -> target(out, spec), PeerWire::segments, deadline);
    }

    public List<SealedSegment> deleteSegments(
            String address, PartitionSpec spec, long end, Gap.Reason reason, Deadline deadline) {
        return write(
                address,
                PeerHandler.Operation.DELETE_SEGMENTS,
                out -> {
                    target(out, spec);
                    out.writeLong(end);
                    out.writeUTF(reason.name());
                },
                PeerWire::segments,
                deadline);
    }

    public OptionalLong offset(String address, PartitionSpec spec, ConsumerKey consumer, Deadline deadline) {
        return ask(
                address,
                PeerHandler.Operation.OFFSET_GET,
                out -> {
                    target(out, spec);
                    PeerWire.write(out, consumer);
                },
                in -> {
                    boolean present = in.readBoolean();
                    long value = in.readLong();
                    return present ? OptionalLong.of(value) : OptionalLong.empty();
                },
                deadline);
    }

    public Evidence storeOffset(
            String address, PartitionSpec spec, ConsumerKey consumer, long offset, Deadline deadline) {
        return write(
                address,
                PeerHandler.Operation.OFFSET_STORE,
                out -> {
                    target(out, spec);
                    PeerWire.write(out, consumer);
                    out.writeLong(offset);
                    out.writeInt(ownerMillis(deadline));
                },
                PeerWire::evidence,
                deadline);
    }

    public Evidence deleteOffset(String address, PartitionSpec spec, ConsumerKey consumer, Deadline deadline) {
        return write(
                address,
                PeerHandler.Operation.OFFSET_DELETE,
                out -> {
                    target(out, spec);
                    PeerWire.write(out, consumer);
                    out.writeInt(ownerMillis(deadline));
                },
                PeerWire::evidence,
                deadline);
    }

    public List<ConsumerOffset> offsets(String address, PartitionSpec spec, Deadline deadline) {
        return ask(
                address,
                PeerHandler.Operation.OFFSET_LIST,
                out -> target(out, spec),
                in -> {
                    int count = in.readInt();
                    var list = new ArrayList<ConsumerOffset>(count);
                    for (int i = 0; i < count; i++) {
                        list.add(new ConsumerOffset(PeerWire.consumer(in), in.readLong()));
                    }
                    return list;
                },
                deadline);
    }

    public KeptDepth keptDepth(String address, PartitionSpec spec, Deadline deadline) {
        return ask(address, PeerHandler.Operation.KEPT_DEPTH, out -> target(out, spec), DepthWire::read, deadline);
    }

    public List<LedgerView> ledgers(String address, PartitionSpec spec, Deadline deadline) {
        return ask(address, PeerHandler.Operation.LEDGERS, out -> target(out, spec), LedgerWire::read, deadline);
    }
}
