// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.error;

/** The error advice, for tests that build a dispatcher by hand. */
public final class ErrorAdviceFixture {
    private ErrorAdviceFixture() {}

    public static Object advice() {
        return new ErrorAdvice();
    }
}
