// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * One message as it is stored, little-endian, unaligned:
 *
 * <pre>
 *  0  u32   length of the whole record, these bytes included
 *  4  u32   CRC32C of the bytes from 8 to the end
 *  8  u128  message id (low half first)
 * 24  u64   origin timestamp, microseconds since the epoch
 * 32  u32   payload length, bytes
 * 36  u32   user headers length, bytes
 * 40  u8    form of the user headers: 0 none, 1 sent as a list, 2 sent as raw bytes
 * 41  u8×3  zero
 * 44        user headers, then payload
 * </pre>
 *
 * A message's offset is its frame's base offset plus its index in the frame; its timestamp is the frame's append time. User headers are
 * stored in Iggy's raw form: per header kind u8, length u32, bytes of the key, then the same of the value.
 */
public final class RecordLayout {
    private RecordLayout() {}

    public static final int LENGTH = 0;
    public static final int CRC = 4;
    public static final int ID_LOW = 8;
    public static final int ID_HIGH = 16;
    public static final int ORIGIN_TIMESTAMP = 24;
    public static final int PAYLOAD_LENGTH = 32;
    public static final int HEADERS_LENGTH = 36;
    public static final int HEADERS_FORM = 40;
    public static final int HEADER_BYTES = 44;

    public static final int FORM_NONE = 0;
    public static final int FORM_LIST = 1;
    public static final int FORM_RAW = 2;

    public static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
}
