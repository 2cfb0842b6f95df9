// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.ProducerStamp;
import io.keptlog.domain.message.RecordLayout;
import io.keptlog.domain.message.RecordRun;
import io.keptlog.domain.message.Slice;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

/** Batches of records made in the tests, and what a slice holds, as comparable values. */
public final class TestBatches {
    private TestBatches() {}

    /** One message as read back. */
    public record Read(long offset, String record) {}

    /** A record of the layout with this payload. */
    public static byte[] record(long id, byte[] payload) {
        ByteBuffer bytes =
                ByteBuffer.allocate(RecordLayout.HEADER_BYTES + payload.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(RecordLayout.LENGTH, bytes.capacity());
        bytes.putLong(RecordLayout.ID_LOW, id);
        bytes.putInt(RecordLayout.PAYLOAD_LENGTH, payload.length);
        bytes.put(RecordLayout.HEADER_BYTES, payload);
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 8, bytes.capacity() - 8);
        bytes.putInt(RecordLayout.CRC, (int) crc.getValue());
        return bytes.array();
    }

    public static MessageBatch batch(List<byte[]> records) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(new byte[96]);
        records.forEach(all::writeBytes);
        byte[] bytes = all.toByteArray();
        CRC32C crc = new CRC32C();
        crc.update(bytes, 96, bytes.length - 96);
        return new MessageBatch(bytes, 96, bytes.length - 96, records.size(), (int) crc.getValue(), null);
    }

    /** {@code count} messages of {@code payloadBytes} each, all alike but for their ids. */
    public static MessageBatch batch(int count, int payloadBytes) {
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(record(i + 1, new byte[payloadBytes]));
        }
        return batch(records);
    }

    /** The same batch, sent by producer 7 in epoch 1. */
    public static MessageBatch stamped(long sequence, List<byte[]> records) {
        return batch(records).by(new ProducerStamp(7, 1, sequence));
    }

    public static List<byte[]> randomRecords(Random random, int maxCount, int maxPayloadBytes) {
        List<byte[]> records = new ArrayList<>();
        int count = 1 + random.nextInt(maxCount);
        for (int i = 0; i < count; i++) {
            byte[] payload = new byte[random.nextInt(maxPayloadBytes + 1)];
            random.nextBytes(payload);
            records.add(record(random.nextLong(), payload));
        }
        return records;
    }

    /** What the slice holds, copied out of it. */
    public static List<Read> messages(Slice slice) {
        List<Read> messages = new ArrayList<>();
        for (RecordRun run : slice.runs()) {
            MemorySegment records = run.records();
            long at = 0;
            for (int i = 0; i < run.count(); i++) {
                int length = records.get(RecordLayout.U32, at);
                messages.add(new Read(run.firstOffset() + i, text(records.asSlice(at, length))));
                at += length;
            }
            if (at != records.byteSize()) {
                throw new AssertionError("a run of " + records.byteSize() + " bytes holds " + at);
            }
        }
        if (messages.size() != slice.count()) {
            throw new AssertionError("a slice of " + slice.count() + " holds " + messages.size());
        }
        return messages;
    }

    public static String text(byte[] record) {
        return text(MemorySegment.ofArray(record));
    }

    private static String text(MemorySegment record) {
        CRC32C crc = new CRC32C();
        byte[] bytes = record.toArray(ValueLayout.JAVA_BYTE);
        crc.update(bytes);
        return bytes.length + ":" + Long.toHexString(crc.getValue()) + ":" + java.util.Arrays.hashCode(bytes);
    }
}
