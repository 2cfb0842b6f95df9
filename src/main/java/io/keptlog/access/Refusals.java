// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import io.keptlog.domain.KeptlogException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes an error that is found before any controller runs, in the same shape as all others. */
@FunctionalInterface
public interface Refusals {
    void refuse(HttpServletRequest request, HttpServletResponse response, KeptlogException error) throws IOException;
}
