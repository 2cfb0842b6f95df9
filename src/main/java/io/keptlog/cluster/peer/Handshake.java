// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.peer;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Both sides of a connection between brokers prove that they know the cluster's secret, without sending it:
 *
 * <pre>
 * server → client   u64 magic and version, 32 random bytes S
 * client → server   32 random bytes C, HMAC-SHA256(secret, "client" S C)
 * server → client   HMAC-SHA256(secret, "server" S C)
 * </pre>
 *
 * What follows is not encrypted: brokers talk on a network that only they are on.
 */
final class Handshake {
    private static final long MAGIC = 0x4B4C_5045_4552_0001L; // "KLPEER", version 1
    private static final int NONCE_BYTES = 32;
    private static final int MAC_BYTES = 32;

    private final byte[] secret;
    private final SecureRandom random = new SecureRandom();

    Handshake(byte[] secret) {
        this.secret = secret.clone();
    }

    private byte[] nonce() {
        var bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        return bytes;
    }

    void accept(DataInputStream in, DataOutputStream out) throws IOException {
        byte[] mine = nonce();
        out.writeLong(MAGIC);
        out.write(mine);
        out.flush();
        byte[] theirs = in.readNBytes(NONCE_BYTES);
        byte[] proof = in.readNBytes(MAC_BYTES);
        if (!MessageDigest.isEqual(proof, mac("client", mine, theirs))) {
            throw new IOException("a peer does not know the cluster's secret");
        }
        out.write(mac("server", mine, theirs));
        out.flush();
    }

    void connect(DataInputStream in, DataOutputStream out) throws IOException {
        if (in.readLong() != MAGIC) {
            throw new IOException("the other side is not a broker of this version");
        }
        byte[] theirs = in.readNBytes(NONCE_BYTES);
        byte[] mine = nonce();
        out.write(mine);
        out.write(mac("client", theirs, mine));
        out.flush();
        byte[] proof = in.readNBytes(MAC_BYTES);
        if (!MessageDigest.isEqual(proof, mac("server", theirs, mine))) {
            throw new IOException("the other side does not know the cluster's secret");
        }
    }

    private byte[] mac(String role, byte[] server, byte[] client) throws IOException {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update(role.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            mac.update(server);
            return mac.doFinal(client);
        } catch (GeneralSecurityException e) {
            throw new IOException("HMAC-SHA256", e);
        }
    }
}
