// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.offset;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Identifier;
import java.nio.charset.StandardCharsets;
import org.apache.commons.codec.digest.XXHash32;

/** The numbers that consumers are known by: their own, or the XXH32 (seed 0) of their name (Iggy HTTP API §4). */
public final class ConsumerIds {
    /** The consumer of a request that names none. */
    public static final ConsumerKey DEFAULT = new ConsumerKey(ConsumerKey.Kind.CONSUMER, 1);

    private ConsumerIds() {}

    /** A lone consumer; a name and the number it hashes to are the same consumer. */
    public static ConsumerKey consumer(Identifier identifier) {
        int id =
                switch (identifier) {
                    case Identifier.Numeric n -> (int) n.value();
                    case Identifier.Name name -> hash(name.value().getBytes(StandardCharsets.UTF_8));
                };
        return new ConsumerKey(ConsumerKey.Kind.CONSUMER, id);
    }

    /** XXH32 with seed 0; an unsigned 32-bit number in an int. */
    public static int hash(byte[] bytes) {
        var hash = new XXHash32();
        hash.update(bytes, 0, bytes.length);
        return (int) hash.getValue();
    }
}
