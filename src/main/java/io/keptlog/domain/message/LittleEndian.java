// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian numbers in a byte array, at any position. */
final class LittleEndian {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    static int getInt(byte[] bytes, int position) {
        return (int) INT.get(bytes, position);
    }

    static void putInt(byte[] bytes, int position, int value) {
        INT.set(bytes, position, value);
    }

    static void putLong(byte[] bytes, int position, long value) {
        LONG.set(bytes, position, value);
    }
}
