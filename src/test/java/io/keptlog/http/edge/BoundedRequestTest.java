// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class BoundedRequestTest {
    private static final int SIZE = 1 << 20;

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

    private InputStream body(int size) throws IOException {
        var request = new MockHttpServletRequest();
        request.setContent(new byte[size]);
        return new BoundedRequest(request, SIZE, nanos::get).getInputStream();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void aLargeBodyThatTricklesIsGivenUpAfterItsGrace() throws IOException {
        InputStream in = body(SIZE);
        assertThat(in.read(new byte[1000])).isEqualTo(1000);
        pass(Duration.ofMillis(Limits.BODY_GRACE_MILLIS));
        assertThat(in.read(new byte[1000])).as("within its grace").isEqualTo(1000);
        pass(Duration.ofSeconds(1));
        assertThatThrownBy(() -> in.read(new byte[1000]))
                .isInstanceOfSatisfying(
                        KeptlogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.REQUEST_TIMEOUT));
    }

    @Test
    void aLargeBodyMayTakeAsLongAsItIsFastEnough() throws IOException {
        InputStream in = body(SIZE);
        for (int i = 0; i < SIZE / 8192; i++) {
            pass(Duration.ofSeconds(1));
            assertThat(in.readNBytes(8192)).hasSize(8192);
        }
        assertThat(in.read()).isEqualTo(-1);
    }

    @Test
    void aSmallBodyIsReadAsItIs() throws IOException {
        InputStream in = body(Limits.BODY_AT_ANY_SPEED_BYTES);
        pass(Duration.ofHours(1));
        assertThat(in.readAllBytes()).hasSize(Limits.BODY_AT_ANY_SPEED_BYTES);
    }
}
