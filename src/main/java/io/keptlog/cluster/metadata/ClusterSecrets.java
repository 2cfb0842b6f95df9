// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.metadata;

import java.security.SecureRandom;
import java.util.Objects;

/** Secrets that all brokers share, made by whoever needs one first. Whoever reads the metadata store reads them: protect it. */
public final class ClusterSecrets {
    private static final int LENGTH_BYTES = 32;

    private final Metadata metadata;
    private final SecureRandom random = new SecureRandom();

    public ClusterSecrets(Metadata metadata) {
        this.metadata = metadata;
    }

    /** 256 random bits, the same for every broker and for ever. */
    public byte[] get(String name) {
        String path = Metadata.ROOT + "/secrets/" + name;
        Metadata.Value there = metadata.get(path);
        if (there == null) {
            var fresh = new byte[LENGTH_BYTES];
            random.nextBytes(fresh);
            metadata.create(path, fresh);
            there = Objects.requireNonNull(metadata.get(path));
        }
        return there.bytes();
    }
}
