// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigInteger;

/**
 * An unsigned 64-bit number of the contract: a bare JSON number, exact.
 *
 * @param bits all 64 of them; compare with {@link Long#compareUnsigned}
 */
@Schema(type = "integer", format = "uint64", minimum = "0")
public record U64(long bits) {
    private static final int BITS = 64;

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static U64 of(BigInteger value) {
        if (value.signum() < 0 || value.bitLength() > BITS) {
            throw new IllegalArgumentException("not a u64");
        }
        return new U64(value.longValue());
    }

    /** The value as it is written. */
    @JsonValue
    public BigInteger value() {
        return new BigInteger(Long.toUnsignedString(bits));
    }
}
