// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

/** What a refusal says arrives at the other broker as it was. */
class PeerWireTest {
    @Test
    void aRefusalKeepsItsCodeFieldAndNumbersAlsoBeyondALong() throws Exception {
        var largest = new BigInteger("18446744073709551615");
        KeptlogException sent = new KeptlogException(
                        ErrorCode.SEQUENCE_GAP, "Sequence 7 does not follow: ä€😀.", "Keptlog-Producer-Sequence")
                .with("expected_sequence", largest)
                .with("current_epoch", 3L)
                .with("why", "words");
        var bytes = new ByteArrayOutputStream();
        PeerWire.write(new DataOutputStream(bytes), sent);
        KeptlogException read = PeerWire.exception(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        assertThat(read.code()).isEqualTo(sent.code());
        assertThat(read.reason()).isEqualTo(sent.reason());
        assertThat(read.field()).isEqualTo(sent.field());
        assertThat(read.details())
                .containsEntry("expected_sequence", largest)
                .containsEntry("current_epoch", BigInteger.valueOf(3))
                .containsEntry("why", "words");
    }
}
