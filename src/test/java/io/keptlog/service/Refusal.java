// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Expects an action to be refused with a code. */
public final class Refusal {
    private Refusal() {}

    public static KeptlogException expect(ErrorCode code, ThrowingCallable action) {
        KeptlogException refusal = catchThrowableOfType(KeptlogException.class, action);
        assertThat(refusal).as("refusal").isNotNull();
        assertThat(refusal.code()).isEqualTo(code);
        return refusal;
    }
}
