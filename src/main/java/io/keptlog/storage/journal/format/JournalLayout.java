// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal.format;

import io.keptlog.domain.Limits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Encoding and checking of headers, slots and frames; the layout is drawn in the package description. */
final class JournalLayout {
    static final int VERSION = 1;
    static final int PAGE_BYTES = 4096;
    static final int SECTOR_BYTES = 512;
    static final int FRAMES_AT = 3 * PAGE_BYTES;
    static final int FRAME_HEADER_BYTES = 32;
    static final int BLOCK_BYTES = 32;
    static final int FRAME_MAGIC = 0x4D52_464A; // "JFRM"
    private static final int HEADER_MAGIC = 0x4C4E_4A4B; // "KJNL"
    private static final int SLOT_MAGIC = 0x544F_4C53; // "SLOT"
    private static final Pattern NAME = Pattern.compile("([0-9]{20})\\.(journal|previous)");

    private JournalLayout() {}

    /** What a file's header says. */
    record Header(long generation, long id) {}

    /** What a slot says. */
    record Slot(long sequence, long frames, long position) {}

    static String fileName(long generation) {
        return digits(generation) + ".journal";
    }

    /** The name of a generation after which a newer one is durable. */
    static String previousName(long generation) {
        return digits(generation) + ".previous";
    }

    private static String digits(long generation) {
        String number = Long.toString(generation);
        return "0".repeat(20 - number.length()) + number;
    }

    static boolean isPrevious(Path file) {
        return String.valueOf(file.getFileName()).endsWith(".previous");
    }

    /** The generation of a journal file's name, −1 for any other name. */
    static long generation(Path file) {
        var matcher = NAME.matcher(String.valueOf(file.getFileName()));
        return matcher.matches() ? parse(matcher.group(1)) : -1;
    }

    private static long parse(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException tooLarge) {
            return -1;
        }
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    static byte[] header(long generation, long id) {
        byte[] bytes = new byte[BLOCK_BYTES];
        ByteBuffer b = little(bytes);
        b.putInt(0, HEADER_MAGIC).putInt(8, VERSION).putLong(16, generation).putLong(24, id);
        b.putInt(4, crc(0, 0, bytes, 8, BLOCK_BYTES));
        return bytes;
    }

    static @Nullable Header header(byte[] file) {
        if (file.length < BLOCK_BYTES) {
            return null;
        }
        ByteBuffer b = little(file);
        boolean valid =
                b.getInt(0) == HEADER_MAGIC && b.getInt(4) == crc(0, 0, file, 8, BLOCK_BYTES) && b.getInt(8) == VERSION;
        return valid ? new Header(b.getLong(16), b.getLong(24)) : null;
    }

    static byte[] slot(long id, Slot slot) {
        byte[] bytes = new byte[BLOCK_BYTES];
        ByteBuffer b = little(bytes);
        b.putInt(0, SLOT_MAGIC)
                .putLong(8, slot.sequence)
                .putLong(16, slot.frames)
                .putLong(24, slot.position);
        b.putInt(4, crc(id, 0, bytes, 8, BLOCK_BYTES));
        return bytes;
    }

    static @Nullable Slot slot(long id, byte[] file, int at) {
        if (file.length < at + BLOCK_BYTES) {
            return null;
        }
        ByteBuffer b = little(file);
        boolean valid = b.getInt(at) == SLOT_MAGIC && b.getInt(at + 4) == crc(id, 0, file, at + 8, at + BLOCK_BYTES);
        return valid ? new Slot(b.getLong(at + 8), b.getLong(at + 16), b.getLong(at + 24)) : null;
    }

    static int frameBytes(int payloadBytes) {
        return Math.addExact(FRAME_HEADER_BYTES, payloadBytes + 7) & ~7;
    }

    static byte[] frames(long id, long position, Frame.Kind kind, long firstIndex, long stable, List<byte[]> payloads) {
        int length = 0;
        for (byte[] payload : payloads) {
            length = Math.addExact(length, frameBytes(payload.length));
        }
        byte[] bytes = new byte[length];
        ByteBuffer b = little(bytes);
        int at = 0;
        long index = firstIndex;
        for (byte[] payload : payloads) {
            int end = at + FRAME_HEADER_BYTES + payload.length;
            b.putInt(at, FRAME_MAGIC).putInt(at + 8, payload.length).putInt(at + 12, kind.number());
            b.putLong(at + 16, index++).putLong(at + 24, stable);
            b.put(at + FRAME_HEADER_BYTES, payload);
            b.putInt(at + 4, crc(id, position + at, bytes, at + 8, end));
            at += frameBytes(payload.length);
        }
        return bytes;
    }

    /** The valid frame at this position, or null. */
    static @Nullable Frame frame(long id, byte[] file, int at) {
        int length = plausibleLength(file, at);
        if (length < 0) {
            return null;
        }
        ByteBuffer b = little(file);
        Frame.Kind kind = Frame.Kind.of(b.getInt(at + 12));
        int end = at + FRAME_HEADER_BYTES + length;
        if (kind == null || b.getInt(at + 4) != crc(id, at, file, at + 8, end)) {
            return null;
        }
        byte[] payload = java.util.Arrays.copyOfRange(file, at + FRAME_HEADER_BYTES, end);
        return new Frame(kind, b.getLong(at + 16), b.getLong(at + 24), payload);
    }

    /** The payload length that a frame here has if its header can be believed, else −1. */
    static int plausibleLength(byte[] file, int at) {
        if (at > file.length - FRAME_HEADER_BYTES) {
            return -1;
        }
        ByteBuffer b = little(file);
        int length = b.getInt(at + 8);
        boolean plausible = b.getInt(at) == FRAME_MAGIC
                && length >= 0
                && length <= Limits.JOURNAL_RECORD_MAX_BYTES
                && length <= file.length - at - FRAME_HEADER_BYTES;
        return plausible ? length : -1;
    }

    /** Seeded, so that a frame of another file or another place is never taken for one of this. */
    private static int crc(long id, long position, byte[] bytes, int from, int to) {
        var crc = new CRC32C();
        ByteBuffer seed = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        crc.update(seed.putLong(id).putLong(position).flip());
        crc.update(bytes, from, to - from);
        return (int) crc.getValue();
    }
}
