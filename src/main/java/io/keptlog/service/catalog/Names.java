// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.catalog;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import java.nio.charset.StandardCharsets;

/** The rule for names of streams, topics and groups: 1 to 255 bytes of UTF-8, any Unicode but control characters. */
public final class Names {
    private Names() {}

    /**
     * @param code what a bad name of this kind is called
     * @return the name, unchanged: no trimming and no normalisation, so what was sent is what it is reached by
     */
    public static String check(String name, ErrorCode code) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > Limits.NAME_MAX_BYTES) {
            throw new KeptlogException(
                    code, "A name has 1 to " + Limits.NAME_MAX_BYTES + " bytes of UTF-8, not " + bytes + ".", "name");
        }
        if (name.codePoints().anyMatch(Names::refused)) {
            throw new KeptlogException(code, "A name has no control characters and no unpaired surrogates.", "name");
        }
        return name;
    }

    private static boolean refused(int codePoint) {
        int type = Character.getType(codePoint);
        return type == Character.CONTROL || type == Character.SURROGATE;
    }
}
