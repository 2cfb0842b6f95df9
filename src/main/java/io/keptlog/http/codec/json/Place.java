// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec.json;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;

/** Where in a produce body the reader is, so that every refusal names its message and field. Not thread-safe. */
final class Place {
    private int message = -1;
    private int header = -1;
    private String member = "";
    private String part = "";

    /** A member of the body itself, for example {@code partitioning.value}. */
    void top(String name) {
        message = -1;
        member(name);
    }

    void message(int index) {
        message = index;
        member("");
    }

    /** A member of the message, or none. */
    void member(String name) {
        member = name;
        header = -1;
        part = "";
    }

    /** A user header of the message. */
    void header(int index) {
        header = index;
        part = "";
    }

    /** A part of the user header, for example {@code key.kind}. */
    void part(String name) {
        part = name;
    }

    /** A refusal of what stands here. */
    KeptlogException refuse(ErrorCode code, String reason) {
        String here = toString();
        return here.isEmpty()
                ? new KeptlogException(code, reason)
                : new KeptlogException(code, here + ": " + reason, here);
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        if (message >= 0) {
            text.append("messages[").append(message).append(']');
            if (!member.isEmpty()) {
                text.append('.');
            }
        }
        text.append(member);
        if (header >= 0) {
            text.append('[').append(header).append(']');
        }
        if (!part.isEmpty()) {
            text.append('.').append(part);
        }
        return text.toString();
    }
}
