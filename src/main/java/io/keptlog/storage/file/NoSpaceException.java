// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.io.IOException;

/** The disk or the quota is full (ENOSPC, EDQUOT). Nothing is damaged; the caller may try again when space is back. */
public class NoSpaceException extends IOException {
    public NoSpaceException(String message) {
        super(message);
    }
}
