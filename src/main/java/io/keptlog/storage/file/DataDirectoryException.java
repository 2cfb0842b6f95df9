// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import org.jspecify.annotations.Nullable;

/** The data directory cannot be used. The message is one line for the operator: what is wrong, and where there is one, the way out. */
public class DataDirectoryException extends RuntimeException {
    public DataDirectoryException(String reason) {
        this(reason, null);
    }

    public DataDirectoryException(String reason, @Nullable Throwable cause) {
        super(reason.replaceAll("\\s*\\R\\s*", " "), cause);
    }
}
